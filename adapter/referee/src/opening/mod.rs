//! Openings: the positions from which games start.

pub(crate) mod asked;
mod balance;
mod book;
mod file;
mod source;

pub use balance::Balance;
pub use book::Book;
pub use file::{FileError, load};
pub use source::OpeningSource;

use std::fmt;

use fastrand::Rng;
use kit::Rejection;
use kit::game_entry::PositionLine;
use serde::{Deserialize, Serialize};

use crate::registry::Rules;

/// A position and moves played from it before the engines start to think.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(from = "String", into = "String")]
pub struct Opening {
    /// The position string; `None` for the start position.
    pub fen: Option<String>,
    /// Codes of the moves.
    pub moves: Vec<String>,
}

impl Opening {
    /// Converts the opening to the kit's form.
    pub(crate) fn position_line(&self) -> PositionLine<'_> {
        PositionLine {
            fen: self.fen.as_deref(),
            moves: &self.moves,
        }
    }

    /// Parses `startpos`, `fen STRING` or a bare position string, each optionally followed by `moves ...`. Does not
    /// check the position or the moves.
    pub fn parse(text: &str) -> Opening {
        let words: Vec<&str> = text.split_whitespace().collect();
        let mut halves = words.splitn(2, |word| *word == "moves");
        let base = match halves.next().unwrap_or_default() {
            ["startpos"] | [] => None,
            ["fen", base @ ..] | base => Some(base.join(" ")),
        };
        let codes = halves.next().unwrap_or_default();
        Opening {
            fen: base,
            moves: codes.iter().map(|code| (*code).to_owned()).collect(),
        }
    }

    /// Draws `plies` random legal moves that do not end the game. Depends only on `seed` and `index`.
    ///
    /// # Errors
    /// Nearly every game ends within this number of plies.
    pub fn random(
        rules: &Rules,
        plies: usize,
        seed: u64,
        index: u64,
    ) -> Result<Opening, Rejection> {
        draw(rules, plies, &mut generator(seed, index))
    }
}

/// The random number generator of one opening.
fn generator(seed: u64, index: u64) -> Rng {
    Rng::with_seed(seed ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15))
}

/// Draws random legal moves that do not end the game.
fn draw(rules: &Rules, plies: usize, rng: &mut Rng) -> Result<Opening, Rejection> {
    const ATTEMPTS: usize = 1000;
    (0..ATTEMPTS)
        .find_map(|_| attempt(rules, plies, rng))
        .map(|moves| Opening { fen: None, moves })
        .ok_or_else(|| {
            Rejection(format!(
                "no game lasts {plies} random plies: expected fewer"
            ))
        })
}

fn attempt(rules: &Rules, plies: usize, rng: &mut Rng) -> Option<Vec<String>> {
    let mut board = rules.start();
    let mut codes = Vec::new();
    for _ in 0..plies {
        let code = rng.choice(board.moves())?;
        codes.push(board.play(&code).ok()?);
    }
    board.outcome().is_none().then_some(codes)
}

impl fmt::Display for Opening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.fen {
            Some(fen) => write!(f, "fen {fen}")?,
            None => f.write_str("startpos")?,
        }
        if !self.moves.is_empty() {
            write!(f, " moves {}", self.moves.join(" "))?;
        }
        Ok(())
    }
}

impl From<String> for Opening {
    fn from(text: String) -> Opening {
        Opening::parse(&text)
    }
}

impl From<Opening> for String {
    fn from(opening: Opening) -> String {
        opening.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_read_back() {
        for text in [
            "startpos",
            "startpos moves e5 b2->c3",
            "fen 5/6 x 0",
            "fen 5/6 x 0 moves a1",
        ] {
            assert_eq!(Opening::parse(text).to_string(), text);
        }
        assert_eq!(Opening::parse("5/6 x 0").to_string(), "fen 5/6 x 0");
        assert_eq!(Opening::parse(" startpos  moves "), Opening::default());
    }
}
