//! Openings: the positions from which games start.

pub mod source;

use std::fmt;

use kit::CheckPosition;
use serde::{Deserialize, Serialize};

/// A position and moves played from it before the engines start to think.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(from = "String", into = "String")]
pub struct Opening {
    /// The position string; `None` for the start position.
    pub fen: Option<String>,
    /// Codes of the moves.
    pub moves: Vec<String>,
}

impl Opening {
    /// Returns the start position or position string with the first `plies` moves.
    pub fn prefix(&self, plies: usize) -> Opening {
        Opening {
            fen: self.fen.clone(),
            moves: self.moves[..plies].to_vec(),
        }
    }

    /// Adds a move.
    pub fn with(mut self, code: &str) -> Opening {
        self.moves.push(code.to_owned());
        self
    }

    /// Returns the opening of a position string, without moves.
    pub fn at(fen: String) -> Opening {
        Opening {
            fen: Some(fen),
            moves: Vec::new(),
        }
    }

    /// Parses `startpos`, `fen STRING` or a bare position string, each optionally followed by `moves ...`. Does not
    /// check the position or the moves.
    pub fn parse(text: &str) -> Opening {
        let mut words = text.split_whitespace();
        let base: Vec<&str> = words.by_ref().take_while(|word| *word != "moves").collect();
        Opening {
            fen: match &base[..] {
                ["startpos"] | [] => None,
                ["fen", base @ ..] | base => Some(base.join(" ")),
            },
            moves: words.map(str::to_owned).collect(),
        }
    }
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

impl From<&CheckPosition> for Opening {
    fn from(position: &CheckPosition) -> Opening {
        Opening {
            fen: position.fen().map(str::to_owned),
            moves: position.moves(),
        }
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
