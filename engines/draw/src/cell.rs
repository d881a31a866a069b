//! Boards of cells with pieces on them: what most games fill.

use crate::{Board, DiagramColour, Form, Input, Point, Role};

/// A cell with its content.
#[derive(Debug, Clone)]
pub struct Cell {
    /// The id of its spot, such as `b2`.
    pub id: String,
    /// The clickable area.
    pub outline: Form,
    /// The visible pieces, from the top down; of several, all but the first are nested in it.
    pub pieces: Vec<Piece>,
    /// Marks of the piece, each with its words for screen readers: [`Role::Finished`] is a tick, others are rings.
    pub marks: Vec<(Role, &'static str)>,
}

/// A round piece.
#[derive(Debug, Clone)]
pub struct Piece {
    /// Its colour.
    pub colour: DiagramColour,
    /// Half its width.
    pub radius: f64,
    /// The sign for its colour where no colour is used.
    pub sign: Sign,
    /// Its name for screen readers: `red 3`.
    pub name: String,
    /// The piece as text: `R3`.
    pub glyph: String,
}

/// A sign on a piece.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Sign {
    /// Two crossing lines.
    Cross,
    /// A smaller disc.
    Disc,
    /// A letter.
    Letter(String),
    /// A digit in a hollow piece.
    Cup(String),
}

/// Radius of the inside of a hollow piece, relative to that of the piece.
const INSIDE: f64 = 0.74;
/// Size of the names of files and ranks.
const LABEL: f64 = 0.26;
/// Distance from a piece to its ring.
const RING: f64 = 0.08;
/// Size of the tick of a finished piece, and its distance to the right of and above the middle.
const TICK: f64 = 0.26;
const TICK_AT: f64 = 0.36;

impl Piece {
    /// A stone of colour `x` or `o`, as the two colours are often named; as text a capital letter if it is decisive.
    pub fn x_or_o(colour: DiagramColour, is_decisive: bool) -> Piece {
        let (name, sign) = match colour {
            DiagramColour::One => ("x", Sign::Cross),
            DiagramColour::Two => ("o", Sign::Disc),
        };
        let capital = is_decisive.then(|| name.to_uppercase());
        Piece {
            colour,
            radius: 0.39,
            sign,
            name: name.to_owned(),
            glyph: capital.unwrap_or_else(|| name.to_owned()),
        }
    }
}

impl Sign {
    /// The sign of a piece of this size.
    pub fn form(&self, at: Point, radius: f64) -> Form {
        match self {
            Sign::Cross => Form::cross(at, 0.21 / 0.39 * radius, 0.075 / 0.39 * radius),
            Sign::Disc => Form::circle(at, 0.17 / 0.39 * radius),
            Sign::Letter(text) | Sign::Cup(text) => Form::text(at, 1.1 * radius, text.as_str()),
        }
    }
}

impl Board {
    /// Draws the ground of a board of squares with the names of its files and ranks. It extends some width and height
    /// beyond the squares on each side.
    pub fn put_square_ground(&mut self, width: u8, beyond: [f64; 2]) {
        let [x, y] = beyond.map(|length| f64::from(width) + 2.0 * length);
        self.put(Role::Board, Form::rectangle(Point::default(), x, y));
        for i in 0..width {
            let file = Point::of_square(i, 0, width).moved(0.0, 0.78);
            let rank = Point::of_square(0, i, width).moved(-0.78, 0.0);
            self.label(file, [0.0, 0.22], LABEL, char::from(b'a' + i));
            self.label(rank, [-0.22, 0.0], LABEL, (i + 1).to_string());
        }
    }

    /// Draws the empty cells with the marks of the last move, each with its text.
    pub fn put_cells(&mut self, empty: &str, cells: &[Cell]) {
        for cell in cells {
            self.put(Role::Cell, cell.outline.clone()).glyph(empty);
        }
        let Some(Input::Spots(last)) = self.last.clone() else {
            return;
        };
        for cell in cells {
            if let Some(i) = last.iter().rposition(|id| *id == cell.id) {
                let is_end = i + 1 == last.len();
                let role = if is_end { Role::To } else { Role::From };
                self.put(role, cell.outline.clone());
            }
        }
    }

    /// Draws the pieces with their marks, and adds the spots of all cells.
    pub fn put_pieces(&mut self, cells: &[Cell]) {
        for cell in cells {
            let at = cell.outline.bounds().centre();
            self.put_pile(at, &cell.pieces);
            for &(role, _) in &cell.marks {
                let Some(piece) = cell.pieces.first() else {
                    continue;
                };
                if role == Role::Finished {
                    let tick = Form::text(at.moved(TICK_AT, -TICK_AT), TICK, "\u{2713}");
                    self.put_of(piece.colour, role, tick);
                } else {
                    self.put(role, Form::circle(at, piece.radius + RING));
                }
            }
            let names: Vec<&str> = cell.pieces.iter().map(|piece| &piece.name[..]).collect();
            let mut words = vec![cell.id.clone(), names.join(" over ")];
            words.extend(cell.marks.iter().map(|&(_, words)| words.to_owned()));
            words.retain(|word| !word.is_empty());
            self.spot(&cell.id, words.join(", "), cell.outline.clone());
        }
    }

    /// Draws pieces at a point, from the top down. Of a pile each is shown inside the one above it, with its digit at the
    /// rim; as text they stand side by side, the lowest one first.
    pub fn put_pile(&mut self, at: Point, pile: &[Piece]) {
        let widths = pile.iter().map(|piece| piece.glyph.chars().count());
        let mut n_before: usize = widths.sum();
        for (i, piece) in pile.iter().enumerate() {
            let (colour, radius) = (piece.colour, piece.radius);
            let (body, sign) = match i {
                0 => (Role::Piece, Role::Sign),
                _ => (Role::Covered, Role::Label),
            };
            let width = piece.glyph.chars().count();
            n_before -= width;
            let room = self.text.width.max(1) - n_before;
            let glyph = format!("{:\0<n_before$}{:\0<room$}", "", piece.glyph);
            self.put_of(colour, body, Form::circle(at, radius))
                .glyph(glyph);
            let is_cup = matches!(piece.sign, Sign::Cup(_));
            if is_cup && pile.len() == 1 {
                self.put_of(colour, Role::Hollow, Form::circle(at, INSIDE * radius));
            }
            let form = match &piece.sign {
                Sign::Cup(digit) if i + 1 < pile.len() => {
                    Form::text(at.moved(0.0, 0.07 - radius), 0.11, digit.as_str())
                }
                plain => plain.form(at, radius),
            };
            self.put_of(colour, sign, form);
        }
    }
}
