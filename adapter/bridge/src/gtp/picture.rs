//! The position as GoGui draws it: an array of stones, and graphics over it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use draw::{Board, Form, Role, Shape};
use kit::Side;

use super::layout::Layout;
use crate::half_moves::{Click, Point};

/// Background of the game's board where it does not fill GoGui's.
const GROUND: &str = "#f0dcb0";

/// Background of points off the game's board that GoGui draws.
const OUTSIDE: &str = "#201000";

/// Colours of clicked points and of possible next points.
const FROM: &str = "#ffe060";
const TARGET: &str = "#80ff80";

/// Content of a point.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
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
#[derive(Debug, Clone, Default)]
pub(super) struct Picture {
    size: u8,
    has_holes: bool,
    points: BTreeMap<Point, Content>,
    /// Text for the status line.
    pub(super) caption: String,
}

impl Picture {
    pub(super) fn new(diagram: &Board, layout: Layout) -> Picture {
        let spots = diagram.spots.iter().filter_map(|spot| {
            let point = layout.point(&spot.id)?;
            let mut content = content(diagram, &spot.outline);
            content.is_ground = layout.has_stacks && layout.is_on_board(&spot.id);
            let sign = content.sign.filter(|_| layout.has_stacks);
            content.sign = sign.map(|sign| layout.label(&sign).to_owned());
            Some((point, content))
        });
        Picture {
            size: layout.size,
            has_holes: layout.has_holes,
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
        let mut text = String::new();
        for row in (0..self.size).rev() {
            let content = |column| match self.points.get(&Point { column, row }) {
                None if self.has_holes => "?",
                None => ".",
                Some(content) => match content.owner {
                    None => ".",
                    Some(Side::P1) => "X",
                    Some(Side::P2) => "O",
                },
            };
            let row: Vec<&str> = (0..self.size).map(content).collect();
            text += &format!("\n{}", row.join(" "));
        }
        text
    }

    /// Returns the graphics over the stones: sizes and numbers of pieces, decisive and threatened pieces, the half move
    /// made with its targets, and the caption for the status line.
    pub(super) fn graphics(&self, made: &[Click], next: &BTreeSet<Click>) -> String {
        let mut text = String::new();
        let mut put = |word: &str, point: Point, argument: &str| {
            let vertex = Click::At(point);
            let blank = if argument.is_empty() { "" } else { " " };
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{word}{blank}{argument} {vertex}");
        };
        if !self.has_holes {
            let rows = 0..self.size;
            let points =
                rows.flat_map(|row| (0..self.size).map(move |column| Point { column, row }));
            for point in points.filter(|point| !self.points.contains_key(point)) {
                put("COLOR", point, OUTSIDE);
            }
        }
        let is_next = |click: &Click| !made.is_empty() && next.contains(click);
        for (point, content) in &self.points {
            match Click::At(*point) {
                click if made.contains(&click) => put("COLOR", *point, FROM),
                click if is_next(&click) => put("COLOR", *point, TARGET),
                _ if content.is_ground => put("COLOR", *point, GROUND),
                _ => {}
            }
        }
        for (point, content) in &self.points {
            if content.is_decisive {
                put("CIRCLE", *point, "");
            } else if content.is_in_danger {
                put("SQUARE", *point, "");
            }
        }
        for (point, content) in &self.points {
            let Some(sign) = &content.sign else { continue };
            let label = match content.n_pieces {
                0 | 1 => sign.clone(),
                n_pieces => format!("{n_pieces}{sign}"),
            };
            let _ = writeln!(text, "LABEL {} {label}", Click::At(*point));
        }
        let _ = write!(text, "TEXT {}", self.caption);
        text
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
        if !bounds.contains(middle) {
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
