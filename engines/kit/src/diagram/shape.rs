//! Shapes and their roles.

use serde::{Deserialize, Serialize};

use crate::Side;

/// A point, in board units.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(from = "[f64; 2]", into = "[f64; 2]")]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

/// A rectangle with upright sides.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Rectangle {
    /// The upper left corner.
    pub low: Point,
    /// The lower right corner.
    pub high: Point,
}

/// One of the two kinds of pieces. It stays what it is when its owner changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "u8", into = "u8")]
pub enum Colour {
    /// Moves first: 1 in JSON.
    One,
    /// Moves second: 2 in JSON.
    Two,
}

/// What a shape means; whoever draws it chooses colours and strokes by this.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The ground under everything.
    Board,
    /// A cell that a piece can stand on, or the field.
    Cell,
    /// Lines of the board.
    Grid,
    /// A goal, of the colour that plays for it.
    Goal,
    /// A cell that is shown once more beyond the edge; with a colour, the piece on it.
    Ghost,
    /// The cell that the last move came from.
    From,
    /// The cell that the last move went to.
    To,
    /// A piece. Without a colour it belongs to nobody.
    Piece,
    /// A sign on a piece that tells its colour to those who cannot see colours.
    Sign,
    /// The sign of a ghost.
    GhostSign,
    /// A piece that stands under another one.
    Covered,
    /// A line that a player drew.
    Trail,
    /// The line that was drawn last.
    LastTrail,
    /// What both players move.
    Puck,
    /// Where a legal move leads.
    Target,
    /// Where a legal move leads that the person has ruled out.
    RuledOut,
    /// A piece in danger.
    Danger,
    /// What decided the game: a line, a loop, a surrounded stone.
    Decisive,
    /// Tells that a piece has what its side needs of it to win.
    Finished,
    /// One step of a count towards a draw, not yet reached.
    Pending,
    /// One step of a count towards a draw, reached.
    Counted,
    /// The name of a row, a file or a cell.
    Label,
    /// Any other text.
    Note,
}

/// A form with its meaning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Shape {
    /// What it means.
    pub role: Role,
    /// Whose it is, if it belongs to a colour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<Colour>,
    /// The id of the spot that it shows once more in another place, as a [`Role::Ghost`] does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spot: Option<String>,
    /// Where it lies.
    #[serde(flatten)]
    pub form: Form,
}

/// What is drawn.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "form", rename_all = "kebab-case")]
pub enum Form {
    /// A disc.
    Circle {
        /// Its middle.
        centre: Point,
        /// Half its width.
        radius: f64,
    },
    /// A closed area.
    Polygon {
        /// Its corners, in order.
        points: Vec<Point>,
    },
    /// Broken lines.
    Path {
        /// Each line, from point to point.
        lines: Vec<Vec<Point>>,
        /// How thick the lines are.
        width: f64,
    },
    /// A line of text with its middle at a point. It stays upright when the board is turned.
    Text {
        /// The middle.
        at: Point,
        /// The height of the font.
        size: f64,
        /// What it says.
        text: String,
    },
}

impl Point {
    /// The point at these coordinates.
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// This point moved to the right and down.
    pub fn moved(self, x: f64, y: f64) -> Point {
        Point::new(self.x + x, self.y + y)
    }
}

impl From<[f64; 2]> for Point {
    fn from([x, y]: [f64; 2]) -> Point {
        Point { x, y }
    }
}

impl From<Point> for [f64; 2] {
    fn from(point: Point) -> [f64; 2] {
        [point.x, point.y]
    }
}

impl Rectangle {
    /// The smallest rectangle that holds both.
    pub fn union(self, other: Rectangle) -> Rectangle {
        let low = Point::new(self.low.x.min(other.low.x), self.low.y.min(other.low.y));
        let high = Point::new(self.high.x.max(other.high.x), self.high.y.max(other.high.y));
        Rectangle { low, high }
    }

    /// Whether a point lies in it or on its border.
    pub fn contains(&self, point: Point) -> bool {
        (self.low.x..=self.high.x).contains(&point.x)
            && (self.low.y..=self.high.y).contains(&point.y)
    }

    /// Its four corners, clockwise from the upper left.
    pub fn corners(&self) -> [Point; 4] {
        let (low, high) = (self.low, self.high);
        [
            low,
            Point::new(high.x, low.y),
            high,
            Point::new(low.x, high.y),
        ]
    }

    /// The middle.
    pub fn centre(&self) -> Point {
        Point::new(
            (self.low.x + self.high.x) / 2.0,
            (self.low.y + self.high.y) / 2.0,
        )
    }

    /// The smallest rectangle that holds these points; empty at (0, 0) if there are none.
    pub fn around(points: impl IntoIterator<Item = Point>) -> Rectangle {
        let single = |point| Rectangle {
            low: point,
            high: point,
        };
        let all = points.into_iter().map(single).reduce(Rectangle::union);
        all.unwrap_or(single(Point::new(0.0, 0.0)))
    }
}

impl Colour {
    /// Both, in the order of their first moves.
    pub const BOTH: [Colour; 2] = [Colour::One, Colour::Two];

    /// The colour of this side where colours never change hands.
    pub const fn of(side: Side) -> Colour {
        Colour::BOTH[side.index()]
    }

    /// 0 for colour 1, 1 for colour 2.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl From<Colour> for u8 {
    fn from(colour: Colour) -> u8 {
        colour as u8 + 1
    }
}

impl TryFrom<u8> for Colour {
    type Error = String;

    fn try_from(number: u8) -> Result<Colour, String> {
        match number {
            1 => Ok(Colour::One),
            2 => Ok(Colour::Two),
            _ => Err(format!("colour {number}: expected 1 or 2")),
        }
    }
}

impl Form {
    /// A disc.
    pub fn circle(centre: Point, radius: f64) -> Form {
        Form::Circle { centre, radius }
    }

    /// A closed area.
    pub fn polygon(points: impl IntoIterator<Item = Point>) -> Form {
        Form::Polygon {
            points: points.into_iter().collect(),
        }
    }

    /// A rectangle by its middle, width and height.
    pub fn rectangle(centre: Point, width: f64, height: f64) -> Form {
        let (x, y) = (width / 2.0, height / 2.0);
        let rectangle = Rectangle {
            low: centre.moved(-x, -y),
            high: centre.moved(x, y),
        };
        Form::polygon(rectangle.corners())
    }

    /// A regular hexagon with a corner at the top, by its middle and the distance from there to a corner.
    pub fn hexagon(centre: Point, radius: f64) -> Form {
        let (x, y) = (radius * 0.75_f64.sqrt(), radius / 2.0);
        let corners = [
            (0.0, -radius),
            (x, -y),
            (x, y),
            (0.0, radius),
            (-x, y),
            (-x, -y),
        ];
        Form::polygon(corners.map(|(x, y)| centre.moved(x, y)))
    }

    /// A broken line.
    pub fn line(points: impl IntoIterator<Item = Point>, width: f64) -> Form {
        Form::Path {
            lines: vec![points.into_iter().collect()],
            width,
        }
    }

    /// Two lines that cross, in a circle of this radius.
    pub fn cross(centre: Point, radius: f64, width: f64) -> Form {
        let arm = radius * 0.5_f64.sqrt();
        let stroke = |x: f64, y: f64| vec![centre.moved(-x, -y), centre.moved(x, y)];
        Form::Path {
            lines: vec![stroke(arm, arm), stroke(arm, -arm)],
            width,
        }
    }

    /// A text with its middle at a point.
    pub fn text(at: Point, size: f64, text: impl Into<String>) -> Form {
        Form::Text {
            at,
            size,
            text: text.into(),
        }
    }

    /// The same form with each point moved by a function; lengths stay.
    #[must_use]
    pub(super) fn map(self, to: &impl Fn(Point) -> Point) -> Form {
        let all = |points: Vec<Point>| points.into_iter().map(to).collect();
        match self {
            Form::Circle { centre, radius } => Form::Circle {
                centre: to(centre),
                radius,
            },
            Form::Polygon { points } => Form::Polygon {
                points: all(points),
            },
            Form::Path { lines, width } => Form::Path {
                lines: lines.into_iter().map(all).collect(),
                width,
            },
            Form::Text { at, size, text } => Form::Text {
                at: to(at),
                size,
                text,
            },
        }
    }

    /// The smallest rectangle that holds it; a text is taken to be as wide as its letters commonly are.
    pub fn bounds(&self) -> Rectangle {
        /// The width of a letter, as a share of the height of its font.
        const LETTER: f64 = 0.6;
        let grown = |rectangle: Rectangle, x: f64, y: f64| Rectangle {
            low: rectangle.low.moved(-x, -y),
            high: rectangle.high.moved(x, y),
        };
        match self {
            Form::Circle { centre, radius } => {
                grown(Rectangle::around([*centre]), *radius, *radius)
            }
            Form::Polygon { points } => Rectangle::around(points.iter().copied()),
            Form::Path { lines, width } => {
                let points = lines.iter().flatten().copied();
                grown(Rectangle::around(points), width / 2.0, width / 2.0)
            }
            Form::Text { at, size, text } => {
                let width = LETTER * size * text.chars().count() as f64;
                grown(Rectangle::around([*at]), width / 2.0, size / 2.0)
            }
        }
    }
}
