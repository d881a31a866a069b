//! The analysing engine and what it is asked: questions for hints and scores, analyses and reviews. It never plays in the
//! game.
//!
//! There is one engine for all of these. Questions have priority; the analysis or review that they interrupt continues
//! afterwards. Only one analysis or review runs at a time, the newest.

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
        if !matches!(self.subject, Some(Subject::Question(..))) {
            self.analyser.set(None);
            self.subject = None;
        }
    }
}
