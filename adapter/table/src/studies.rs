//! The analysing engine and what it is asked: questions for hints and scores, analyses and reviews. It never plays in the
//! game.
//!
//! There is one engine for all of these. Questions have priority; the analysis or review that they interrupt continues
//! afterwards. Only one analysis or review runs at a time, the newest.

use std::time::Duration;

use kit::session::SKILL_LEVEL;
use kit::{DynHistory, Side};
use protocol::Go;
use record::clock::{Clock, Limit, limits};
use referee::analysis::{AnalysisProgress, MAX_LINES, Review, Task};
use referee::engine::{BestMove, Infos};

use crate::analyst::{Analyst, Asked, Study, Subject};
use crate::error::{Done, TableError, refuse};
use crate::model::{
    Amount, AnalysedNode, Analysis, ClientId, NodeId, Question, Refusal, RequestId, ReviewedNode,
    RunningStudy, StudyEnd, StudyKind, TableEvent,
};
use crate::seat::engine_of;
use crate::state::Table;

/// Search time of a question in a game with clocks or without limits.
const MOVE_TIME: Duration = Duration::from_secs(1);

/// Maximum number of open questions.
const MAX_WAITING: usize = 16;

/// Extra time after an analysis should have ended; then the engine counts as failed.
const MARGIN: Duration = Duration::from_secs(60);

/// Permitted time for an analysis, or for one position of a review, in seconds.
const MIN_SECONDS: f64 = 0.001;
const MAX_SECONDS: f64 = 86_400.0;

/// Maximum time of a guest's analysis or review.
pub(super) const GUEST_STUDY: Duration = Duration::from_secs(60);

/// Effectively unlimited: the allowance of a search that is ended by `stop`.
const UNBOUNDED: Duration = Duration::from_secs(366 * 86_400);

impl Table {
    /// Queues a question to the built-in engine at full strength. The answer arrives as events.
    pub(super) fn ask_engine(
        &mut self,
        client: ClientId,
        request: RequestId,
        what: Question,
    ) -> Done {
        let questions = &self.analyst.questions;
        let is_his = |asked: &Asked| asked.client == client;
        if questions.iter().any(is_his) || questions.len() >= MAX_WAITING {
            return refuse(Refusal::QuestionIsOpen);
        }
        self.analyst.questions.push_back(Asked {
            client,
            request,
            what,
            node: self.tree.here(),
        });
        if let Some(asker) = self.clients.all.get(&client) {
            let who = asker.info.clone();
            self.tell_all(TableEvent::AskedEngine { who, what });
        }
        Ok(())
    }

    /// The subject that the engine should be searching: the first question, else the study.
    fn subject(&self) -> Option<Subject> {
        if let Some(asked) = self.analyst.questions.front() {
            return Some(Subject::Question(asked.client, asked.request));
        }
        let study = self.analyst.study.as_ref()?;
        if study.review.is_some() {
            return Some(Subject::Review);
        }
        let node = study.told.node.unwrap_or(self.tree.here());
        let is_over = node == self.tree.here() && self.board().outcome().is_some();
        (!is_over).then_some(Subject::Node(node))
    }

    /// The search for the first question, or the one that the current study needs next.
    pub(super) fn task(&self, subject: Subject) -> Result<Task, TableError> {
        let Analyst {
            questions, study, ..
        } = &self.analyst;
        if let (Subject::Question(..), Some(asked)) = (subject, questions.front()) {
            let helper = &self.setup.helper;
            let limit = match helper.limit {
                Limit::Clock(..) | Limit::Unlimited => Limit::MoveTime(MOVE_TIME),
                limit => limit,
            };
            let clock = Clock::new(limit, MARGIN);
            let (position, board) = self.position_at(asked.node)?;
            return Ok(Task {
                position,
                allowance: clock.allowance().unwrap_or(self.search_timeout(helper)),
                go: limits(board.side(), &[clock.clone(), clock]),
                board,
                n_lines: 1,
                n_restarts: 0,
            });
        }
        let Study { told, time, review } = study.as_ref().ok_or(Refusal::NoAnalysis)?;
        let ((position, board), n_lines) = match (review, subject) {
            (Some((review, _)), _) => {
                let position = review.position().unwrap_or_default();
                ((position.to_owned(), review.board()), 1)
            }
            (None, Subject::Node(node)) => (self.position_at(node)?, told.total as u32),
            (None, _) => return refuse(Refusal::NoAnalysis),
        };
        Ok(Task {
            position,
            board,
            go: Go {
                infinite: time.is_none(),
                move_time: *time,
                ..Go::default()
            },
            n_lines,
            allowance: time.map_or(UNBOUNDED, |time| time + MARGIN),
            n_restarts: 1,
        })
    }

    /// Gives the engine its current subject, and starts the engine if necessary.
    pub(super) fn drive_analyst(&mut self) {
        // Those about positions that are not on the way to the current one any more.
        let way = self.tree.path(self.tree.here());
        let is_left = |asked: &Asked| asked.node != NodeId::ROOT && !way.contains(&asked.node);
        self.refuse_questions(is_left, &Refusal::PositionLeft);
        if self.analyst.study.is_none()
            && let Some(next) = self.analyst.waiting.pop_front()
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
        let progress = self.analyst.analyser.drive(make);
        if let Some(progress) = progress {
            self.on_progress(progress);
        }
    }

    pub(super) fn refuse_questions(&mut self, is_refused: impl Fn(&Asked) -> bool, why: &Refusal) {
        let questions = std::mem::take(&mut self.analyst.questions);
        for asked in questions {
            if is_refused(&asked) {
                let (request, why) = (asked.request, why.clone());
                self.tell(asked.client, TableEvent::Refused { request, why });
            } else {
                self.analyst.questions.push_back(asked);
            }
        }
    }

    pub(super) fn on_progress(&mut self, progress: AnalysisProgress) {
        let Some(subject) = self.analyst.subject else {
            return;
        };
        match progress {
            AnalysisProgress::Lines => match subject {
                Subject::Question(..) => self.send_thoughts(),
                Subject::Node(node) => self.send_lines(node),
                Subject::Review => {}
            },
            AnalysisProgress::Finished(best) => {
                match subject {
                    Subject::Question(..) => self.answer(best),
                    Subject::Node(node) => {
                        self.send_lines(node);
                        self.end_study(StudyEnd::Finished);
                    }
                    Subject::Review => self.receive_reviewed(&best),
                }
                self.analyst.subject = None;
            }
            AnalysisProgress::Restarted(fault) => self.tell_all(TableEvent::Fault {
                engine: "the analysing engine".to_owned(),
                text: format!("{fault}; it was restarted"),
            }),
            // The game is not affected; the next question starts a new engine.
            AnalysisProgress::Failed(fault) => {
                self.analyst.subject = None;
                let why = format!("the built-in engine: {fault}");
                match subject {
                    Subject::Question(..) => {
                        self.refuse_questions(|_| true, &Refusal::Engine { reason: why });
                    }
                    _ => self.end_study(StudyEnd::Failed { why }),
                }
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
        let (request, what, side) = (asked.request, asked.what, self.side_at(asked.node));
        let code = Some(best.code);
        let event = TableEvent::Analysis {
            request,
            what,
            side,
            analysis: Analysis {
                code,
                ..best.thought.into()
            },
        };
        self.tell(asked.client, event);
        self.tell(asked.client, TableEvent::Done { request });
    }

    /// Starts an analysis of a node, or of the current node as the game proceeds.
    pub(super) fn analyse(
        &mut self,
        client: ClientId,
        node: Option<NodeId>,
        lines: Option<u32>,
        seconds: Option<f64>,
    ) -> Done {
        let n_lines = lines.unwrap_or(1);
        Amount::Lines.check(n_lines.into(), 1.0..=MAX_LINES.into())?;
        let time = seconds.map(parse_seconds).transpose()?;
        self.refuse_unknown(node.unwrap_or_default())?;
        let (_, board) = self.position_at(node.unwrap_or(self.tree.here()))?;
        if board.outcome().is_some() {
            return refuse(Refusal::OverThere);
        }
        self.request_study(client, node, n_lines as usize, time, None);
        Ok(())
    }

    /// Starts a review of the line through the current node, from the first move to the last.
    pub(super) fn review_game(&mut self, client: ClientId, seconds: f64) -> Done {
        let time = parse_seconds(seconds)?;
        let path = self.tree.path(self.tree.forward(usize::MAX));
        let codes = path.iter().filter_map(|node| self.tree.ply(*node));
        let codes = codes.map(|ply| ply.code.clone()).collect();
        let review = Review::new(&self.rules, &self.opening, codes)?;
        if review.n_plies() == 0 {
            return refuse(Refusal::NothingToReview);
        }
        let n_plies = review.n_plies();
        self.request_study(client, None, n_plies, Some(time), Some((review, path)));
        Ok(())
    }

    /// Starts a study, which ends the current one. A guest's study has a time limit, and waits for that of another
    /// client, if that one has a time limit.
    fn request_study(
        &mut self,
        client: ClientId,
        node: Option<NodeId>,
        total: usize,
        time: Option<Duration>,
        review: Option<(Review, Vec<NodeId>)>,
    ) {
        let (what, n_positions) = match review {
            Some(_) => (StudyKind::Review, total as u32 + 1),
            None => (StudyKind::Analysis, 1),
        };
        let name = self.name_of(client);
        let told = RunningStudy {
            what,
            client,
            name,
            node,
            total,
        };
        let mut study = Study { told, time, review };
        let analyst = &mut self.analyst;
        analyst.waiting.retain(|other| other.told.client != client);
        if self.clients.is_host(client) {
            return self.begin_study(study);
        }
        let limit = GUEST_STUDY / n_positions;
        study.time = Some(time.map_or(limit, |time| time.min(limit)));
        let is_others = |current: &Study| current.told.client != client && current.time.is_some();
        if analyst.study.as_ref().is_some_and(is_others) {
            analyst.waiting.push_back(study);
        } else {
            self.begin_study(study);
        }
    }

    pub(super) fn begin_study(&mut self, study: Study) {
        self.end_study(StudyEnd::Replaced);
        self.analyst.leave_study();
        let told = study.told.clone();
        self.analyst.told.begin(told.clone());
        self.analyst.study = Some(study);
        self.tell_all(TableEvent::AnalysisStarted(told));
    }

    /// Stops the analysis or the review. A guest whose own is waiting cancels that one; the host's stop ends all.
    pub(super) fn stop_study(&mut self, client: ClientId) -> Done {
        let is_host = self.clients.is_host(client);
        if self.analyst.study.is_none() {
            return refuse(Refusal::NoAnalysis);
        }
        let waiting = &mut self.analyst.waiting;
        let n_waiting = waiting.len();
        waiting.retain(|other| !is_host && other.told.client != client);
        if is_host || waiting.len() == n_waiting {
            self.end_study(StudyEnd::Stopped);
        }
        Ok(())
    }

    /// Ends the study, if one is running, and sends the reason to all clients.
    pub(super) fn end_study(&mut self, end: StudyEnd) {
        if let Some(study) = self.analyst.study.take() {
            self.analyst.told.running = None;
            self.tell_all(TableEvent::AnalysisEnded {
                what: study.told.what,
                end,
            });
        }
    }

    /// Cancels the questions and the study of a client that leaves.
    pub(super) fn forget_asker(&mut self, client: ClientId) {
        let analyst = &mut self.analyst;
        analyst.questions.retain(|asked| asked.client != client);
        let is_his = |study: &Study| study.told.client == client;
        analyst.waiting.retain(|study| !is_his(study));
        if analyst.study.as_ref().is_some_and(is_his) {
            self.end_study(StudyEnd::AskerLeft);
        }
    }

    /// A node's `position` command and position.
    pub(super) fn position_at(
        &self,
        node: NodeId,
    ) -> Result<(String, Box<dyn DynHistory>), TableError> {
        let mut board = self.rules.open(&self.opening)?;
        let mut position = format!("position {}", self.opening);
        if self.opening.moves.is_empty() {
            position.push_str(" moves");
        }
        for ply in self.tree.path(node) {
            if let Some(ply) = self.tree.ply(ply) {
                position.push(' ');
                position.push_str(&board.play(&ply.code)?);
            }
        }
        Ok((position, board))
    }

    /// Stores new lines of the analysis if they are the deepest of their node, and sends them to all clients.
    pub(super) fn send_lines(&mut self, node: NodeId) {
        let analyser = &self.analyst.analyser;
        if analyser.lines().lines.is_empty() {
            return;
        }
        let analysed = AnalysedNode {
            node,
            side: self.side_at(node),
            engine: analyser.engine_name(),
            found: analyser.lines().clone(),
        };
        self.analyst.told.keep(analysed.clone());
        self.tell_all(TableEvent::Analysed(analysed));
    }

    /// The side to move at a node.
    fn side_at(&self, node: NodeId) -> Side {
        match (self.tree.ply(node), self.tree.ply(NodeId(1))) {
            (Some(ply), _) => ply.side.other(),
            (None, first) => first.map_or(self.side(), |first| first.side),
        }
    }

    /// Evaluates a position that the engine has searched for the review.
    pub(super) fn receive_reviewed(&mut self, best: &BestMove) {
        let analyst = &mut self.analyst;
        let study = analyst.study.as_mut();
        let Some((review, path)) = study.and_then(|study| study.review.as_mut()) else {
            return;
        };
        let plies = review.take(&best.code, &best.thought);
        let total = review.n_plies();
        let is_done = review.position().is_none();
        let nodes = path[analyst.told.review.len()..].to_vec();
        for (node, ply) in nodes.into_iter().zip(plies) {
            let ply = ReviewedNode { node, ply };
            let reviewed = &mut self.analyst.told.review;
            reviewed.push(ply.clone());
            let done = reviewed.len();
            self.tell_all(TableEvent::Reviewed { done, total, ply });
        }
        if is_done {
            self.end_study(StudyEnd::Finished);
        }
    }
}

fn parse_seconds(seconds: f64) -> Result<Duration, Refusal> {
    Amount::Time.check(seconds, MIN_SECONDS..=MAX_SECONDS)?;
    Ok(Duration::from_secs_f64(seconds))
}
