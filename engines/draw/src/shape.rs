//! Shapes and their roles.

use serde::{Deserialize, Serialize};

use crate::Side;

/// A point, in board units.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "[f64; 2]", into = "[f64; 2]")]
pub struct Point {
    /// To the right.
    pub x: f64,
    /// Downwards.
    pub y: f64,
}

/// An axis-parallel rectangle.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Rectangle {
    /// The upper left corner.
    pub low: Point,
    /// The lower right corner.
    pub high: Point,
}

/// One of the two sets of pieces. It remains the same when its owner changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "u8", into = "u8")]
pub enum DiagramColour {
    /// Moves first: 1 in JSON.
    One,
    /// Moves second: 2 in JSON.
    Two,
}

/// The meaning of a shape, from which the renderer chooses colours and strokes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Role {
    /// The background of the board.
    Board,
    /// A cell for a piece, or the field.
    Cell,
    /// Lines of the board.
    Grid,
    /// A goal, with the colour that plays for it.
    Goal,
    /// A copy of a cell beyond the edge; with a colour, the piece on it.
    Ghost,
    /// The cell from which the last move started.
    From,
    /// The target cell of the last move.
    To,
    /// A piece. Without a colour it belongs to neither side.
    Piece,
    /// The inside of a hollow piece, such as a cup.
    Hollow,
    /// A sign on a piece that shows its colour without using colour.
    Sign,
    /// The sign of a ghost.
    GhostSign,
    /// An edge that is joined to the other one of this role, with dots: equal dots meet.
    FirstEdge,
    /// An edge of a second pair.
    SecondEdge,
    /// An edge of a third pair.
    ThirdEdge,
    /// A piece underneath another one.
    Covered,
    /// A line drawn by a player.
    Trail,
    /// The last line drawn.
    LastTrail,
    /// The origin of a move by an exception to the rules, such as a jump across lines.
    Jump,
    /// The piece that both players move.
    Puck,
    /// The target of a legal move.
    Target,
    /// The target of a legal move that the person has excluded.
    RuledOut,
    /// A piece in danger.
    Danger,
    /// A line or loop of a side that lacks one piece, and the places where that piece would complete it.
    Threat,
    /// The shape that decided the game: a line, a loop, a surrounded stone.
    Decisive,
    /// A mark on a piece that has reached its side's goal.
    Finished,
    /// A step of a count towards a draw, not yet reached.
    Pending,
    /// A step of a count towards a draw, reached.
    Counted,
    /// The name of a row, a file or a cell.
    Label,
    /// Any other text.
    Note,
}

/// A form with its meaning.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Shape {
    /// The meaning.
    pub role: Role,
    /// The colour to which it belongs, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub colour: Option<DiagramColour>,
    /// Id of the spot that it shows again in another place, as a [`Role::Ghost`] does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spot: Option<String>,
    /// The geometry.
    #[serde(flatten)]
    pub form: Form,
    /// The shape as text, around its middle; empty for none.
    #[serde(skip)]
    pub(crate) glyph: String,
}

impl Shape {
    /// A shape without a colour.
    pub fn new(role: Role, form: Form) -> Shape {
        Shape {
            role,
            colour: None,
            spot: None,
            form,
            glyph: String::new(),
        }
    }

    /// Sets what the shape is as text, around its middle.
    pub fn glyph(&mut self, text: impl Into<String>) -> &mut Shape {
        self.glyph = text.into();
        self
    }
}

/// The geometry of a shape.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
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
    /// Polylines.
    Path {
        /// Each polyline as its points.
        lines: Vec<Vec<Point>>,
        /// Thickness of the lines.
        width: f64,
    },
    /// A line of text centred on a point. It stays upright when the board is rotated.
    Text {
        /// The middle.
        at: Point,
        /// The height of the font.
        size: f64,
        /// The text.
        text: String,
    },
}

impl Point {
    /// The point at these coordinates.
    pub const fn new(x: f64, y: f64) -> Point {
        Point { x, y }
    }

    /// The middle of a square of a board with `width` files and ranks, whose middle is (0, 0).
    pub fn of_square(file: u8, rank: u8, width: u8) -> Point {
        let middle = f64::from(width - 1) / 2.0;
        Point::new(f64::from(file) - middle, middle - f64::from(rank))
    }

    /// Returns this point moved to the right and down.
    pub fn moved(self, x: f64, y: f64) -> Point {
        Point::new(self.x + x, self.y + y)
    }

    /// The point in a direction, in degrees clockwise from the right, at a distance.
    pub fn towards(self, degrees: i32, distance: f64) -> Point {
        let (sin, cos) = f64::from(degrees).to_radians().sin_cos();
        self.moved(distance * cos, distance * sin)
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
    /// The smallest rectangle that contains both.
    pub fn union(self, other: Rectangle) -> Rectangle {
        let low = Point::new(self.low.x.min(other.low.x), self.low.y.min(other.low.y));
        let high = Point::new(self.high.x.max(other.high.x), self.high.y.max(other.high.y));
        Rectangle { low, high }
    }

    /// Its four corners, clockwise from the upper left.
    pub fn corners(&self) -> [Point; 4] {
        let Rectangle { low, high } = *self;
        let upper_right = Point::new(high.x, low.y);
        [low, upper_right, high, Point::new(low.x, high.y)]
    }

    /// The middle.
    pub fn centre(&self) -> Point {
        let (low, high) = (self.low, self.high);
        Point::new((low.x + high.x) / 2.0, (low.y + high.y) / 2.0)
    }

    /// The smallest rectangle that contains these points; empty at (0, 0) if there are none.
    pub fn around(points: impl IntoIterator<Item = Point>) -> Rectangle {
        let single = points.into_iter().map(|low| Rectangle { low, high: low });
        single.reduce(Rectangle::union).unwrap_or_default()
    }
}

impl DiagramColour {
    /// Both colours, in the order of their first moves.
    pub const BOTH: [DiagramColour; 2] = [DiagramColour::One, DiagramColour::Two];

    /// The colour of this side in games in which sides do not change colours.
    pub const fn of(side: Side) -> DiagramColour {
        DiagramColour::BOTH[side.index()]
    }

    /// 0 for colour 1, 1 for colour 2.
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl From<DiagramColour> for u8 {
    fn from(colour: DiagramColour) -> u8 {
        colour as u8 + 1
    }
}

impl TryFrom<u8> for DiagramColour {
    type Error = String;

    fn try_from(number: u8) -> Result<DiagramColour, String> {
        let colour = DiagramColour::BOTH
            .into_iter()
            .find(|&colour| u8::from(colour) == number);
        colour.ok_or_else(|| format!("there is no colour {number}, only 1 and 2"))
    }
}

impl Form {
    /// A disc.
    pub fn circle(centre: Point, radius: f64) -> Form {
        Form::Circle { centre, radius }
    }

    /// A closed area.
    pub fn polygon(points: impl IntoIterator<Item = Point>) -> Form {
        let points = points.into_iter().collect();
        Form::Polygon { points }
    }

    /// A rectangle, given by its centre, width and height.
    pub fn rectangle(centre: Point, width: f64, height: f64) -> Form {
        let ends = [-0.5, 0.5].map(|half| centre.moved(half * width, half * height));
        Form::polygon(Rectangle::around(ends).corners())
    }

    /// A hexagon with a corner at the top, one unit away from its neighbours.
    pub fn hexagon(centre: Point) -> Form {
        /// Distance from the centre to the corners.
        const RADIUS: f64 = 0.577;
        Form::polygon((0..6).map(|corner| centre.towards(60 * corner - 90, RADIUS)))
    }

    /// A polyline.
    pub fn line(points: impl IntoIterator<Item = Point>, width: f64) -> Form {
        let lines = vec![points.into_iter().collect()];
        Form::Path { lines, width }
    }

    /// Two crossing lines within a circle of this radius.
    pub fn cross(centre: Point, radius: f64, width: f64) -> Form {
        let stroke = |ends: [i32; 2]| ends.map(|angle| centre.towards(angle, radius)).into();
        let lines = [[225, 45], [135, -45]].map(stroke).into();
        Form::Path { lines, width }
    }

    /// A text centred on a point.
    pub fn text(at: Point, size: f64, text: impl Into<String>) -> Form {
        let text = text.into();
        Form::Text { at, size, text }
    }

    /// Applies a function to each point; lengths are unchanged.
    pub(crate) fn map(&mut self, to: &impl Fn(Point) -> Point) {
        let points: Vec<&mut Point> = match self {
            Form::Circle { centre: at, .. } | Form::Text { at, .. } => vec![at],
            Form::Polygon { points } => points.iter_mut().collect(),
            Form::Path { lines, .. } => lines.iter_mut().flatten().collect(),
        };
        for point in points {
            *point = to(*point);
        }
    }

    /// The bounding rectangle. The width of a text is estimated from an average letter width.
    pub fn bounds(&self) -> Rectangle {
        /// Width of a letter as a share of the font size.
        const LETTER: f64 = 0.6;
        let (points, x, y) = match self {
            Form::Circle { centre, radius } => (vec![*centre], *radius, *radius),
            Form::Polygon { points } => (points.clone(), 0.0, 0.0),
            Form::Path { lines, width } => (lines.concat(), width / 2.0, width / 2.0),
            Form::Text { at, size, text } => {
                let width = LETTER * size * text.chars().count() as f64;
                (vec![*at], width / 2.0, size / 2.0)
            }
        };
        let Rectangle { low, high } = Rectangle::around(points);
        Rectangle {
            low: low.moved(-x, -y),
            high: high.moved(x, y),
        }
    }
}
