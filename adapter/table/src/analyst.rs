//! The analysing engine with its open tasks: questions, and the study that they interrupt.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use kit::{DynHistory, Side};
use protocol::Go;
use referee::analysis::{Analyser, Review};
use referee::engine::Engine;

use crate::model::{ClientId, NodeId, Question, RequestId, Studies, StudyKind};

/// An open question to the engine.
pub(super) struct Asked {
    pub(super) client: ClientId,
    pub(super) request: RequestId,
    pub(super) what: Question,
    pub(super) side: Side,
    /// The game, and the node of the position.
    pub(super) at: (String, NodeId),
    /// The `position` command of the question.
    pub(super) position: String,
    pub(super) board: Box<dyn DynHistory>,
    pub(super) go: Go,
    pub(super) allowance: Duration,
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
    /// The next time at which the engine must be polled.
    pub(super) fn deadline(&mut self, now: Instant) -> Option<Instant> {
        self.analyser.deadline(now)
    }

    /// Removes the engine, for shutdown.
    pub(super) fn remove_engine(&mut self) -> Option<Engine> {
        self.analyser.remove_engine()
    }

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
