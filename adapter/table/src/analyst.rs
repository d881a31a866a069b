//! The analysing engine with its open tasks: questions, and the study that they interrupt.

use std::collections::VecDeque;
use std::time::Duration;

use referee::analysis::{Analyser, Review};

use crate::model::{ClientId, NodeId, Question, RequestId, RunningStudy, Studies};

/// An open question to the engine.
pub(super) struct Asked {
    pub(super) client: ClientId,
    pub(super) request: RequestId,
    pub(super) what: Question,
    /// The game, and the node of the position.
    pub(super) at: (String, NodeId),
}

/// The subject of the engine's current search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum AnalystJob {
    /// The question of this client with this request number.
    Question(ClientId, RequestId),
    /// A node of an analysis.
    Node(NodeId),
    /// A position of the review, by the number of positions before it.
    Ply(usize),
}

/// The analysis engine with its open tasks.
#[derive(Default)]
pub(super) struct Analyst {
    pub(super) analyser: Analyser,
    pub(super) subject: Option<AnalystJob>,
    /// In order of arrival; the first is being answered.
    pub(super) questions: VecDeque<Asked>,
    pub(super) study: StudyState,
}

impl Analyst {
    /// Makes the engine answer this client's question immediately. Returns `false` if it is not searching for one.
    pub(super) fn move_now(&mut self, client: ClientId) -> bool {
        let first = self.questions.front();
        let is_his = first.is_some_and(|asked| asked.client == client);
        if is_his {
            self.analyser.move_now();
        }
        is_his
    }

    /// Clears the subject of the study, so that a new study of the same position starts a new search.
    pub(super) fn leave_study(&mut self) {
        if !matches!(self.subject, Some(AnalystJob::Question(..))) {
            self.analyser.set(None);
            self.subject = None;
        }
    }
}

/// The engine's background task, which questions interrupt.
pub(super) struct Study {
    /// What the clients are told of it.
    pub(super) told: RunningStudy,
    /// The time of an analysis, or of each position of a review; `None` if it runs until it is stopped.
    pub(super) time: Option<Duration>,
    /// `None` for an analysis.
    pub(super) review: Option<GameReview>,
}

/// The progress of a review.
pub(super) struct GameReview {
    pub(super) review: Review,
    /// The node after each reviewed move.
    pub(super) path: Vec<NodeId>,
    pub(super) n_searched: usize,
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
