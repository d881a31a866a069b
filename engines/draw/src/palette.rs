//! The look of shapes in pictures by role, for light and dark pages, from a table.

use crate::{Board, Shape};

/// A colour on light pages and its counterpart on dark ones.
type Tone = [&'static str; 2];

/// The words after a name in the table.
fn entry<const N: usize>(name: &str) -> Option<[&'static str; N]> {
    let mut lines = include_str!("palette.txt").lines();
    let words = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    words.split(' ').collect::<Vec<_>>().try_into().ok()
}

pub(crate) fn tone(name: &str) -> Tone {
    entry(name).unwrap_or_else(|| panic!("the palette has no {name}"))
}

/// The look of a shape.
pub(crate) struct Ink {
    /// The colours of its area, of its border or line, and of its text; `none` leaves a part out.
    pub(crate) tones: [Tone; 3],
    /// Relative thickness of its border.
    pub(crate) thickness: f64,
    pub(crate) is_dashed: bool,
}

/// The look of a shape in a diagram.
pub(crate) fn ink(shape: &Shape, diagram: &Board) -> Ink {
    let hue = shape.colour.map_or("neutral", |colour| diagram.hue(colour));
    let role = format!("role.{:?}", shape.role).to_lowercase();
    let coloured = shape.colour.and_then(|_| entry(&format!("{role}.of")));
    let words: Option<[&str; 5]> = coloured.or_else(|| entry(&role));
    let [area, line, text, thickness, dash] = words.expect("each role is in the palette");
    Ink {
        tones: [area, line, text].map(|name| match name.starts_with('.') {
            true => tone(&format!("{hue}{name}")),
            false => tone(name),
        }),
        thickness: thickness.parse().expect("a number in the palette"),
        is_dashed: dash == "dashed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{DiagramColour, Form, Point, Role};

    /// A diagram of a rules program may have any role, with a colour or without.
    #[test]
    fn each_role_has_its_colours() {
        let roles = include_str!("shape.rs")
            .split_once("pub enum Role {")
            .expect("roles")
            .1;
        let names = roles
            .lines()
            .map_while(|line| (line != "}").then(|| line.trim()));
        let names = names.filter_map(|line| line.strip_suffix(','));
        let board = Board {
            names: ["red", "yellow"].map(str::to_owned),
            ..Board::default()
        };
        let mut n_roles = 0;
        for name in names {
            let kebab: String = name
                .chars()
                .flat_map(|c| match c.is_uppercase() {
                    true => vec!['-', c.to_ascii_lowercase()],
                    false => vec![c],
                })
                .collect();
            let role: Role = serde_json::from_value(kebab[1..].into()).expect("a role");
            let mut shape = Shape::new(role, Form::circle(Point::new(0.0, 0.0), 1.0));
            for colour in [None, Some(DiagramColour::One), Some(DiagramColour::Two)] {
                shape.colour = colour;
                let Ink { tones, .. } = ink(&shape, &board);
                assert!(tones[2][0].starts_with('#'), "{name}: {tones:?}");
            }
            n_roles += 1;
        }
        assert_eq!(n_roles, 29);
    }
}
