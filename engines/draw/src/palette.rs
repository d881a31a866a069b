//! The colours of pictures by role, for light and dark pages, from a table.

use crate::{DiagramColour, Shape};

/// A colour on light pages and its counterpart on dark ones.
type Tone = [&'static str; 2];

/// The colours of a shape; `none` leaves a part out.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    /// Colour of an area.
    pub(crate) fill: Tone,
    /// Colour of an area's border and of a line.
    pub(crate) stroke: Tone,
    /// Colour of a text.
    pub(crate) text: Tone,
}

/// The words after a name in the table.
fn entry<const N: usize>(name: &str) -> Option<[&'static str; N]> {
    let mut lines = include_str!("palette.txt").lines();
    let words = lines.find_map(|line| line.strip_prefix(name)?.strip_prefix(' '))?;
    words.split(' ').collect::<Vec<_>>().try_into().ok()
}

pub(crate) fn tone(name: &str) -> Tone {
    entry(name).unwrap_or_else(|| panic!("the palette has no {name}"))
}

/// The colours of a shape. `names` are those of the sides; a side named after a colour is drawn in it.
pub(crate) fn paint(shape: &Shape, names: &[String; 2]) -> Paint {
    let hue = shape.colour.map_or("neutral", |colour| {
        match (names[colour.index()].as_str(), colour) {
            ("yellow", _) => "yellow",
            (_, DiagramColour::One) => "red",
            (_, DiagramColour::Two) => "blue",
        }
    });
    let role = format!("role.{:?}", shape.role).to_lowercase();
    let coloured = shape.colour.and_then(|_| entry(&format!("{role}.of")));
    let tones: [&str; 3] = coloured
        .or_else(|| entry(&role))
        .expect("each role is in the palette");
    let [fill, stroke, text] = tones.map(|name| match name.starts_with('.') {
        true => tone(&format!("{hue}{name}")),
        false => tone(name),
    });
    Paint { fill, stroke, text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Form, Point, Role};

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
                let paint = paint(&shape, &["red", "yellow"].map(str::to_owned));
                assert!(paint.text[0].starts_with('#'), "{name}: {paint:?}");
            }
            n_roles += 1;
        }
        assert_eq!(n_roles, 29);
    }
}
