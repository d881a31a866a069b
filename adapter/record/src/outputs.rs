//! Optional output files of a match, apart from the ledger, and their contents.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::game::GameRecord;
use crate::registry::Rules;
use crate::text_as_serde;

/// Comments of the PGN file, the file of final positions, and level of the log. The paths of the PGN file and the log are
/// fields of [`Plan`](crate::plan::Plan). A ledger keeps only `pgn_start`: all others are those of the command line.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Outputs {
    /// Additional contents of PGN comments, after score, depth and time.
    #[serde(skip)]
    pub pgn_comments: Vec<PgnComment>,
    /// Length in bytes of the existing PGN file that the match appends to; `None` if the match created the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pgn_start: Option<u64>,
    /// Path of the file of final positions.
    #[serde(skip)]
    pub epdout: Option<PathBuf>,
    /// The level of the log.
    #[serde(skip)]
    pub log_level: LogLevel,
}

impl Outputs {
    /// `true` if the ledger has nothing to keep of them.
    pub(crate) fn appends_nothing(&self) -> bool {
        self.pgn_start.is_none()
    }
}

/// Optional contents of a move's PGN comment, after score, depth and time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PgnComment {
    /// The principal variation. It is then kept in the ledger too.
    Pv,
    /// The number of nodes searched.
    Nodes,
    /// Nodes a second, by the referee's clock.
    Nps,
}

text_as_serde!(PgnComment);

/// The level of a log; each level includes the ones above it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum LogLevel {
    /// Games lost by a fault with the last lines exchanged, and notes.
    Warn,
    /// Starts and ends of games.
    Info,
    /// Lines in both directions, without the engines' `info` lines.
    Debug,
    /// All lines in both directions.
    #[default]
    Trace,
}

/// The final position of a game. Without rules, the position is given by its moves: `startpos moves ...`.
pub fn final_position(rules: Option<&Rules>, game: &GameRecord) -> String {
    let all = game.clone().opening_line();
    let board = rules.and_then(|rules| rules.open(&all).ok());
    board.map_or_else(|| all.to_string(), |board| board.fen())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ledger_names_no_file() {
        let older = r#"{"pgn_start":7,"epdout":"/home/me/.profile","log_level":"warn"}"#;
        let outputs: Outputs = serde_json::from_str(older).expect("known and unknown fields");
        assert_eq!((outputs.pgn_start, &outputs.epdout), (Some(7), &None));
        assert_eq!(outputs.log_level, LogLevel::Trace);
        let text = serde_json::to_string(&outputs).expect("plain data");
        assert_eq!(text, r#"{"pgn_start":7}"#);
    }
}
