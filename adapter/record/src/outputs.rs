//! Optional output files of a match, apart from the ledger, and their contents.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::game::GameRecord;
use crate::registry::Rules;

/// Comments of the PGN file, the file of final positions, and level of the log. The paths of the PGN file and the log are
/// fields of [`Plan`](crate::plan::Plan). A ledger keeps only `pgn_start`: all others are those of the command line.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Outputs {
    /// Additional contents of PGN comments, after score, depth and time.
    #[serde(skip)]
    pub pgn_comments: PgnComments,
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

/// Optional contents of a move's PGN comment, after score, depth and time. Written as `pv,nodes,nps`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PgnComments {
    /// The principal variation. It is then kept in the ledger too.
    pub pv: bool,
    /// The number of nodes searched.
    pub nodes: bool,
    /// Nodes a second, by the referee's clock.
    pub nps: bool,
}

impl PgnComments {
    fn by_word(&mut self) -> [(&'static str, &mut bool); 3] {
        [
            ("pv", &mut self.pv),
            ("nodes", &mut self.nodes),
            ("nps", &mut self.nps),
        ]
    }
}

impl FromStr for PgnComments {
    type Err = String;

    fn from_str(text: &str) -> Result<PgnComments, String> {
        let mut comments = PgnComments::default();
        for word in text.split(',') {
            let mut words = comments.by_word().into_iter();
            let (_, is_set) = words.find(|(known, _)| *known == word).ok_or_else(|| {
                format!(
                    "{word:?} is no comment: name some of pv,nodes,nps with commas between them"
                )
            })?;
            *is_set = true;
        }
        Ok(comments)
    }
}

impl fmt::Display for PgnComments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut comments = *self;
        let words = comments.by_word().into_iter();
        let set = words.filter(|(_, is_set)| **is_set).map(|(word, _)| word);
        f.write_str(&set.collect::<Vec<_>>().join(","))
    }
}

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
    fn comments_are_written_as_they_are_read() {
        for text in ["pv", "nodes,nps", "pv,nodes,nps"] {
            let comments: PgnComments = text.parse().expect(text);
            assert_eq!(comments.to_string(), text);
        }
        for text in ["", "pv,", "PV", "time", "pv nodes"] {
            assert!(text.parse::<PgnComments>().is_err(), "{text}");
        }
    }

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
