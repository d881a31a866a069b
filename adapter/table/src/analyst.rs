//! The analysing engine and the questions to it: hints and scores. It also runs analyses and reviews, and never plays in
//! the game.
//!
//! There is one engine for all of these. Questions have priority; the analysis or review that they interrupt continues
//! afterwards. Only one analysis or review runs at a time, the newest.

use std::collections::VecDeque;
use std::time::Duration;

use kit::session::SKILL_LEVEL;
use record::clock::{Clock, Limit, limits};
use referee::analysis::{Analyser, AnalysisProgress, Review, Task};
use referee::engine::{BestMove, Fault, Infos};

use crate::error::{TableError, refuse};
use crate::model::{
    Analysis, ClientId, NodeId, Question, Refusal, RequestId, RunningStudy, Studies, StudyEnd,
    TableEvent,
};
use crate::seat::engine_of;
use crate::state::Table;

/// Search time of a question in a game with clocks or without limits.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// Maximum number of open questions.
const MAX_WAITING: usize = 16;

/// Extra time after an analysis should have ended; then the engine counts as failed.
pub(super) const MARGIN: Duration = Duration::from_secs(60);

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

impl Table {
    /// Queues a question to the built-in engine at full strength. The answer arrives as events.
    pub(super) fn ask_engine(
        &mut self,
        client: ClientId,
        request: RequestId,
        what: Question,
    ) -> Result<(), TableError> {
        let questions = &self.analyst.questions;
        let is_his = |asked: &Asked| asked.client == client;
        if questions.iter().any(is_his) || questions.len() >= MAX_WAITING {
            return refuse(Refusal::QuestionIsOpen);
        }
        self.analyst.questions.push_back(Asked {
            client,
            request,
            what,
            at: (self.id.clone(), self.tree.here()),
        });
        let info = self.clients.find(client).map(|client| client.info.clone());
        if let Some(who) = info {
            self.tell_all(TableEvent::AskedEngine { who, what });
        }
        Ok(())
    }

    /// The subject that the engine should be searching: the first question, else the study.
    fn subject(&self) -> Option<AnalystJob> {
        if let Some(asked) = self.analyst.questions.front() {
            return Some(AnalystJob::Question(asked.client, asked.request));
        }
        let study = self.analyst.study.current.as_ref()?;
        if let Some(review) = &study.review {
            return Some(AnalystJob::Ply(review.n_searched));
        }
        let node = study.told.node.unwrap_or(self.tree.here());
        let is_over = node == self.tree.here() && self.board().outcome().is_some();
        (!is_over).then_some(AnalystJob::Node(node))
    }

    /// The search for a subject.
    fn task(&self, subject: AnalystJob) -> Result<Task, TableError> {
        let asked = match (subject, self.analyst.questions.front()) {
            (AnalystJob::Question(..), Some(asked)) => asked,
            (AnalystJob::Node(node), _) => return self.study_task(node),
            _ => return self.study_task(self.tree.here()),
        };
        let limit = match self.setup.helper.limit {
            Limit::Clock(..) | Limit::Unlimited => Limit::MoveTime(MOVE_TIME),
            limit => limit,
        };
        let clock = Clock::new(limit, MARGIN);
        let (position, board) = self.position_at(asked.at.1)?;
        let allowance = clock.allowance();
        Ok(Task {
            position,
            go: limits(board.side(), &[clock.clone(), clock]),
            board,
            n_lines: 1,
            allowance: allowance.unwrap_or(self.search_timeout(&self.setup.helper)),
            n_restarts: 0,
        })
    }

    /// Processes the engine's output.
    pub(super) fn poll_analyst(&mut self) {
        while let Some(progress) = self.analyst.analyser.poll(self.now) {
            self.on_progress(progress);
        }
    }

    /// Gives the engine its current subject, and starts the engine if necessary.
    pub(super) fn drive_analyst(&mut self) {
        self.drop_left_questions();
        if self.analyst.study.current.is_none()
            && let Some(next) = self.analyst.study.waiting.pop_front()
        {
            self.begin_study(next);
        }
        let subject = self.subject();
        if self.analyst.subject != subject {
            self.analyst.subject = subject;
            let task = subject.map(|subject| self.task(subject)).transpose();
            match task {
                Ok(task) => self.analyst.analyser.set(task),
                Err(error) => self.end_study(StudyEnd::Failed {
                    why: error.to_string(),
                }),
            }
        }
        let mut spec = self.setup.helper.clone();
        spec.unset(SKILL_LEVEL);
        let make = || engine_of(&self.source, &spec, Infos::All);
        let progress = self.analyst.analyser.drive(make, self.now);
        if let Some(progress) = progress {
            self.on_progress(progress);
        }
    }

    /// Refuses the questions about positions that are not on the way to the current one any more.
    fn drop_left_questions(&mut self) {
        let way = self.tree.path(self.tree.here());
        let is_on_way = |node: NodeId| node == NodeId::ROOT || way.contains(&node);
        let questions = std::mem::take(&mut self.analyst.questions);
        let (kept, left) = questions
            .into_iter()
            .partition(|asked| asked.at.0 == self.id && is_on_way(asked.at.1));
        self.analyst.questions = kept;
        self.refuse_questions(left, &Refusal::PositionLeft);
    }

    fn refuse_questions(&mut self, questions: VecDeque<Asked>, why: &Refusal) {
        for asked in questions {
            let (request, why) = (asked.request, why.clone());
            self.tell(asked.client, TableEvent::Refused { request, why });
        }
    }

    fn on_progress(&mut self, progress: AnalysisProgress) {
        let Some(subject) = self.analyst.subject else {
            return;
        };
        match progress {
            AnalysisProgress::Lines => match subject {
                AnalystJob::Question(..) => self.send_thoughts(),
                AnalystJob::Node(node) => self.send_lines(node),
                AnalystJob::Ply(_) => {}
            },
            AnalysisProgress::Finished(best) => {
                match subject {
                    AnalystJob::Question(..) => self.answer(best),
                    AnalystJob::Node(node) => {
                        self.send_lines(node);
                        self.end_study(StudyEnd::Finished);
                    }
                    AnalystJob::Ply(_) => self.receive_reviewed(&best),
                }
                self.analyst.subject = None;
            }
            AnalysisProgress::Restarted(fault) => self.tell_all(TableEvent::Fault {
                engine: "the analysing engine".to_owned(),
                text: format!("{fault}; it was restarted"),
            }),
            AnalysisProgress::Failed(fault) => {
                self.analyst.subject = None;
                self.lose_analyst(subject, &fault);
            }
        }
    }

    /// Sends the interim result of a question to its client.
    fn send_thoughts(&mut self) {
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
        self.tell(asked.client, event);
    }

    fn answer(&mut self, best: BestMove) {
        let Some(asked) = self.analyst.questions.pop_front() else {
            return;
        };
        let event = TableEvent::Analysis {
            request: asked.request,
            what: asked.what,
            side: self.side_at(asked.at.1),
            analysis: Analysis {
                code: Some(best.code),
                ..best.thought.into()
            },
        };
        self.tell(asked.client, event);
        let done = TableEvent::Done {
            request: asked.request,
        };
        self.tell(asked.client, done);
    }

    /// Ends the study, or refuses all open questions, after the engine has failed. The game is not affected; the next
    /// question starts a new engine.
    fn lose_analyst(&mut self, subject: AnalystJob, fault: &Fault) {
        let why = format!("the built-in engine: {fault}");
        if !matches!(subject, AnalystJob::Question(..)) {
            return self.end_study(StudyEnd::Failed { why });
        }
        let questions = std::mem::take(&mut self.analyst.questions);
        self.refuse_questions(questions, &Refusal::Engine { reason: why });
    }
}
