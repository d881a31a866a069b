//! A board as data: the shapes that a page or a picture shows, and the input for each legal move.
//!
//! [`Notation::diagram`](crate::Notation::diagram) makes a [`Board`] with a [`DiagramBuilder`]. The game determines
//! geometry and meaning: the position of each shape and its [`Role`]. The renderer determines the colours; [`svg`] is
//! one renderer. This module does not depend on any game.
//!
//! Lengths are in board units, which the game chooses. x increases to the right and y downwards; the upper left corner
//! is (0, 0).

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::shape::{Form, Point, Rectangle, Shape};
use crate::{Side, keyboard};

/// A board as clients draw it and let people click on it. In JSON, the owners are p1 and p2 if absent; names, caption,
/// labels and neighbours may be absent too.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Board {
    /// Width in board units.
    pub width: f64,
    /// Height in board units.
    pub height: f64,
    /// The shapes from bottom to top: a shape covers those before it.
    pub shapes: Vec<Shape>,
    /// The current owners of colour 1 and colour 2.
    #[serde(default = "both_sides")]
    pub owners: [Side; 2],
    /// The names of colour 1 and colour 2 on this board, such as `x` or `red`.
    #[serde(default)]
    pub names: [String; 2],
    /// The part to enlarge, if the whole board is too large to click on precisely.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<Rectangle>,
    /// The copies of the board around it, for a board that continues beyond its edges; else empty.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub copies: Vec<BoardCopy>,
    /// The side to move, or the result with its reason.
    #[serde(default)]
    pub caption: String,
    /// The clickable parts.
    pub spots: Vec<Spot>,
    /// The input of each legal move, in canonical order; empty if the game is over. Further inputs of the same moves may
    /// follow.
    pub gestures: Vec<Gesture>,
}

fn both_sides() -> [Side; 2] {
    Side::BOTH
}

impl Board {
    /// Finds the neighbours of each spot.
    pub fn connect(&mut self) {
        keyboard::connect(&mut self.spots);
    }

    /// Turns the board by 180 degrees; texts stay upright.
    pub fn turn_around(&mut self) {
        let (width, height) = (self.width, self.height);
        let to = |point: Point| Point::new(width - point.x, height - point.y);
        let forms = self.shapes.iter_mut().map(|shape| &mut shape.form);
        for form in forms.chain(self.spots.iter_mut().map(|spot| &mut spot.outline)) {
            *form = form.clone().map(&to);
        }
        if let Some(focus) = &mut self.focus {
            *focus = Rectangle::around([to(focus.low), to(focus.high)]);
        }
        for copy in &mut self.copies {
            *copy = copy.mapped(to);
        }
    }

    /// The answer to `query diagram`.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("a diagram has no map keys")
    }
}

/// A copy of the board beyond one of its edges. Moving three points of the board determines the map from the board to its
/// copy, which keeps all lengths, but may mirror the board.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct BoardCopy {
    /// Three points of the board that are not on one line.
    pub from: [Point; 3],
    /// The same points of the copy.
    pub to: [Point; 3],
}

impl BoardCopy {
    pub(crate) fn mapped(&self, to: impl Fn(Point) -> Point) -> BoardCopy {
        BoardCopy {
            from: self.from.map(&to),
            to: self.to.map(&to),
        }
    }
}

/// A part of the board that can be clicked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spot {
    /// Unique id: `b2`, `reserve p1 3`.
    pub id: String,
    /// The clickable area: a circle or a polygon.
    pub outline: Form,
    /// The label for screen readers: `b2, x`.
    #[serde(default)]
    pub label: String,
    /// The spots reached by the arrow keys and by Home, Page Up, End and Page Down.
    #[serde(default)]
    pub neighbours: Neighbours,
}

/// Ids of the neighbouring spots by direction. `Up`, `Right`, `Down` and `Left` are enough to reach every spot; the
/// diagonals are shortcuts.
pub type Neighbours = BTreeMap<Direction, String>;

/// A direction of the keyboard.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Direction {
    /// Above.
    Up,
    /// To the right.
    Right,
    /// Below.
    Down,
    /// To the left.
    Left,
    /// Above and to the left, for the Home key.
    UpLeft,
    /// Above and to the right, for the Page Up key.
    UpRight,
    /// Below and to the left, for the End key.
    DownLeft,
    /// Below and to the right, for the Page Down key.
    DownRight,
}

/// The input of one legal move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gesture {
    /// The canonical code of the move.
    pub code: String,
    /// The clicks to make.
    #[serde(flatten)]
    pub input: Input,
}

/// The clicks for a move. No input is a prefix of another, so a move is complete with its last click.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// The ids of spots, in order.
    Spots(Vec<String>),
    /// A button next to the board, by its name.
    Button(String),
}

impl Input {
    /// An input of one click.
    pub fn spot(id: impl Into<String>) -> Input {
        Input::Spots(vec![id.into()])
    }

    /// An input of two clicks.
    pub fn spots(first: impl Into<String>, second: impl Into<String>) -> Input {
        Input::Spots(vec![first.into(), second.into()])
    }
}
