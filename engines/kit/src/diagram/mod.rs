//! A board as data: what a page or a picture shows of a position, and how each legal move is entered on it.
//!
//! [`Notation::diagram`](crate::Notation::diagram) makes a [`Diagram`] with a [`DiagramBuilder`]. The game owns geometry
//! and meaning: where shapes lie, and the [`Role`] of each. Whoever draws it owns the colours; [`svg`] is one such
//! writer. Nothing here knows a game.
//!
//! Lengths are in board units, which the game chooses. x grows to the right, y downwards; the upper left corner is
//! (0, 0).

mod builder;
pub(crate) mod keyboard;
mod palette;
mod shape;
pub mod svg;

use serde::{Deserialize, Serialize};

pub use builder::DiagramBuilder;
pub use shape::{Colour, Form, Point, Rectangle, Role, Shape};

use crate::Side;

/// A board as it is drawn and clicked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Diagram {
    /// From the left edge to the right one.
    pub width: f64,
    /// From the upper edge to the lower one.
    pub height: f64,
    /// What is drawn, from the bottom up: a shape covers those before it.
    pub shapes: Vec<Shape>,
    /// Who owns each colour now: colour 1, colour 2.
    pub owners: [Side; 2],
    /// What each colour is called on this board, such as `x` or `red`: colour 1, colour 2.
    pub names: [String; 2],
    /// The part that is worth a closer look, where the whole board is too large to aim at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<Rectangle>,
    /// Whose turn it is, or how the game ended and why.
    pub caption: String,
    /// What can be clicked.
    pub spots: Vec<Spot>,
    /// How each legal move is entered, in canonical order; none when the game is over.
    pub gestures: Vec<Gesture>,
}

/// A part of the board that can be clicked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spot {
    /// Unlike that of any other spot: `b2`, `reserve p1 3`.
    pub id: String,
    /// Where a click counts: a circle or a polygon.
    pub outline: Form,
    /// What a screen reader says: `b2, x`.
    pub label: String,
    /// The spots that the arrow keys, and Home, Page Up, End and Page Down, lead to.
    #[serde(default)]
    pub neighbours: Neighbours,
}

/// The ids of the spots next to one, by direction; `None` where nothing lies that way. `up`, `right`, `down` and `left`
/// lead everywhere; the diagonals shorten the way.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub struct Neighbours {
    /// Above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up: Option<String>,
    /// To the right.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub right: Option<String>,
    /// Below.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub down: Option<String>,
    /// To the left.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub left: Option<String>,
    /// Above and to the left: the key Home.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_left: Option<String>,
    /// Above and to the right: the key Page Up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub up_right: Option<String>,
    /// Below and to the left: the key End.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub down_left: Option<String>,
    /// Below and to the right: the key Page Down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub down_right: Option<String>,
}

/// How one legal move is entered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Gesture {
    /// The canonical code of the move.
    pub code: String,
    /// What is clicked.
    #[serde(flatten)]
    pub input: Input,
}

/// What is clicked for a move. No input is the beginning of another one, so a move is known when its last click is.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Input {
    /// The ids of spots, in order.
    Spots(Vec<String>),
    /// A button beside the board, by its name.
    Button(String),
}

impl Input {
    /// One click.
    pub fn spot(id: impl Into<String>) -> Input {
        Input::Spots(vec![id.into()])
    }

    /// Two clicks.
    pub fn spots(first: impl Into<String>, second: impl Into<String>) -> Input {
        Input::Spots(vec![first.into(), second.into()])
    }
}
