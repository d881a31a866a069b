//! The analysing engine with its open tasks.

use std::collections::VecDeque;
use std::time::Duration;

use referee::analysis::{Analyser, Review};

use crate::model::{ClientId, NodeId, Question, RequestId, RunningStudy, Studies};

/// An open question to the engine about a position of the game.
pub(super) struct Asked {
    pub(super) client: ClientId,
    pub(super) request: RequestId,
    pub(super) what: Question,
    pub(super) node: NodeId,
}

/// The subject of the engine's current search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// The question of this client with this request number.
    Question(ClientId, RequestId),
    /// A node of an analysis.
    Node(NodeId),
    /// The next position of the review.
    Review,
}

/// The engine's background task, which questions interrupt.
pub(super) struct Study {
    /// Its description for the clients.
    pub(super) told: RunningStudy,
    /// The time of an analysis, or of each position of a review; `None` if it runs until it is stopped.
    pub(super) time: Option<Duration>,
    /// The progress of a review, and the node after each reviewed move; `None` for an analysis.
    pub(super) review: Option<(Review, Vec<NodeId>)>,
}

/// The analysis engine with its open tasks.
#[derive(Default)]
pub(super) struct Analyst {
    pub(super) analyser: Analyser,
    pub(super) subject: Option<Subject>,
    /// In order of arrival; the first is being answered.
    pub(super) questions: VecDeque<Asked>,
    pub(super) study: Option<Study>,
    /// Requested by guests while another client's study runs; in order of arrival, one of each client.
    pub(super) waiting: VecDeque<Study>,
    /// The results to show.
    pub(super) told: Studies,
}

impl Analyst {
    /// Clears the subject of the study, so that a new study of the same position starts a new search.
    pub(super) fn leave_study(&mut self) {
        if !matches!(self.subject, Some(Subject::Question(..))) {
            self.analyser.set(None);
            self.subject = None;
        }
    }
}
