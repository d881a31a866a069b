//! The game on the board of a GTP program.

use kit::{DynHistory, Side};
use record::opening::Opening;

use super::board_moves::half_moves;
use crate::half_moves::{Click, HalfMoves};

/// A half move, with the side that makes it.
pub(super) type HalfMove = (Side, Click);

/// A game on the program's board.
pub(super) struct KnownGame {
    pub(super) line: Opening,
    pub(super) board: Box<dyn DynHistory>,
}

impl KnownGame {
    /// `true` if it is a prefix of this line.
    pub(super) fn is_beginning_of(&self, line: &Opening) -> bool {
        self.line.fen == line.fen && line.moves.starts_with(&self.line.moves)
    }

    /// Makes a move, and returns its half moves.
    pub(super) fn play(&mut self, game: &str, code: &str) -> Result<Vec<HalfMove>, String> {
        let side = self.board.side();
        let moves = moves_of(game, self.board.as_ref())?;
        let clicks = moves.clicks(code);
        let clicks = clicks.ok_or_else(|| format!("{code}: expected a canonical code"))?;
        let clicks: Vec<HalfMove> = clicks.iter().map(|click| (side, *click)).collect();
        self.board.play(code).map_err(|why| why.to_string())?;
        self.line.moves.push(code.to_owned());
        Ok(clicks)
    }
}

/// Returns the legal moves of a position as half moves.
pub(super) fn moves_of(game: &str, board: &dyn DynHistory) -> Result<HalfMoves, String> {
    let moves = half_moves(game, board)
        .ok_or_else(|| format!("{game}: a GTP board cannot show its moves"))?;
    moves.map_err(|error| error.to_string())
}
