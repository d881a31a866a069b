//! State of analyses and reviews: what the analysing engine works on, and for whom.

use std::collections::VecDeque;
use std::time::Duration;

use record::table::{ClientId, NodeId, Studies, StudyKind};
use referee::analysis::Review;

/// A running analysis.
#[derive(Debug, Clone, Copy)]
pub(super) struct NodeAnalysis {
    pub(super) client: ClientId,
    /// The analysed node; `None` if the analysis follows the current node.
    pub(super) node: Option<NodeId>,
    pub(super) n_lines: u32,
    pub(super) bound: Option<Duration>,
}

/// A running review.
pub(super) struct GameReview {
    pub(super) client: ClientId,
    pub(super) review: Review,
    /// Search time for each position.
    pub(super) time: Duration,
    /// The node after each reviewed move.
    pub(super) path: Vec<NodeId>,
    pub(super) n_searched: usize,
}

/// The engine's background task, which questions interrupt.
pub(super) enum Study {
    Analysis(NodeAnalysis),
    Review(Box<GameReview>),
}

impl Study {
    pub(super) fn client(&self) -> ClientId {
        match self {
            Study::Analysis(analysis) => analysis.client,
            Study::Review(review) => review.client,
        }
    }

    /// `true` unless it runs until it is stopped.
    pub(super) fn is_bounded(&self) -> bool {
        !matches!(self, Study::Analysis(analysis) if analysis.bound.is_none())
    }

    pub(super) fn kind(&self) -> StudyKind {
        match self {
            Study::Analysis(_) => StudyKind::Analysis,
            Study::Review(_) => StudyKind::Review,
        }
    }
}

/// The current study, and the results to show.
#[derive(Default)]
pub(super) struct StudyState {
    pub(super) current: Option<Study>,
    /// Requested by guests while another client's study runs; in order of arrival, one of each client.
    pub(super) waiting: VecDeque<Study>,
    /// The part that is sent to clients.
    pub(super) told: Studies,
}
