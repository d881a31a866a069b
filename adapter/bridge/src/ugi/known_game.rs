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

    /// `true` if a search continues this game.
    pub(crate) fn is_beginning_of(&self, search: &Search<'_>) -> bool {
        let Search {
            line, is_new_game, ..
        } = search;
        let is_same = self.line.fen == line.fen && line.moves.starts_with(&self.line.moves);
        is_same && !is_new_game
    }

    /// Makes the move that a text means, and returns its code; `None` if it is not legal.
    pub(crate) fn play_text(&mut self, text: &str) -> Option<String> {
        let code = self.board.read(text).ok()?;
        self.play(&code).ok().map(|()| code)
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
