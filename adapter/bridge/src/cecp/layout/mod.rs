//! Where a game's cells lie on XBoard's board, and what its moves and positions are there.
//!
//! A layout is data: which letters a game's position strings use, and how a cell's name leads to a square. `rows` holds
//! boards of one piece a cell, hexagonal ones sheared to squares; `stacks` holds those whose cells are stacks, laid flat
//! with a square for each size. Whatever is no cell is a hole.

mod rows;
mod stacks;

use std::fmt;

use kit::{Options, Side};

use super::fen::{Content, Fen};
use super::square::{BLACK_HOLDINGS, Move, RankNumbers, Square};
use rows::Rows;
use stacks::Stacks;

/// The files that XBoard has room for, with the two on each side that show the holdings.
const MAX_FILES: usize = 16;

/// The slots of XBoard's table of pieces that the layouts use: behind the pawn, before the king. A piece in another slot
/// promotes, castles or can be mated.
const SLOTS: [&str; 4] = ["Knight", "Bishop", "Rook", "Queen"];

/// A game on XBoard's board.
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

/// A piece of a game as XBoard has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PieceKind {
    /// In position strings and drops; White's is the capital.
    pub letter: char,
    /// The part of its picture's file name behind the colour, as `Knight` in `WhiteKnight.svg`.
    pub picture: &'static str,
}

/// Why a game has no layout.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unfit {
    /// It is not played on cells.
    NoCells {
        /// Its name.
        game: String,
    },
    /// The board is too large for XBoard.
    TooLarge {
        /// The name of the game.
        game: &'static str,
        /// The largest size that fits.
        max_size: u8,
    },
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unfit::NoCells { game } => write!(
                f,
                "{game} does not fit XBoard's board of squares: expected linesman gui {game}"
            ),
            Unfit::TooLarge { game, max_size } => write!(
                f,
                "{game}: the board does not fit XBoard's 16 files: expected Size up to {max_size}"
            ),
        }
    }
}

impl std::error::Error for Unfit {}

/// Refuses the option that has players exchange their colours: XBoard cannot recolour pieces.
///
/// # Errors
/// Says what was expected.
pub fn refuse_swap(game: &str, options: &Options) -> Result<(), String> {
    const SWAP: &str = "Swap";
    if options.has(SWAP) && options.text(SWAP) != "false" {
        return Err(format!(
            "{game}: Swap=true exchanges the colours of the players, which XBoard cannot show: expected Swap=false"
        ));
    }
    Ok(())
}

impl Layout {
    /// The layout of a game whose start position has this position string.
    ///
    /// # Errors
    /// The game has none, or the board is too large.
    pub fn new(game: &str, start: &str) -> Result<Layout, Unfit> {
        let (game, board) = match (rows::GAMES.iter().find(|rows| rows.game == game), game) {
            (Some(rows), _) => (rows.game, Board::Rows(Rows::new(rows, start))),
            (None, "gobblet") => ("gobblet", Board::Stacks(Stacks::new(start))),
            (None, _) => {
                let game = game.to_owned();
                return Err(Unfit::NoCells { game });
            }
        };
        let layout = Layout { game, board };
        if layout.n_shown_files() > MAX_FILES {
            let n_held = layout.n_shown_files() - usize::from(layout.n_files());
            let max_size = match &layout.board {
                Board::Rows(rows) => rows.max_size((MAX_FILES - n_held) as u8),
                Board::Stacks(_) => 4,
            };
            return Err(Unfit::TooLarge { game, max_size });
        }
        Ok(layout)
    }

    /// What XBoard calls the game: its own name, which no variant of chess has.
    pub fn variant(&self) -> &'static str {
        self.game
    }

    /// The files of the board, without the holdings.
    pub fn n_files(&self) -> u8 {
        match &self.board {
            Board::Rows(rows) => rows.n_files(),
            Board::Stacks(stacks) => stacks.n_files(),
        }
    }

    /// The files that XBoard shows, with those of the holdings.
    pub fn n_shown_files(&self) -> usize {
        let n_held = if self.has_holdings() { 4 } else { 0 };
        usize::from(self.n_files()) + n_held
    }

    /// The ranks of the board.
    pub fn n_ranks(&self) -> u8 {
        match &self.board {
            Board::Rows(rows) => rows.n_ranks(),
            Board::Stacks(stacks) => stacks.n_ranks(),
        }
    }

    /// How squares and moves are written on this board.
    pub fn numbers(&self) -> RankNumbers {
        RankNumbers::new(self.n_ranks())
    }

    /// The pieces of the game, in the order of XBoard's table.
    pub fn pieces(&self) -> Vec<PieceKind> {
        let letters = match &self.board {
            Board::Rows(_) => vec![rows::PIECE],
            Board::Stacks(stacks) => stacks.letters(),
        };
        let kinds = letters.into_iter().zip(SLOTS);
        kinds
            .map(|(letter, picture)| PieceKind { letter, picture })
            .collect()
    }

    /// Whether pieces come from off the board.
    fn has_holdings(&self) -> bool {
        match &self.board {
            Board::Rows(rows) => rows.has_drops(),
            Board::Stacks(_) => true,
        }
    }

    /// What XBoard is told of the board before a game: table of pieces, size and position.
    pub fn setup(&self, position: &str) -> String {
        let n_held = match self.has_holdings() {
            true => self.pieces().len(),
            false => 0,
        };
        format!(
            "setup ({}) {}x{}+{n_held}_fairy {}",
            self.piece_table(),
            self.n_files(),
            self.n_ranks(),
            self.to_xboard(position)
        )
    }

    /// XBoard's table of pieces: White's half, then Black's. The first slot of each is the pawn, the last the king; both
    /// stay empty. XBoard reads no table of less than twelve slots.
    fn piece_table(&self) -> String {
        let letters: String = self.pieces().iter().map(|kind| kind.letter).collect();
        let half = format!(".{letters:.<5}", letters = letters);
        half.clone() + &half.to_ascii_lowercase()
    }

    /// How the pieces move on the board, where XBoard's notation has words for it: `piece S& mQ`.
    pub fn piece_moves(&self) -> Option<String> {
        match &self.board {
            Board::Rows(rows) => rows
                .moves()
                .map(|moves| format!("piece {}& {moves}", rows::PIECE)),
            Board::Stacks(_) => None,
        }
    }

    /// A position string of the game in XBoard's dialect.
    pub fn to_xboard(&self, position: &str) -> Fen {
        match &self.board {
            Board::Rows(rows) => rows.to_xboard(position),
            Board::Stacks(stacks) => stacks.to_xboard(position),
        }
    }

    /// A position of XBoard as a position string of the game. What XBoard's does not hold, such as slides in a row,
    /// begins at 0. The rules may still reject it.
    ///
    /// # Errors
    /// The position is not on this board, with a reason in words for people.
    pub fn to_game(&self, fen: &Fen) -> Result<String, String> {
        self.check_shape(fen)?;
        match &self.board {
            Board::Rows(rows) => rows.to_game(fen),
            Board::Stacks(stacks) => stacks.to_game(fen),
        }
    }

    /// A legal move of the game in a position, as XBoard has it.
    pub fn mv(&self, position: &str, code: &str) -> Move {
        let mv = match (&self.board, code) {
            (_, "pass") => Some(Move::Pass),
            (Board::Rows(rows), code) => rows.mv(code),
            (Board::Stacks(stacks), code) => stacks.mv(position, code),
        };
        mv.expect("a legal code names cells of the board")
    }

    /// Which squares a piece may move to, as colours for `highlight`: yellow for each. The piece stands on `from`, or is
    /// held where `from` lies beyond the board. `None` where there is nothing to tell.
    pub fn highlight(&self, position: &str, codes: &[String], from: Square) -> Option<String> {
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
            for (file, content) in rank.iter_mut().enumerate() {
                let (file, rank) = (file as u8, (n_ranks - 1 - row) as u8);
                let is_target = targets.contains(&Square { file, rank });
                *content = match is_target {
                    true => Content::Piece('Y'),
                    false => Content::Empty,
                };
            }
        }
        let marks = marks.to_string();
        marks.split(' ').next().map(str::to_owned)
    }

    /// The letter of the piece that XBoard shows off the board at this square, the mover's: White's stand to the right
    /// from the bottom, Black's to the left from the top.
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

#[cfg(test)]
mod tests;
