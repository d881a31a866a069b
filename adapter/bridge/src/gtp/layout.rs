//! Maps the spots of each game to points of a GTP board. GoGui's boards are square, with square or hexagonal points.
//!
//! In GTP's notation `A1` is the lower left corner, the letter I is skipped, and `AA` follows `Z`.

use std::fmt;

use draw::View;
use kit::DynHistory;

use crate::half_moves::{CellNames, Click, Point};

/// A game's board at one size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    game: Game,
    /// Option `Size` of the game, or the points per side.
    n: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Game {
    Gobblet,
    Susan,
    Projex,
    Entropy,
    /// A game whose rules are a program, by its name for GoGui. Its spots have names of squares.
    Squares(&'static str),
}

/// Prefix of the spots of pieces off the board.
const OFF_BOARD: &str = "reserve ";

/// Entropy's board size.
const ENTROPY: u8 = 5;

/// Returns the reason why a game has no layout.
pub(super) fn no_board(name: &str) -> String {
    format!("{name}: a GTP board cannot show its moves: expected linesman gui {name}")
}

impl Layout {
    /// Returns the layout of a game; `None` if the game fits no GTP board.
    pub(super) fn new(name: &str, board: &dyn DynHistory) -> Option<Layout> {
        let game = match name {
            "gobblet" => Game::Gobblet,
            "susan" => Game::Susan,
            "projex" => Game::Projex,
            "entropy" => Game::Entropy,
            _ => return Layout::of_squares(name, board),
        };
        let n = match game {
            Game::Entropy => ENTROPY,
            _ => option(&board.shape(), "Size")?,
        };
        Some(Layout { game, n })
    }

    /// Returns the layout of a game whose spots all have names of squares, such as `c3`.
    fn of_squares(name: &str, board: &dyn DynHistory) -> Option<Layout> {
        let diagram = board.diagram(View::default());
        let points = diagram.spots.iter();
        let points = points.map(|spot| CellNames::Squares.point(&spot.id, 0, |_| 0));
        let sides = points.map(|point| point.map(|point| point.column.max(point.row) + 1));
        let n = sides.collect::<Option<Vec<u8>>>()?.into_iter().max()?;
        let (first, rest) = name.split_at_checked(1)?;
        let name = first.to_uppercase() + &rest.to_lowercase();
        let game = Game::Squares(Box::leak(name.into_boxed_str()));
        Some(Layout { game, n })
    }

    /// Name of the game for GoGui, which keeps a game tree only while the name is the same: a capital, then small
    /// letters.
    pub(super) fn game_id(self) -> &'static str {
        match self.game {
            Game::Gobblet => "Gobblet",
            Game::Susan => "Susan",
            Game::Projex => "Projex",
            Game::Entropy => "Entropy",
            Game::Squares(name) => name,
        }
    }

    /// Returns the points per side. Gobblet has a column for each player's pieces off the board, and two unused rows.
    pub(super) fn size(self) -> u8 {
        match self.game {
            Game::Gobblet => self.n + 2,
            Game::Susan => 2 * self.n - 1,
            Game::Projex => 2 * self.n - 2,
            Game::Entropy | Game::Squares(_) => self.n,
        }
    }

    /// `true` for hexagonal points, where each row is half a point to the right of the one above.
    pub(super) fn is_hex(self) -> bool {
        matches!(self.game, Game::Susan | Game::Projex)
    }

    /// `true` if points off the game's board are removed from GoGui's. GoGui 1.6.0 exchanges columns and rows of removed
    /// points of hexagonal boards, so they must be symmetric; Projex's are not.
    pub(super) fn has_holes(self) -> bool {
        self.game != Game::Projex
    }

    /// `true` in Gobblet: signs on the pieces show their sizes, and the points of the reserve are off the game's board.
    pub(super) fn has_stacks(self) -> bool {
        self.game == Game::Gobblet
    }

    /// `true` if the spot is on the game's board.
    pub(super) fn is_on_board(self, spot: &str) -> bool {
        !spot.starts_with(OFF_BOARD)
    }

    /// Returns the point of a spot; `None` if the board has no such spot.
    pub(super) fn point(self, spot: &str) -> Option<Point> {
        let n = self.n;
        let point = match self.game {
            Game::Gobblet => self.gobblet(spot),
            Game::Entropy | Game::Squares(_) => CellNames::Squares.point(spot, n, |_| 0),
            // Rows above the middle are shifted to the right.
            Game::Susan => {
                let indent = |row: u8| (n - 1).saturating_sub(row);
                CellNames::CellsOfRow.point(spot, self.size(), indent)
            }
            Game::Projex => CellNames::FilesAndRows.point(spot, self.size(), |_| 0),
        };
        point.filter(|point| point.column < self.size() && point.row < self.size())
    }

    /// Square points, with the board in the lower left corner, so that cells keep their names, and a column for each
    /// player's pieces off the board on its right: `reserve p1 3` is in the row of its size.
    fn gobblet(self, spot: &str) -> Option<Point> {
        let Some(reserve) = spot.strip_prefix(OFF_BOARD) else {
            let cell = CellNames::Squares.point(spot, self.n, |_| 0)?;
            return Some(cell).filter(|cell| cell.column.max(cell.row) < self.n);
        };
        let (side, size) = reserve.split_once(' ')?;
        let column = match side {
            "p1" => self.n,
            "p2" => self.n + 1,
            _ => return None,
        };
        let size: u8 = size.parse().ok()?;
        let row = size.checked_sub(1).filter(|row| *row < self.n)?;
        Some(Point { column, row })
    }

    /// Returns the label of a piece with this sign: letters for Gobblet's sizes, so that a number before it is a number
    /// of pieces.
    pub(super) fn label(self, sign: &str) -> &str {
        match sign {
            "1" => "S",
            "2" => "M",
            "3" => "L",
            "4" => "XL",
            other => other,
        }
    }
}

/// Returns the value of an option in the text of [`DynHistory::shape`].
fn option(shape: &str, name: &str) -> Option<u8> {
    let mut words = shape.split(' ').filter_map(|word| word.split_once('='));
    words.find(|(own, _)| *own == name)?.1.parse().ok()
}

/// Number of columns with one letter.
const N_LETTERS: u8 = 25;

/// GoGui's maximum board size, which two letters cover.
const MAX_SIZE: u8 = 52;

/// A half move: a point, or `pass`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Vertex(pub Click);

impl Vertex {
    /// Parses a vertex, ignoring case.
    pub fn parse(word: &str) -> Option<Vertex> {
        if word.eq_ignore_ascii_case("pass") {
            return Some(Vertex(Click::Pass));
        }
        let n_letters = word.bytes().take_while(u8::is_ascii_alphabetic).count();
        let (letters, digits) = word.split_at(n_letters);
        let column = match letters.as_bytes() {
            [one] => index(*one)?,
            [first, second] => {
                let before = N_LETTERS.checked_mul(index(*first)? + 1)?;
                before.checked_add(index(*second)?)?
            }
            _ => return None,
        };
        let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
        let row: Option<u8> = digits.parse().ok().filter(|_| is_number);
        let row = row?.checked_sub(1)?;
        let is_point = column < MAX_SIZE && row < MAX_SIZE;
        is_point.then_some(Vertex(Click::At(Point { column, row })))
    }
}

/// Returns the index of a column letter.
fn index(letter: u8) -> Option<u8> {
    match letter.to_ascii_uppercase() {
        b'I' => None,
        letter @ b'A'..b'I' => Some(letter - b'A'),
        letter => Some(letter - b'A' - 1),
    }
}

fn letter(index: u8) -> char {
    let skipped = u8::from(index >= b'I' - b'A');
    char::from(b'A' + index + skipped)
}

impl fmt::Display for Vertex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Click::At(Point { column, row }) = self.0 else {
            return f.write_str("pass");
        };
        let (tens, ones) = (column / N_LETTERS, column % N_LETTERS);
        if tens > 0 {
            write!(f, "{}", letter(tens - 1))?;
        }
        write!(f, "{}{}", letter(ones), u32::from(row) + 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::half_moves::Click;

    fn vertex(game: Game, n: u8, spot: &str) -> Option<String> {
        let point = Layout { game, n }.point(spot)?;
        Some(Vertex(Click::At(point)).to_string())
    }

    #[test]
    fn spots_lie_where_gogui_draws_them() {
        for (game, n, spot, expected) in [
            (Game::Susan, 5, "a1", "E9"),
            (Game::Susan, 5, "a5", "J9"),
            (Game::Susan, 5, "e1", "A5"),
            (Game::Susan, 5, "i5", "E1"),
            (Game::Projex, 6, "F1", "F10"),
            (Game::Projex, 6, "J6", "K5"),
            (Game::Projex, 6, "A10", "A1"),
            (Game::Projex, 14, "Z14", "AA13"),
            (Game::Gobblet, 3, "b2", "B2"),
            (Game::Gobblet, 3, "reserve p1 1", "D1"),
            (Game::Gobblet, 4, "reserve p2 4", "F4"),
            (Game::Entropy, 5, "e5", "E5"),
        ] {
            assert_eq!(vertex(game, n, spot).as_deref(), Some(expected), "{spot}");
        }
    }

    #[test]
    fn what_is_no_spot_has_no_point() {
        for spot in [
            "",
            "a",
            "a0",
            "z9",
            "e99",
            "a1b",
            "reserve",
            "reserve p3 1",
            "ä1",
        ] {
            for game in [Game::Susan, Game::Projex, Game::Gobblet, Game::Entropy] {
                assert_eq!(vertex(game, 4, spot), None, "{spot}");
            }
        }
    }

    fn at(column: u8, row: u8) -> Vertex {
        Vertex(Click::At(Point { column, row }))
    }

    #[test]
    fn points_are_written_as_gogui_reads_them() {
        for (vertex, text) in [
            (at(0, 0), "A1"),
            (at(7, 1), "H2"),
            (at(8, 2), "J3"),
            (at(24, 24), "Z25"),
            (at(25, 25), "AA26"),
            (at(34, 0), "AK1"),
            (at(50, 51), "BA52"),
            (Vertex(Click::Pass), "pass"),
        ] {
            assert_eq!(vertex.to_string(), text);
            assert_eq!(Vertex::parse(text), Some(vertex));
            assert_eq!(Vertex::parse(&text.to_lowercase()), Some(vertex));
        }
    }

    #[test]
    fn every_point_reads_back() {
        for column in 0..MAX_SIZE {
            for row in [0, 8, 51] {
                let vertex = at(column, row);
                assert_eq!(Vertex::parse(&vertex.to_string()), Some(vertex));
            }
        }
    }

    #[test]
    fn what_is_no_point_is_refused() {
        for text in [
            "", "A", "1", "I1", "A0", "A53", "A+1", "A256", "AAA1", "ZZ1", "A 1", "Ä1", "resign",
        ] {
            assert_eq!(Vertex::parse(text), None, "{text:?}");
        }
    }
}
