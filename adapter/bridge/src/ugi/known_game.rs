//! The game on the board of a program.

use kit::DynHistory;
use record::opening::Opening;

use super::Search;

/// A game on the program's board.
pub(crate) struct KnownGame {
    pub(crate) line: Opening,
    pub(crate) board: Box<dyn DynHistory>,
}

impl KnownGame {
    /// Opens the position in which a search's game starts.
    ///
    /// # Errors
    /// The position is illegal.
    pub(crate) fn start(search: &Search<'_>) -> Result<KnownGame, String> {
        let line = search.line.prefix(0);
        let board = search.rules.open(&line).map_err(|why| why.to_string())?;
        Ok(KnownGame { line, board })
    }

    /// Returns the moves that are to be added for a search; `None` if its game is another one.
    pub(crate) fn missing<'a>(&self, search: &Search<'a>) -> Option<&'a [String]> {
        let is_same = !search.is_new_game && self.line.fen == search.line.fen;
        search
            .line
            .moves
            .strip_prefix(self.line.moves.as_slice())
            .filter(|_| is_same)
    }

    /// Makes a move.
    ///
    /// # Errors
    /// The move is illegal.
    pub(crate) fn play(&mut self, code: &str) -> Result<(), String> {
        self.board.play(code).map_err(|why| why.to_string())?;
        self.line.moves.push(code.to_owned());
        Ok(())
    }
}
