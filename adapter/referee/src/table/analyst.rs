//! The engine that looks at the game from beside it: for a hint or a score, an analysis, a review.
//!
//! One engine serves all. Questions come first; the analysis or review that they interrupt goes on after them. Of analyses and
//! reviews there is one at a time, the newest.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use kit::{DynHistory, Side};
use protocol::Go;

use super::TableError;
use super::event::{Analysis, Question, TableEvent};
use super::request::{ClientId, RequestId};
use super::start::LEVEL;
use super::state::Table;
use super::study::{Study, StudyState};
use super::tree::NodeId;
use crate::analysis::{Analyser, Progress, Task};
use crate::client::{BestMove, Fault, Message};
use crate::clock::{Clock, Limit, limits};
use crate::player::SeatEngine;
use crate::process::Batch;

/// How much longer than its limit an analysis may take.
pub(super) const MARGIN: Duration = Duration::from_secs(60);

/// How long an analysis takes in a game with clocks.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// How many questions may wait.
const MAX_WAITING: usize = 16;

/// A question to the engine.
struct Asked {
    client: ClientId,
    request: RequestId,
    what: Question,
    side: Side,
    /// Where the game stood.
    position: String,
    board: Box<dyn DynHistory>,
    go: Go,
    allowance: Duration,
}

/// What the engine looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Subject {
    /// The question of this request.
    Question(RequestId),
    /// A node, for the analysis.
    Node(NodeId),
    /// The position of the review after so many moves.
    Ply(usize),
}

/// The engine, and all that waits for it.
#[derive(Default)]
pub(super) struct Analyst {
    analyser: Analyser,
    subject: Option<Subject>,
    /// The first is the one that is answered first.
    questions: VecDeque<Asked>,
    pub(super) study: StudyState,
}

impl Analyst {
    /// When the engine is to be heard at the latest.
    pub(super) fn deadline(&mut self, now: Instant) -> Option<Instant> {
        self.analyser.deadline(now)
    }

    /// Where the engine's lines arrive, if it owes something.
    pub(super) fn receiver(&self) -> Option<&Receiver<Batch<Message>>> {
        self.analyser.receiver()
    }

    /// Hands the engine over, to be told to quit.
    pub(super) fn take_engine(&mut self) -> Option<Box<dyn SeatEngine>> {
        self.analyser.take_engine()
    }

    /// Has the engine answer this client's question at once; whether it thinks about one.
    pub(super) fn hurry(&mut self, client: ClientId) -> bool {
        let first = self.questions.front();
        let is_his = first.is_some_and(|asked| asked.client == client);
        if is_his {
            self.analyser.hurry();
        }
        is_his
    }

    /// Leaves the position that was studied: another study may begin with the same one.
    pub(super) fn leave_study(&mut self) {
        if !matches!(self.subject, Some(Subject::Question(_))) {
            self.analyser.set(None);
            self.subject = None;
        }
    }

    /// Forgets a client's questions.
    pub(super) fn forget_questions(&mut self, client: ClientId) {
        self.questions.retain(|asked| asked.client != client);
    }
}

impl Table {
    /// Asks the built-in engine, at its full strength, about the position. The answer comes as events.
    pub(super) fn ask_engine(
        &mut self,
        client: ClientId,
        request: RequestId,
        what: Question,
    ) -> Result<(), TableError> {
        self.refuse_over()?;
        let questions = &self.analyst.questions;
        let is_his = |asked: &Asked| asked.client == client;
        if questions.iter().any(is_his) || questions.len() >= MAX_WAITING {
            return Err(TableError::refused(
                "an analysis is under way: wait for its answer",
            ));
        }
        let limit = match self.helper.limit {
            Limit::Clock(..) | Limit::Unlimited => Limit::MoveTime(MOVE_TIME),
            limit => limit,
        };
        let clock = Clock::new(limit, MARGIN);
        let side = self.side();
        self.analyst.questions.push_back(Asked {
            client,
            request,
            what,
            side,
            position: self.game.arbiter().position().to_owned(),
            board: self.board().fork(),
            allowance: clock.allowance().unwrap_or(self.search_timeout()),
            go: limits(side, &[clock.clone(), clock]),
        });
        self.announce(client, what);
        Ok(())
    }

    /// Tells everybody who asks an engine, and for what.
    pub(super) fn announce(&mut self, client: ClientId, what: Question) {
        let info = self.clients.find(client).map(|client| client.info.clone());
        if let Some(who) = info {
            self.clients.tell_all(TableEvent::AskedEngine { who, what });
        }
    }

    /// What the engine is to look at now.
    fn subject(&self) -> Option<Subject> {
        if let Some(asked) = self.analyst.questions.front() {
            return Some(Subject::Question(asked.request));
        }
        match self.analyst.study.current.as_ref()? {
            Study::Analysis(analysis) => {
                let node = analysis.node.unwrap_or(self.tree.here());
                let is_over = node == self.tree.here() && self.board().outcome().is_some();
                (!is_over).then_some(Subject::Node(node))
            }
            Study::Review(review) => Some(Subject::Ply(review.n_done())),
        }
    }

    /// What there is to do about a subject.
    fn task(&self, subject: Subject) -> Result<Task, TableError> {
        match (subject, self.analyst.questions.front()) {
            (Subject::Question(_), Some(asked)) => Ok(Task {
                position: asked.position.clone(),
                board: asked.board.fork(),
                go: asked.go.clone(),
                n_lines: 1,
                allowance: asked.allowance,
                n_restarts: 0,
            }),
            (Subject::Node(node), _) => self.study_task(node),
            _ => self.study_task(self.tree.here()),
        }
    }

    /// Takes what the engine says.
    pub(super) fn poll_analyst(&mut self, now: Instant) {
        while let Some(progress) = self.analyst.analyser.poll(now) {
            self.on_progress(progress);
        }
    }

    /// Has the engine go on with what it is to look at.
    pub(super) fn drive_analyst(&mut self, now: Instant) {
        let subject = self.subject();
        if self.analyst.subject != subject {
            self.analyst.subject = subject;
            let task = subject.map(|subject| self.task(subject)).transpose();
            match task {
                Ok(task) => self.analyst.analyser.set(task),
                Err(why) => self.end_study(&why.to_string()),
            }
        }
        let mut spec = self.helper.clone();
        spec.options
            .retain(|(name, _)| !name.eq_ignore_ascii_case(LEVEL));
        let progress = self.analyst.analyser.drive(&self.source, &spec, now);
        if let Some(progress) = progress {
            self.on_progress(progress);
        }
    }

    fn on_progress(&mut self, progress: Progress) {
        let Some(subject) = self.analyst.subject else {
            return;
        };
        match progress {
            Progress::Lines => match subject {
                Subject::Question(_) => self.tell_thoughts(),
                Subject::Node(node) => self.tell_lines(node),
                Subject::Ply(_) => {}
            },
            Progress::Finished(best) => {
                match subject {
                    Subject::Question(_) => self.answer(best),
                    Subject::Node(node) => self.finish_analysis(node),
                    Subject::Ply(_) => self.take_reviewed(&best),
                }
                self.analyst.subject = None;
            }
            Progress::Restarted(fault) => self.tell_restart(&fault),
            Progress::Failed(fault) => {
                self.analyst.subject = None;
                self.lose_analyst(subject, &fault);
            }
        }
    }

    /// What the engine thinks so far of what was asked.
    fn tell_thoughts(&mut self) {
        let lines = self.analyst.analyser.lines();
        let Some((asked, line)) = self.analyst.questions.front().zip(lines.lines.first()) else {
            return;
        };
        let event = TableEvent::AnalysisLine {
            request: asked.request,
            analysis: Analysis {
                code: Some(line.code.clone()),
                score: Some(line.score),
                depth: line.depth,
                nodes: lines.nodes,
                line: line.line.clone(),
            },
        };
        self.clients.tell(asked.client, event);
    }

    fn answer(&mut self, best: BestMove) {
        let Some(asked) = self.analyst.questions.pop_front() else {
            return;
        };
        let event = TableEvent::Analysis {
            request: asked.request,
            what: asked.what,
            side: asked.side,
            analysis: Analysis {
                code: Some(best.code),
                score: best.thought.score.map(Into::into),
                depth: best.thought.depth,
                nodes: best.thought.nodes,
                line: best.thought.pv,
            },
        };
        self.clients.tell(asked.client, event);
        let done = TableEvent::Done {
            request: asked.request,
        };
        self.clients.tell(asked.client, done);
    }

    fn tell_restart(&mut self, fault: &Fault) {
        self.clients.tell_all(TableEvent::Fault {
            engine: "the analysing engine".to_owned(),
            text: format!("{fault}; it is started again"),
        });
    }

    /// A failed analysis costs nobody anything; the next question gets a fresh engine.
    fn lose_analyst(&mut self, subject: Subject, fault: &Fault) {
        let why = format!("the built-in engine: {fault}");
        if !matches!(subject, Subject::Question(_)) {
            return self.end_study(&why);
        }
        for asked in std::mem::take(&mut self.analyst.questions) {
            let refused = TableEvent::Refused {
                request: asked.request,
                why: why.clone(),
            };
            self.clients.tell(asked.client, refused);
        }
    }

    /// What was found so far, and the name of the engine that found it.
    pub(super) fn found(&self) -> (&crate::analysis::Lines, String) {
        let analyser = &self.analyst.analyser;
        (analyser.lines(), analyser.engine_name())
    }
}
