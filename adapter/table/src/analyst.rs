//! The analysis engine: answers hints and scores, and runs analyses and reviews. It never plays in the game.
//!
//! There is one engine for all of these. Questions have priority; the analysis or review that they interrupt continues
//! afterwards. Only one analysis or review runs at a time, the newest.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use kit::{DynHistory, Side};
use protocol::Go;
use record::table::{ClientId, NodeId, Question, RequestId};
use referee::analysis::Analyser;
use referee::client::Message;
use referee::player::SeatEngine;
use referee::process::Batch;

use crate::study::StudyState;

/// Extra time after an analysis should have ended; then the engine counts as failed.
pub(super) const MARGIN: Duration = Duration::from_secs(60);

/// Search time of a question in a game with clocks or without limits.
pub(super) const MOVE_TIME: Duration = Duration::from_secs(1);

/// Maximum number of open questions.
pub(super) const MAX_WAITING: usize = 16;

/// An open question to the engine.
pub(super) struct Asked {
    pub(super) client: ClientId,
    pub(super) request: RequestId,
    pub(super) what: Question,
    pub(super) side: Side,
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

    /// The engine's output, if an answer is outstanding.
    pub(super) fn receiver(&self) -> Option<&Receiver<Batch<Message>>> {
        self.analyser.receiver()
    }

    /// Removes the engine, for shutdown.
    pub(super) fn remove_engine(&mut self) -> Option<Box<dyn SeatEngine>> {
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
