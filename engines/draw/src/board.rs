//! The model of a board. A game fills it once, in its own coordinates; it is drawn as text, as SVG and as JSON.
//!
//! The game determines geometry and meaning: the place of each shape and its [`Role`]. The renderer determines colours,
//! letters and layout. Lengths are in board units, which the game chooses. x increases to the right and y downwards.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::keyboard::{DIRECTIONS, Direction, nearest};
use crate::shape::{DiagramColour, Form, Point, Rectangle, Role, Shape};
use crate::{Side, View};

/// Margin around the board, as a share of its longer side.
const MARGIN: f64 = 0.02;

/// A board as clients draw it and let people click on it. In JSON, the owners are p1 and p2 if absent; names, caption,
/// labels and neighbours may be absent too.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Board {
    /// Width in board units, of a finished board.
    pub width: f64,
    /// Height in board units, of a finished board.
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
    /// The input of the last move; its last spot is the target.
    #[serde(skip)]
    pub last: Option<Input>,
    /// The smallest rotation that maps cells to cells, in degrees. 0, the default: the board is never turned, as its move
    /// codes are directions.
    #[serde(skip)]
    pub turn: u32,
    /// The layout of the board as text.
    #[serde(skip)]
    pub text: TextForm,
}

/// The layout of a board as text.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TextForm {
    /// Columns and lines per board unit; `None`: one.
    pub scale: Option<[f64; 2]>,
    /// The same for a drawing of the legal moves alone below the board, on which they would share characters.
    pub moves_scale: Option<[f64; 2]>,
    /// Columns for the text of a spot, if it is wider than one.
    pub width: usize,
    /// Lines below the board that belong to it, in parts, each with the id of its spot, if it is one.
    pub below: Vec<Vec<(String, Option<String>)>>,
    /// The side to move or the result, and further remarks.
    pub notes: Vec<String>,
    /// The parts that only the text shows.
    pub(crate) frame: Vec<Shape>,
}

fn both_sides() -> [Side; 2] {
    Side::BOTH
}

/// A copy of the board beyond one of its edges. Moving three points of the board determines the map from the board to its
/// copy, which keeps all lengths, but may mirror the board.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoardCopy {
    /// Three points of the board that are not on one line.
    pub from: [Point; 3],
    /// The same points of the copy.
    pub to: [Point; 3],
}

/// A part of the board that can be clicked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

/// The input of one legal move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Gesture {
    /// The canonical code of the move.
    pub code: String,
    /// The clicks to make.
    #[serde(flatten)]
    pub input: Input,
}

/// The clicks for a move. No input is a prefix of another, so a move is complete with its last click.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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

impl Board {
    /// Adds a shape without a colour above the existing ones.
    pub fn put(&mut self, role: Role, form: Form) -> &mut Shape {
        self.shapes.push_mut(Shape::new(role, form))
    }

    /// Adds a shape of a colour above the existing ones.
    pub fn put_of(&mut self, colour: DiagramColour, role: Role, form: Form) -> &mut Shape {
        let shape = self.put(role, form);
        shape.colour = Some(colour);
        shape
    }

    /// Adds to the caption that a side threatens something.
    pub fn add_threats(&mut self, side: &str, threats: &[String]) {
        if !threats.is_empty() {
            self.caption += &format!("; {side} threatens {}", threats.join(" and "));
        }
    }

    /// Adds the name of a row or a file, as text at some distance from its place in the picture.
    pub fn label(&mut self, at: Point, aside: [f64; 2], size: f64, text: impl Into<String>) {
        let text = text.into();
        self.write(at.moved(aside[0], aside[1]), text.as_str());
        self.put(Role::Label, Form::text(at, size, text));
    }

    /// Adds what a board shows as text only, below all shapes.
    pub fn write(&mut self, at: Point, text: impl Into<String>) -> &mut Shape {
        let written = Shape::new(Role::Label, Form::text(at, 0.0, ""));
        self.text.frame.push_mut(written).glyph(text)
    }

    /// Adds a clickable spot: its id, its label for screen readers, and its outline, a circle or a polygon.
    pub fn spot(&mut self, id: impl Into<String>, label: impl Into<String>, outline: Form) {
        self.spots.push(Spot {
            id: id.into(),
            outline,
            label: label.into(),
            neighbours: Neighbours::default(),
        });
    }

    /// Replaces the side to move by the result of a game that ended other than by its rules.
    pub fn end(&mut self, result: &str) {
        result.clone_into(&mut self.caption);
        self.text.notes = vec![result.to_owned()];
    }

    /// Finishes the board for a view: turns it, moves its upper left corner to (0, 0), and finds each spot's neighbours.
    #[must_use]
    pub fn finish(mut self, view: &View) -> Board {
        let half_turns = u32::from(view.is_flipped && self.turn > 0);
        let degrees = (180 * half_turns + self.turn * u32::from(view.turns)) % 360;
        let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
        self.map(|point| Point::new(cos * point.x - sin * point.y, sin * point.x + cos * point.y));
        let Rectangle { low, high } = self.bounds();
        let margin = MARGIN * (high.x - low.x).max(high.y - low.y);
        self.map(|point| {
            let point = point.moved(margin - low.x, margin - low.y);
            Point::new(rounded(point.x), rounded(point.y))
        });
        self.width = rounded(high.x - low.x + 2.0 * margin);
        self.height = rounded(high.y - low.y + 2.0 * margin);
        self.connect();
        self
    }

    /// The smallest rectangle that contains all shapes and spots.
    pub(crate) fn bounds(&self) -> Rectangle {
        let forms = self.shapes.iter().map(|shape| &shape.form);
        let all = forms.chain(self.spots.iter().map(|spot| &spot.outline));
        let bounds = all.map(Form::bounds).reduce(Rectangle::union);
        bounds.unwrap_or_default()
    }

    /// Finds the neighbours of each spot: the nearest one in each direction.
    pub fn connect(&mut self) {
        let place = |spot: &Spot| (spot.outline.bounds().centre(), spot.id.clone());
        let (places, ids): (Vec<Point>, Vec<String>) = self.spots.iter().map(place).unzip();
        for (spot, here) in self.spots.iter_mut().zip(&places) {
            let id = |way| Some(ids[nearest(*here, &places, way)?].clone());
            let near = DIRECTIONS
                .iter()
                .filter_map(|&(key, way)| Some((key, id(way)?)));
            spot.neighbours = near.collect();
        }
    }

    /// Turns a finished board by 180 degrees; texts stay upright.
    pub fn turn_around(&mut self) {
        let (width, height) = (self.width, self.height);
        self.map(|point| Point::new(width - point.x, height - point.y));
    }

    fn map(&mut self, to: impl Fn(Point) -> Point) {
        let forms = self.shapes.iter_mut().map(|shape| &mut shape.form);
        for form in forms.chain(self.spots.iter_mut().map(|spot| &mut spot.outline)) {
            form.map(&to);
        }
        if let Some(area) = &mut self.focus {
            *area = Rectangle::around(area.corners().map(&to));
        }
        let copies = self.copies.iter_mut();
        for point in copies.flat_map(|copy| copy.from.iter_mut().chain(&mut copy.to)) {
            *point = to(*point);
        }
    }

    /// The name of a colour's hue: a side that is named after a colour is drawn in it.
    pub(crate) fn hue(&self, colour: DiagramColour) -> &'static str {
        match (self.names[colour.index()].as_str(), colour) {
            ("yellow", _) => "yellow",
            (_, DiagramColour::One) => "red",
            (_, DiagramColour::Two) => "blue",
        }
    }

    /// The answer to `query diagram`.
    pub fn json(&self) -> String {
        serde_json::to_string(self).expect("a board has no map keys")
    }
}

/// Rounds to thousandths of a unit, so that a board is the same on every machine and short as text.
fn rounded(length: f64) -> f64 {
    (length * 1000.0).round() / 1000.0
}
