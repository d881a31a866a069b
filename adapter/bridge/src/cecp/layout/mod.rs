//! Maps a game's cells, moves and positions to XBoard's board.
//!
//! A layout is data: the letters in the game's position strings, and the mapping from cell names to squares. `rows`
//! handles boards with one piece per cell; hexagonal boards are sheared to squares. `stacks` handles boards whose cells
//! are stacks; they are laid out flat, with one square per size. Squares that belong to no cell are holes.

mod rows;
mod stacks;

use kit::Side;

use super::fen::{Content, Fen, with_runs};
use super::square::{BLACK_HOLDINGS, Move, RankNumbers, Square};
use rows::Rows;
use stacks::Stacks;

/// Maximum number of files in XBoard, including two on each side for the holdings.
const MAX_FILES: usize = 16;

/// The slots of XBoard's piece table that layouts use: those between pawn and king. Pieces in the other slots would
/// promote, castle or be mated.
const SLOTS: [&str; 4] = ["Knight", "Bishop", "Rook", "Queen"];

/// Layout of a game on XBoard's board.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Layout {
    game: &'static str,
    board: Board,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Board {
    Rows(Rows),
    Stacks(Stacks),
}

/// A kind of piece in XBoard.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PieceKind {
    /// Letter in position strings and drops; White's is the capital.
    pub(crate) letter: char,
    /// Part of the picture's file name after the colour, as `Knight` in `WhiteKnight.svg`.
    pub(crate) picture: &'static str,
}

/// Returns the reason why a game that is not played on cells has no layout.
pub(crate) fn no_cells(game: &str) -> String {
    format!("{game} does not fit XBoard's board of squares: expected linesman gui {game}")
}

/// Returns the reason why a board has no layout. `max_size` is the largest size that fits.
fn too_large(game: &str, max_size: u8) -> String {
    format!("{game}: the board does not fit XBoard's 16 files: expected Size up to {max_size}")
}

impl Layout {
    /// Makes the layout of a game from the position string of its start position.
    ///
    /// # Errors
    /// The game has no layout, or the board is too large.
    pub(crate) fn new(game: &str, start: &str) -> Result<Layout, String> {
        let (game, board) = match (rows::GAMES.iter().find(|rows| rows.game == game), game) {
            (Some(rows), _) => (rows.game, Board::Rows(Rows::new(rows, start))),
            (None, "gobblet") => ("gobblet", Board::Stacks(Stacks::new(start))),
            (None, _) => return Err(no_cells(game)),
        };
        let layout = Layout { game, board };
        if layout.n_shown_files() > MAX_FILES {
            let n_held = layout.n_shown_files() - usize::from(layout.n_files());
            let max_size = match &layout.board {
                Board::Rows(rows) => rows.max_size((MAX_FILES - n_held) as u8),
                Board::Stacks(_) => 4,
            };
            return Err(too_large(game, max_size));
        }
        Ok(layout)
    }

    /// XBoard's variant name: the name of the game, which no chess variant has.
    pub fn variant(&self) -> &'static str {
        self.game
    }

    /// Number of files of the board, without the holdings.
    pub(crate) fn n_files(&self) -> u8 {
        match &self.board {
            Board::Rows(rows) => rows.n_files(),
            Board::Stacks(stacks) => stacks.n_files(),
        }
    }

    /// Number of files that XBoard shows, including the holdings.
    pub(crate) fn n_shown_files(&self) -> usize {
        let n_held = if self.has_holdings() { 4 } else { 0 };
        usize::from(self.n_files()) + n_held
    }

    /// Number of ranks of the board.
    pub(crate) fn n_ranks(&self) -> u8 {
        match &self.board {
            Board::Rows(rows) => rows.n_ranks(),
            Board::Stacks(stacks) => stacks.n_ranks(),
        }
    }

    /// Notation of squares and moves on this board.
    pub(crate) fn numbers(&self) -> RankNumbers {
        RankNumbers::new(self.n_ranks())
    }

    /// Returns the pieces of the game, in the order of XBoard's table.
    pub(crate) fn pieces(&self) -> Vec<PieceKind> {
        let letters = match &self.board {
            Board::Rows(rows) => rows.letters().to_vec(),
            Board::Stacks(stacks) => stacks.letters(),
        };
        let kinds = letters.into_iter().zip(SLOTS);
        kinds
            .map(|(letter, picture)| PieceKind { letter, picture })
            .collect()
    }

    /// `true` if pieces are dropped from holdings.
    fn has_holdings(&self) -> bool {
        match &self.board {
            Board::Rows(rows) => rows.has_drops(),
            Board::Stacks(_) => true,
        }
    }

    /// Returns the `setup` line with piece table, board size and position. The table has White's half, then Black's. The
    /// first slot of each half is the pawn, the last the king; both stay empty. XBoard rejects a table of less than twelve
    /// slots.
    pub(crate) fn setup(&self, position: &str) -> String {
        let n_held = self.pieces().len() * usize::from(self.has_holdings());
        let (n_files, n_ranks) = (self.n_files(), self.n_ranks());
        let letters: String = self.pieces().iter().map(|kind| kind.letter).collect();
        let (half, fen) = (format!(".{letters:.<5}"), self.to_xboard(position));
        let other_half = half.to_ascii_lowercase();
        format!("setup ({half}{other_half}) {n_files}x{n_ranks}+{n_held}_fairy {fen}")
    }

    /// Returns the `piece` line with the moves of the pieces, as in `piece S& mQ`, if XBoard's notation can express
    /// them.
    pub(crate) fn piece_moves(&self) -> Option<String> {
        match &self.board {
            Board::Rows(rows) => Some(format!("piece {}& {}", rows.letters()[0], rows.moves()?)),
            Board::Stacks(_) => None,
        }
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
    pub(crate) fn square(&self, position: &str, cell: &str) -> Option<Square> {
        let square = match &self.board {
            Board::Rows(rows) => rows.square(cell),
            Board::Stacks(stacks) => stacks.visible(position, cell),
        };
        let is_on_board =
            |square: &Square| square.file < self.n_files() && square.rank < self.n_ranks();
        square.filter(is_on_board)
    }

    /// Returns the mover's pieces as colours for `highlight`, red for each.
    pub(crate) fn mark_movers(&self, position: &str) -> String {
        let fen = self.to_xboard(position);
        let is_own = |letter: char| letter.is_ascii_uppercase() == (fen.side == Side::P1);
        mark(&fen, |_, letter| is_own(letter))
    }

    /// Returns the covered pieces as colours for `highlight`, red for each; `None` if no piece is covered.
    pub(crate) fn mark_covered(&self, position: &str) -> Option<String> {
        let Board::Stacks(stacks) = &self.board else {
            return None;
        };
        let covered = stacks.covered(position);
        let marks = || {
            mark(&self.to_xboard(position), |square, _| {
                covered.contains(&square)
            })
        };
        (!covered.is_empty()).then(marks)
    }

    /// Returns the target squares of a piece as colours for `highlight`, yellow for each. The piece is on `from`, or in
    /// the holdings if `from` is beyond the board. `None` if there is no such piece.
    pub(crate) fn highlight(
        &self,
        position: &str,
        codes: &[String],
        from: Square,
    ) -> Option<String> {
        let fen = self.to_xboard(position);
        let held = self.held_at(from, &fen);
        if held.is_none() && fen.at(from).is_none() {
            return None;
        }
        let target = |code: &String| match self.mv(position, code) {
            Move::Step { from: own, to } if own == from => Some(to),
            Move::Drop { piece, to } if held == Some(piece) => Some(to),
            _ => None,
        };
        let targets: Vec<Square> = codes.iter().filter_map(target).collect();
        let mut marks = Fen {
            holdings: None,
            ..fen
        };
        let n_ranks = marks.ranks.len();
        for (row, rank) in marks.ranks.iter_mut().enumerate() {
            rank.fill(Content::Empty);
            let targets = targets
                .iter()
                .filter(|to| usize::from(to.rank) == n_ranks - 1 - row);
            for to in targets {
                rank[usize::from(to.file)] = Content::Piece('Y');
            }
        }
        let marks = marks.to_string();
        marks.split(' ').next().map(str::to_owned)
    }

    /// Returns the letter of the mover's held piece that XBoard shows at this square. White's pieces are on the right
    /// from the bottom, Black's on the left from the top.
    fn held_at(&self, square: Square, fen: &Fen) -> Option<char> {
        if !self.has_holdings() {
            return None;
        }
        let (file, place) = match fen.side {
            Side::P1 => (self.n_files() + 1, square.rank),
            Side::P2 => (BLACK_HOLDINGS, self.n_ranks().checked_sub(square.rank + 1)?),
        };
        let kind = (file == square.file).then(|| self.pieces().get(usize::from(place)).copied())?;
        kind.map(|kind| kind.letter)
    }

    fn check_shape(&self, fen: &Fen) -> Result<(), String> {
        let (n_files, n_ranks) = (usize::from(self.n_files()), usize::from(self.n_ranks()));
        let has_width = |rank: &Vec<Content>| rank.len() == n_files;
        if fen.ranks.len() != n_ranks || !fen.ranks.iter().all(has_width) {
            return Err(format!("expected {n_ranks} ranks of {n_files} files"));
        }
        Ok(())
    }
}

/// Returns the chosen pieces as colours for `highlight`, red for each.
fn mark(fen: &Fen, is_chosen: impl Fn(Square, char) -> bool) -> String {
    let ranks = fen.ranks.iter().zip((0..fen.ranks.len() as u8).rev());
    let ranks = ranks.map(|(contents, rank)| {
        with_runs(
            contents
                .iter()
                .zip(0_u8..)
                .map(|(content, file)| match content {
                    // A small letter marks the square without making it a target.
                    Content::Piece(letter) if is_chosen(Square { file, rank }, *letter) => {
                        Some('r')
                    }
                    _ => None,
                }),
        )
    });
    ranks.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests;
