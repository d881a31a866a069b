//! Where the spots of each game lie on a GTP board. GoGui's boards are square, of squares or of hexagons.

use kit::DynHistory;

use crate::half_moves::Point;

/// The board of one game with its size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Layout {
    game: Game,
    /// The option `Size` of the game.
    n: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Game {
    Gobblet,
    Susan,
    Projex,
    Entropy,
}

/// How the spots of pieces off the board begin.
const OFF_BOARD: &str = "reserve ";

/// Entropy's board has this many squares a side.
const ENTROPY: u8 = 5;

impl Layout {
    /// The board of a game; `None` for a game that fits none.
    pub(super) fn new(name: &str, board: &dyn DynHistory) -> Option<Layout> {
        let game = match name {
            "gobblet" => Game::Gobblet,
            "susan" => Game::Susan,
            "projex" => Game::Projex,
            "entropy" => Game::Entropy,
            _ => return None,
        };
        let n = match game {
            Game::Entropy => ENTROPY,
            _ => option(&board.shape(), "Size")?,
        };
        Some(Layout { game, n })
    }

    /// What GoGui compares, so that a game tree is kept only for the same game: a capital, then small letters.
    pub(super) fn game_id(self) -> &'static str {
        match self.game {
            Game::Gobblet => "Gobblet",
            Game::Susan => "Susan",
            Game::Projex => "Projex",
            Game::Entropy => "Entropy",
        }
    }

    /// Points a side. Gobblet has a row for each player's pieces off the board, and a column beside the board.
    pub(super) fn size(self) -> u8 {
        match self.game {
            Game::Gobblet => self.n + 2,
            Game::Susan => 2 * self.n - 1,
            Game::Projex => 2 * self.n - 2,
            Game::Entropy => self.n,
        }
    }

    /// Whether the points are hexagons: each row lies half a point to the right of the one above.
    pub(super) fn is_hex(self) -> bool {
        matches!(self.game, Game::Susan | Game::Projex)
    }

    /// Whether the signs on the pieces tell more than whose they are: Gobblet's sizes.
    pub(super) fn has_signs(self) -> bool {
        self.game == Game::Gobblet
    }

    /// Whether some points lie beside the board: those of Gobblet's pieces off it.
    pub(super) fn has_surroundings(self) -> bool {
        self.game == Game::Gobblet
    }

    /// Whether a spot lies on the board.
    pub(super) fn is_on_board(self, spot: &str) -> bool {
        !spot.starts_with(OFF_BOARD)
    }

    /// Where a spot lies; `None` if it is no spot of this board.
    pub(super) fn point(self, spot: &str) -> Option<Point> {
        match self.game {
            Game::Gobblet => self.gobblet(spot),
            Game::Susan => self.susan(spot),
            Game::Projex => self.projex(spot),
            Game::Entropy => square(spot),
        }
        .filter(|point| point.column < self.size() && point.row < self.size())
    }

    /// Squares, with player 1's pieces below and player 2's above: `reserve p1 3` in the column of its size.
    fn gobblet(self, spot: &str) -> Option<Point> {
        if let Some(reserve) = spot.strip_prefix(OFF_BOARD) {
            let (side, size) = reserve.split_once(' ')?;
            let row = match side {
                "p1" => 0,
                "p2" => self.n + 1,
                _ => return None,
            };
            let column = size.parse().ok()?;
            return Some(Point { column, row });
        }
        let Point { column, row } = square(spot)?;
        let column = column.checked_add(1)?;
        let row = row.checked_add(1)?;
        Some(Point { column, row })
    }

    /// Rows are letters from the top, numbers count from the left. Above the middle, rows begin further to the right.
    fn susan(self, spot: &str) -> Option<Point> {
        let (letter, number) = letter_and_number(spot)?;
        let below_top = letter.checked_sub(1)?;
        let indent = (self.n - 1).saturating_sub(below_top);
        Some(Point {
            column: number.checked_sub(1)?.checked_add(indent)?,
            row: (2 * self.n - 2).checked_sub(below_top)?,
        })
    }

    /// Letters name the columns, numbers the rows from the top.
    fn projex(self, spot: &str) -> Option<Point> {
        let (letter, number) = letter_and_number(spot)?;
        Some(Point {
            column: letter.checked_sub(1)?,
            row: (2 * self.n - 2).checked_sub(number)?,
        })
    }
}

/// A square by its file and its rank from below.
fn square(spot: &str) -> Option<Point> {
    let (file, rank) = letter_and_number(spot)?;
    Some(Point {
        column: file.checked_sub(1)?,
        row: rank.checked_sub(1)?,
    })
}

/// The place of a spot's letter in the alphabet, from 1, and the number after it.
fn letter_and_number(spot: &str) -> Option<(u8, u8)> {
    let letter = *spot.as_bytes().first()?;
    let number = spot.get(1..)?.parse().ok()?;
    letter
        .is_ascii_alphabetic()
        .then(|| (letter.to_ascii_lowercase() - b'a' + 1, number))
}

/// The value of an option in the text of [`DynHistory::shape`].
fn option(shape: &str, name: &str) -> Option<u8> {
    let mut words = shape.split(' ').filter_map(|word| word.split_once('='));
    words.find(|(own, _)| *own == name)?.1.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gtp::vertex::Vertex;
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
            (Game::Gobblet, 3, "b2", "C3"),
            (Game::Gobblet, 3, "reserve p1 1", "B1"),
            (Game::Gobblet, 4, "reserve p2 4", "E6"),
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
}
