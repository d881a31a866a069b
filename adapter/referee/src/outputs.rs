//! What a match writes beside its ledger, and how.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::text_serde::serde_as_text;

/// The tags and comments of the PGN file, the file of final positions, and the size of the log. The names of the PGN file and
/// of the log are in the [`Plan`](crate::plan::Plan) itself.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Outputs {
    /// PGN's tag `Event`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub event: Option<String>,
    /// PGN's tag `Site`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub site: Option<String>,
    /// What the comments of the PGN file tell beside score, depth and time.
    #[serde(skip_serializing_if = "is_default")]
    pub pgn_comments: PgnComments,
    /// How many bytes of the PGN file were there before the match, which are not its own; `None` if it began the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pgn_start: Option<u64>,
    /// Where final positions go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epdout: Option<PathBuf>,
    /// What the log holds.
    #[serde(skip_serializing_if = "is_default")]
    pub log_level: LogLevel,
    /// After how many MiB the log goes on in a new file; `None` for never.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log_mib: Option<u64>,
}

impl Outputs {
    /// Whether nothing was asked for.
    pub(crate) fn is_default(&self) -> bool {
        is_default(self)
    }
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

/// What a comment of the PGN file tells of a move beside score, depth and time. Written as `pv,nodes,nps`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PgnComments {
    /// The line that the engine expected. It is kept in the ledger for that.
    pub pv: bool,
    /// Positions searched.
    pub nodes: bool,
    /// Positions searched a second, by the referee's clock.
    pub nps: bool,
}

impl FromStr for PgnComments {
    type Err = String;

    fn from_str(text: &str) -> Result<PgnComments, String> {
        let mut comments = PgnComments::default();
        for word in text.split(',') {
            match word {
                "pv" => comments.pv = true,
                "nodes" => comments.nodes = true,
                "nps" => comments.nps = true,
                _ => {
                    return Err("expected some of pv,nodes,nps with commas between them".to_owned());
                }
            }
        }
        Ok(comments)
    }
}

impl fmt::Display for PgnComments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words = [(self.pv, "pv"), (self.nodes, "nodes"), (self.nps, "nps")];
        let set = words.iter().filter(|(is_set, _)| *is_set);
        let set: Vec<&str> = set.map(|(_, word)| *word).collect();
        f.write_str(&set.join(","))
    }
}

serde_as_text!(PgnComments);

/// What a log holds; each level also holds what those before it hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogLevel {
    /// Games that were lost by a fault, with the last lines exchanged, and notes.
    Warn,
    /// Games that begin and end.
    Info,
    /// Lines both ways, without the engines' `info` lines.
    Debug,
    /// All lines both ways.
    #[default]
    Trace,
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
    fn an_older_plan_asks_for_nothing() {
        let outputs: Outputs = serde_json::from_str("{}").expect("no field is needed");
        assert!(outputs.is_default());
        assert_eq!(outputs.log_level, LogLevel::Trace);
        assert_eq!(serde_json::to_string(&outputs).expect("plain data"), "{}");
    }
}
