//! Studies of a table's game: the analysis of positions, and the review of its moves.

use kit::Side;
use record::text_as_serde;
use referee::analysis::{Lines, ReviewedPly};
use serde::{Deserialize, Serialize};

use super::people::ClientId;
use super::tree::NodeId;

/// The result of an analysis at one node.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnalysedNode {
    /// The node.
    pub node: NodeId,
    /// The side to move; scores are from its point of view.
    pub side: Side,
    /// The engine's name.
    pub engine: String,
    /// The best lines.
    #[serde(flatten)]
    pub found: Lines,
}

/// The evaluation of one move in a review.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReviewedNode {
    /// The node that the move leads to.
    pub node: NodeId,
    /// The move and its evaluation.
    #[serde(flatten)]
    pub ply: ReviewedPly,
}

/// The studies of a table, as part of a snapshot.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Studies {
    /// The study that is running.
    pub running: Option<RunningStudy>,
    /// The deepest analysis of each analysed node, sorted by node.
    pub kept: Vec<AnalysedNode>,
    /// The moves of the last review, as far as they are evaluated.
    pub review: Vec<ReviewedNode>,
}

impl Studies {
    /// Stores an analysis if it is deeper than the stored one of the same node.
    pub fn keep(&mut self, analysed: AnalysedNode) {
        let kept = &mut self.kept;
        match kept.binary_search_by_key(&analysed.node, |old| old.node) {
            Ok(at) if analysed.found.is_deeper(&kept[at].found) => kept[at] = analysed,
            Ok(_) => {}
            Err(at) => kept.insert(at, analysed),
        }
    }

    /// Marks a study as running, in place of any other.
    pub fn begin(&mut self, study: RunningStudy) {
        if study.what == StudyKind::Review {
            self.review.clear();
        }
        self.running = Some(study);
    }
}

/// Kind of study.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum StudyKind {
    /// One position, until it is stopped.
    Analysis,
    /// The whole game.
    Review,
}

text_as_serde!(StudyKind);

/// The reason for the end of a study.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, strum::Display)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "end", rename_all = "kebab-case")]
#[strum(serialize_all = "lowercase")]
pub enum StudyEnd {
    /// It is complete.
    Finished,
    /// A client stopped it.
    Stopped,
    /// A newer study takes its place.
    #[strum(to_string = "replaced by a newer one")]
    Replaced,
    /// Another game begins.
    #[strum(to_string = "another game begins")]
    NewGame,
    /// The client that started it has left.
    #[strum(to_string = "the client that started it has left")]
    AskerLeft,
    /// The engine cannot continue.
    #[strum(to_string = "{why}")]
    Failed {
        /// In the words of the engine.
        why: String,
    },
}

/// A study in progress.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunningStudy {
    /// The kind of study.
    pub what: StudyKind,
    /// The client that started it.
    pub client: ClientId,
    /// The client's name.
    pub name: String,
    /// The analysed node; `None` for a review, and for an analysis that follows the current node.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub node: Option<NodeId>,
    /// Number of lines requested, or of moves to review.
    pub total: usize,
}
