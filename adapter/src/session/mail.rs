//! Letters.
use super::{Session, SessionError};
use crate::opening::Opening;

impl Session {
    /// The game as a letter.
    pub fn letter(&self) -> String {
        self.moves().join(" ")
    }

    /// Whether a game can begin so.
    pub fn accepts(&self, opening: &Opening) -> bool {
        self.rules.open(opening).is_ok()
    }

    /// The opening that a pasted position is.
    pub fn read_position(&self, text: &str) -> Result<Opening, SessionError> {
        let opening = Opening {
            fen: Some(text.to_owned()),
            moves: Vec::new(),
        };
        let board = self.rules.open(&opening)?;
        Ok(Opening {
            fen: Some(board.fen()),
            moves: Vec::new(),
        })
    }
}
