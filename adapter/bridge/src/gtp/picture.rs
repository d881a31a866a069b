//! The position as GoGui draws it: an array of stones, and graphics over it.

use std::collections::{BTreeMap, BTreeSet};

use draw::{Board, Form, Rectangle, Role, Shape};
use kit::Side;

use super::{Click, Layout};
use crate::points::Point;

/// Background of the game's board where it does not fill GoGui's.
const GROUND: &str = "#f0dcb0";

/// Background of points off the game's board that GoGui draws.
const OUTSIDE: &str = "#201000";

/// Colours of clicked points and of possible next points.
const FROM: &str = "#ffe060";
const TARGET: &str = "#80ff80";

/// Content of a point.
#[derive(Default)]
struct Content {
    owner: Option<Side>,
    n_pieces: usize,
    /// `true` if the point needs the background that marks points on the game's board.
    is_ground: bool,
    sign: Option<String>,
    is_decisive: bool,
    is_in_danger: bool,
}

/// Points of a position, taken from the spots of its diagram.
pub(super) struct Picture {
    layout: Layout,
    points: BTreeMap<Point, Content>,
    /// Text for the status line.
    pub(super) caption: String,
}

impl Picture {
    pub(super) fn new(diagram: &Board, layout: Layout) -> Picture {
        let spots = diagram.spots.iter().filter_map(|spot| {
            let mut content = content(diagram, &spot.outline);
            content.is_ground = layout.has_stacks && layout.is_on_board(&spot.id);
            Some((layout.point(&spot.id)?, content))
        });
        Picture {
            layout,
            points: spots.collect(),
            caption: diagram.caption.clone(),
        }
    }

    /// Iterates over the points with stones.
    pub(super) fn stones(&self) -> impl Iterator<Item = Point> {
        let points = self.points.iter();
        let stones = points.filter(|(_, content)| content.owner.is_some());
        stones.map(|(point, _)| *point)
    }

    /// Returns the array, the top row first: `X` and `O` are stones of players 1 and 2, `.` is empty, `?` is removed from
    /// the board.
    pub(super) fn array(&self) -> String {
        let size = self.layout.size;
        let rows = (0..size).rev().map(|row| {
            let signs = (0..size).map(|column| match self.points.get(&Point { column, row }) {
                None if self.layout.has_holes => "?",
                None => ".",
                Some(content) => content.owner.map_or(".", |side| ["X", "O"][side.index()]),
            });
            format!("\n{}", signs.collect::<Vec<_>>().join(" "))
        });
        rows.collect()
    }

    /// Returns the graphics over the stones: sizes and numbers of pieces, decisive and threatened pieces, the half move
    /// made with its targets, and the caption for the status line.
    pub(super) fn graphics(&self, made: &[Click], next: &BTreeSet<Click>) -> String {
        let (mut colours, mut marks) = (String::new(), String::new());
        let size = self.layout.size;
        for (column, row) in (0..size).flat_map(|column| (0..size).map(move |row| (column, row))) {
            let point = Point { column, row };
            let (vertex, content) = (Click::At(point), self.points.get(&point));
            let colour = match content {
                None if self.layout.has_holes => None,
                None => Some(OUTSIDE),
                Some(_) if made.contains(&vertex) => Some(FROM),
                Some(_) if !made.is_empty() && next.contains(&vertex) => Some(TARGET),
                Some(content) => content.is_ground.then_some(GROUND),
            };
            colours.extend(colour.map(|colour| format!("COLOR {colour} {vertex}\n")));
            let Some(content) = content else { continue };
            if content.is_decisive {
                marks += &format!("CIRCLE {vertex}\n");
            } else if content.is_in_danger {
                marks += &format!("SQUARE {vertex}\n");
            }
            if let Some(sign) = content.sign.as_deref().filter(|_| self.layout.has_stacks) {
                let number = match content.n_pieces {
                    0 | 1 => String::new(),
                    n_pieces => n_pieces.to_string(),
                };
                let label = self.layout.label(sign);
                marks += &format!("LABEL {vertex} {number}{label}\n");
            }
        }
        format!("{colours}{marks}TEXT {}", self.caption)
    }
}

/// Collects the content within the outline of a spot.
fn content(diagram: &Board, outline: &Form) -> Content {
    let bounds = outline.bounds();
    let mut content = Content::default();
    for Shape {
        role, colour, form, ..
    } in &diagram.shapes
    {
        let middle = match form {
            Form::Circle { centre, .. } => *centre,
            Form::Text { at, .. } => *at,
            Form::Polygon { .. } | Form::Path { .. } => continue,
        };
        if bounds.union(Rectangle::around([middle])) != bounds {
            continue;
        }
        match (role, form) {
            (Role::Piece, _) => {
                content.n_pieces += 1;
                content.owner = colour.map(|colour| diagram.owners[colour.index()]);
            }
            (Role::Sign, Form::Text { text, .. }) => content.sign = Some(text.clone()),
            (Role::Decisive, _) => content.is_decisive = true,
            (Role::Danger, _) => content.is_in_danger = true,
            _ => {}
        }
    }
    content
}
