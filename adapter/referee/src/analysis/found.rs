//! Analysis results: the best lines of a position, and the cost of each move of a game.

use kit::Side;
use protocol::Bound;
use serde::{Deserialize, Serialize};

use record::game::Points;

/// One of the best lines of a position.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Line {
    /// Its first move.
    #[serde(rename = "move")]
    pub code: String,
    /// The score for the side to move.
    pub score: Points,
    /// The kind of bound, if the score is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bound: Option<LineBound>,
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The principal variation, including the first move. All its moves are legal.
    pub line: Vec<String>,
}

/// The kind of bound that a score is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum LineBound {
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// The results of an engine for one position.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Lines {
    /// Plies searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Nodes a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// The best line first.
    pub lines: Vec<Line>,
}

impl Lines {
    /// `true` if this should replace `other`: a deeper search, or a longer one of the same depth.
    pub fn is_deeper(&self, other: &Lines) -> bool {
        (self.depth, self.lines.len(), self.nodes) >= (other.depth, other.lines.len(), other.nodes)
    }

    /// Moves a line to the top and removes any other line with the same first move.
    pub fn lead(&mut self, line: Line, n_lines: usize) {
        self.lines.retain(|other| other.code != line.code);
        self.lines.insert(0, line);
        self.lines.truncate(n_lines);
    }
}

impl From<Bound> for LineBound {
    fn from(bound: Bound) -> LineBound {
        match bound {
            Bound::Lower => LineBound::Lower,
            Bound::Upper => LineBound::Upper,
        }
    }
}

/// A move that loses at least this many expected points threw the game away. It corresponds to turning an even game
/// into one with an expected score of 0.3, or a won game into one with 0.8.
pub const THROWN_AWAY: f64 = 0.2;

/// A reviewed move with the engine's scores. Scores are from the point of view of the player who moved; mates are
/// counted in plies from before the move.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewedPly {
    /// The move.
    #[serde(rename = "move")]
    pub code: String,
    /// The side that moved.
    pub side: Side,
    /// The score of the best move; `None` if the engine reported none.
    pub before: Option<Points>,
    /// The score of the move played. If the move ended the game: a mate in one or a draw.
    pub after: Option<Points>,
    /// The best move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best: Option<String>,
    /// The principal variation, beginning with the best move.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub line: Vec<String>,
    /// The expected points that the move lost, 0 to 1.
    pub loss: f64,
    /// `true` if `loss` is at least [`THROWN_AWAY`].
    pub threw_away: bool,
    /// `true` if both scores are exact: a mate, a draw with perfect play, or the end of the game.
    pub is_exact: bool,
}
