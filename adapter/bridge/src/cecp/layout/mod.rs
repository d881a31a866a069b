//! Maps a game's cells, moves and positions to XBoard's board.
//!
//! A layout is data: the letters in the game's position strings, and the mapping from cell names to squares. `rows`
//! handles boards with one piece per cell; hexagonal boards are sheared to squares. `stacks` handles boards whose cells
//! are stacks; they are laid out flat, with one square per size. Squares that belong to no cell are holes.

mod rows;
mod stacks;

use kit::Side;

use super::fen::{Fen, with_runs};
use super::square::{BLACK_HOLDINGS, Move, RankNumbers};
use crate::half_moves::Point;
use rows::Rows;
use stacks::Stacks;

/// Maximum number of files in XBoard, including two on each side for the holdings.
const MAX_FILES: usize = 16;

/// Layout of a game on XBoard's board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    /// XBoard's variant name: the name of the game, which no chess variant has.
    pub variant: &'static str,
    /// Files of the board, without the holdings.
    pub(crate) n_files: u8,
    pub(crate) n_ranks: u8,
    /// White's letter of each kind of piece, in the order of XBoard's table.
    pub(crate) letters: &'static [char],
    /// `true` if pieces are dropped from holdings.
    has_holdings: bool,
    /// The moves of the pieces in XBoard's notation, if it can express them.
    moves: Option<&'static str>,
    board: Board,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Board {
    Rows(Rows),
    Stacks(Stacks),
}

/// Returns the reason why a game that is not played on cells has no layout.
pub(crate) fn no_cells(game: &str) -> String {
    format!("{game} does not fit XBoard's board of squares. Use linesman gui {game}")
}

/// Returns the reason why a board has no layout. `max_size` is the largest size that fits.
fn too_large(game: &str, max_size: u8) -> String {
    format!("{game}: the board does not fit XBoard's 16 files: use Size up to {max_size}")
}

impl Layout {
    /// Makes the layout of a game from the position string of its start position.
    ///
    /// # Errors
    /// The game has no layout, or the board is too large.
    pub(crate) fn new(game: &str, start: &str) -> Result<Layout, String> {
        let rows = rows::GAMES.iter().find(|rows| rows.game == game);
        let layout = match (rows, game) {
            (Some(row_game), _) => {
                let rows = Rows::new(row_game, start);
                Layout {
                    variant: row_game.game,
                    n_files: rows.n_files(),
                    n_ranks: rows.n_ranks(),
                    letters: row_game.pieces(),
                    has_holdings: row_game.has_drops,
                    moves: row_game.moves,
                    board: Board::Rows(rows),
                }
            }
            (None, "gobblet") => {
                let stacks = Stacks::new(start);
                Layout {
                    variant: "gobblet",
                    n_files: stacks.n_files(),
                    n_ranks: stacks.n_ranks(),
                    letters: stacks.letters(),
                    has_holdings: true,
                    moves: None,
                    board: Board::Stacks(stacks),
                }
            }
            (None, _) => return Err(no_cells(game)),
        };
        if layout.n_shown_files() > MAX_FILES {
            let n_held = layout.n_shown_files() - usize::from(layout.n_files);
            let max_size = match &layout.board {
                Board::Rows(rows) => rows.max_size((MAX_FILES - n_held) as u8),
                Board::Stacks(_) => 4,
            };
            return Err(too_large(game, max_size));
        }
        Ok(layout)
    }

    /// Number of files that XBoard shows, including the holdings.
    pub(crate) fn n_shown_files(&self) -> usize {
        let n_held = if self.has_holdings { 4 } else { 0 };
        usize::from(self.n_files) + n_held
    }

    /// Notation of squares and moves on this board.
    pub(crate) fn numbers(&self) -> RankNumbers {
        RankNumbers::new(self.n_ranks)
    }

    /// Returns the `setup` line with piece table, board size and position. The table has White's half, then Black's. The
    /// first slot of each half is the pawn, the last the king; both stay empty. XBoard rejects a table of less than twelve
    /// slots.
    pub(crate) fn setup(&self, position: &str) -> String {
        let n_held = self.letters.len() * usize::from(self.has_holdings);
        let (n_files, n_ranks) = (self.n_files, self.n_ranks);
        let letters: String = self.letters.iter().collect();
        let (half, fen) = (format!(".{letters:.<5}"), self.to_xboard(position));
        let other_half = half.to_ascii_lowercase();
        format!("setup ({half}{other_half}) {n_files}x{n_ranks}+{n_held}_fairy {fen}")
    }

    /// Returns the `piece` line with the moves of the pieces, as in `piece S& mQ`, if XBoard's notation can express
    /// them.
    pub(crate) fn piece_moves(&self) -> Option<String> {
        Some(format!("piece {}& {}", self.letters[0], self.moves?))
    }

    /// Converts a position string of the game to XBoard's dialect.
    pub(crate) fn to_xboard(&self, position: &str) -> Fen {
        match &self.board {
            Board::Rows(rows) => rows.to_xboard(position),
            Board::Stacks(stacks) => stacks.to_xboard(position),
        }
    }

    /// Converts a position of XBoard to a position string of the game. Counters that XBoard lacks, such as consecutive
    /// slides, start at 0. The rules may still reject the result.
    ///
    /// # Errors
    /// The position does not fit this board; the text is meant for users.
    pub(crate) fn to_game(&self, fen: &Fen) -> Result<String, String> {
        self.check_shape(fen)?;
        match &self.board {
            Board::Rows(rows) => rows.to_game(fen),
            Board::Stacks(stacks) => stacks.to_game(fen),
        }
    }

    /// Converts a legal move of the game. An exchange of colours leaves XBoard's board as it is, like a pass.
    pub(crate) fn mv(&self, position: &str, code: &str) -> Move {
        let mv = match (&self.board, code) {
            (_, "pass" | "swap") => Some(Move::Pass),
            (Board::Rows(rows), code) => rows.mv(position, code),
            (Board::Stacks(stacks), code) => stacks.mv(position, code),
        };
        mv.expect("a legal code names cells of the board")
    }

    /// Returns the square of a cell of the game; on a board of stacks, that of its visible piece.
    pub(crate) fn square(&self, position: &str, cell: &str) -> Option<Point> {
        let square = match &self.board {
            Board::Rows(rows) => rows.square(cell),
            Board::Stacks(stacks) => stacks.visible(position, cell),
        };
        let is_on_board =
            |square: &Point| square.column < self.n_files && square.row < self.n_ranks;
        square.filter(is_on_board)
    }

    /// Returns the mover's pieces as colours for `highlight`, red for each.
    pub(crate) fn mark_movers(&self, position: &str) -> String {
        let fen = self.to_xboard(position);
        let is_white = fen.side == Side::P1;
        let is_own =
            |piece: &char| piece.is_ascii_alphabetic() && piece.is_ascii_uppercase() == is_white;
        self.marks(|square| fen.at(square).filter(is_own).map(|_| RED))
    }

    /// Returns the covered pieces as colours for `highlight`, red for each; `None` if no piece is covered.
    pub(crate) fn mark_covered(&self, position: &str) -> Option<String> {
        let Board::Stacks(stacks) = &self.board else {
            return None;
        };
        let covered = stacks.covered(position);
        let mark = |square| covered.contains(&square).then_some(RED);
        (!covered.is_empty()).then(|| self.marks(mark))
    }

    /// Returns the target squares of a piece as colours for `highlight`, yellow for each. The piece is on `from`, or in
    /// the holdings if `from` is beyond the board. `None` if there is no such piece.
    pub(crate) fn highlight(
        &self,
        position: &str,
        codes: &[String],
        from: Point,
    ) -> Option<String> {
        let fen = self.to_xboard(position);
        let held = self.held_at(from, fen.side);
        if held.is_none() && fen.at(from).is_none() {
            return None;
        }
        let target = |code: &String| match self.mv(position, code) {
            Move::Step { from: own, to } if own == from => Some(to),
            Move::Drop { piece, to } if held == Some(piece) => Some(to),
            _ => None,
        };
        let targets: Vec<Point> = codes.iter().filter_map(target).collect();
        Some(self.marks(|square| targets.contains(&square).then_some(YELLOW)))
    }

    /// Returns the letter of the mover's held piece that XBoard shows at this square. White's pieces are on the right
    /// from the bottom, Black's on the left from the top.
    fn held_at(&self, square: Point, side: Side) -> Option<char> {
        let (file, place) = match side {
            Side::P1 => (self.n_files + 1, square.row),
            Side::P2 => (BLACK_HOLDINGS, self.n_ranks.checked_sub(square.row + 1)?),
        };
        let is_held = self.has_holdings && file == square.column;
        let letter = self.letters.get(usize::from(place)).filter(|_| is_held);
        letter.copied()
    }

    fn check_shape(&self, fen: &Fen) -> Result<(), String> {
        let (n_files, n_ranks) = (usize::from(self.n_files), usize::from(self.n_ranks));
        let has_width = |rank: &Vec<char>| rank.len() == n_files;
        match fen.ranks.len() == n_ranks && fen.ranks.iter().all(has_width) {
            true => Ok(()),
            false => Err(format!("the board has {n_ranks} ranks of {n_files} files")),
        }
    }

    /// Returns colours of squares for `highlight`.
    fn marks(&self, mark: impl Fn(Point) -> Option<char>) -> String {
        let squares = |rank| {
            (0..self.n_files).map(move |file| Point {
                column: file,
                row: rank,
            })
        };
        let ranks = (0..self.n_ranks).rev();
        let ranks = ranks.map(|rank| with_runs(squares(rank).map(&mark)));
        ranks.collect::<Vec<_>>().join("/")
    }
}

/// Marks of `highlight`: a capital makes its square a target.
const RED: char = 'r';
const YELLOW: char = 'Y';

#[cfg(test)]
mod tests;
