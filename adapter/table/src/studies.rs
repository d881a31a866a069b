//! Starting, driving and ending analyses and reviews.

use std::time::Duration;

use crate::model::{
    Amount, AnalysedNode, ClientId, NodeId, Refusal, ReviewedNode, RunningStudy, StudyEnd,
    StudyKind, TableEvent,
};
use kit::{DynHistory, Side};
use protocol::Go;
use referee::analysis::{MAX_LINES, Review, Task};
use referee::engine::BestMove;

use crate::analyst::{GameReview, MARGIN, Study};
use crate::error::{TableError, refuse};
use crate::state::Table;

/// Permitted time for an analysis, or for one position of a review, in seconds.
const MIN_SECONDS: f64 = 0.001;
const MAX_SECONDS: f64 = 86_400.0;

/// Maximum time of a guest's analysis or review.
pub(super) const GUEST_STUDY: Duration = Duration::from_secs(60);

/// Effectively unlimited: the allowance of a search that is ended by `stop`.
const UNBOUNDED: Duration = Duration::from_secs(366 * 86_400);

impl Table {
    /// Starts an analysis of a node, or of the current node as the game proceeds.
    pub(super) fn analyse(
        &mut self,
        client: ClientId,
        node: Option<NodeId>,
        lines: Option<u32>,
        seconds: Option<f64>,
    ) -> Result<(), TableError> {
        let n_lines = lines.unwrap_or(1);
        Amount::Lines.check(n_lines.into(), 1.0..=MAX_LINES.into())?;
        let time = seconds.map(parse_seconds).transpose()?;
        let time = match self.study_limit(client) {
            Some(limit) => Some(time.map_or(limit, |time| time.min(limit))),
            None => time,
        };
        self.refuse_unknown(node.unwrap_or_default())?;
        let (_, board) = self.position_at(node.unwrap_or(self.tree.here()))?;
        if board.outcome().is_some() {
            return refuse(Refusal::OverThere);
        }
        self.request_study(Study {
            told: RunningStudy {
                what: StudyKind::Analysis,
                client,
                name: self.name_of(client),
                node,
                total: n_lines as usize,
            },
            time,
            review: None,
        });
        Ok(())
    }

    /// Starts a review of the line through the current node, from the first move to the last.
    pub(super) fn review_game(&mut self, client: ClientId, seconds: f64) -> Result<(), TableError> {
        let time = parse_seconds(seconds)?;
        let path = self.tree.path(self.tree.forward(usize::MAX));
        let codes = path.iter().filter_map(|node| self.tree.ply(*node));
        let codes = codes.map(|ply| ply.code.clone()).collect();
        let review = Review::new(&self.rules, &self.opening, codes)?;
        if review.n_plies() == 0 {
            return refuse(Refusal::NothingToReview);
        }
        let n_positions = u32::try_from(review.n_plies() + 1).unwrap_or(u32::MAX);
        let limit = self.study_limit(client).map(|limit| limit / n_positions);
        self.request_study(Study {
            told: RunningStudy {
                what: StudyKind::Review,
                client,
                name: self.name_of(client),
                node: None,
                total: review.n_plies(),
            },
            time: Some(limit.map_or(time, |limit| time.min(limit))),
            review: Some(GameReview {
                review,
                path,
                n_searched: 0,
            }),
        });
        Ok(())
    }

    /// Maximum time of a client's study; `None` for the host.
    fn study_limit(&self, client: ClientId) -> Option<Duration> {
        (!self.clients.is_host(client)).then_some(GUEST_STUDY)
    }

    /// Starts a study, which ends the current one. A guest's study waits for that of another client, if that one has a
    /// time limit.
    fn request_study(&mut self, study: Study) {
        let client = study.told.client;
        let state = &mut self.analyst.study;
        state.waiting.retain(|other| other.told.client != client);
        let is_others = |current: &Study| current.told.client != client && current.time.is_some();
        let is_busy = state.current.as_ref().is_some_and(is_others);
        if is_busy && !self.clients.is_host(client) {
            state.waiting.push_back(study);
        } else {
            self.begin_study(study);
        }
    }

    pub(super) fn begin_study(&mut self, study: Study) {
        self.end_study(StudyEnd::Replaced);
        self.analyst.leave_study();
        let told = study.told.clone();
        self.analyst.study.told.begin(told.clone());
        self.analyst.study.current = Some(study);
        self.tell_all(TableEvent::AnalysisStarted(told));
    }

    /// Stops the analysis or the review. A guest whose own is waiting cancels that one; the host's stop ends all.
    pub(super) fn stop_study(&mut self, client: ClientId) -> Result<(), TableError> {
        let is_host = self.clients.is_host(client);
        let state = &mut self.analyst.study;
        if state.current.is_none() {
            return refuse(Refusal::NoAnalysis);
        }
        let n_waiting = state.waiting.len();
        state
            .waiting
            .retain(|other| !is_host && other.told.client != client);
        if is_host || state.waiting.len() == n_waiting {
            self.end_study(StudyEnd::Stopped);
        }
        Ok(())
    }

    /// Ends the study, if one is running, and sends the reason to all clients.
    pub(super) fn end_study(&mut self, end: StudyEnd) {
        if let Some(study) = self.analyst.study.current.take() {
            self.analyst.study.told.running = None;
            self.tell_all(TableEvent::AnalysisEnded {
                what: study.told.what,
                end,
            });
        }
    }

    /// Cancels the questions and the study of a client that leaves.
    pub(super) fn forget_asker(&mut self, client: ClientId) {
        self.analyst
            .questions
            .retain(|asked| asked.client != client);
        let waiting = &mut self.analyst.study.waiting;
        waiting.retain(|study| study.told.client != client);
        let study = &self.analyst.study.current;
        if study
            .as_ref()
            .is_some_and(|study| study.told.client == client)
        {
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

    /// The search that the current study needs next.
    pub(super) fn study_task(&self, node: NodeId) -> Result<Task, TableError> {
        let study = self.analyst.study.current.as_ref();
        let Study { told, time, review } = study.ok_or(Refusal::NoAnalysis)?;
        let (position, board, n_lines) = match review {
            Some(GameReview { review, .. }) => {
                let position = review.position().unwrap_or_default();
                (position.to_owned(), review.board(), 1)
            }
            None => {
                let (position, board) = self.position_at(node)?;
                (position, board, told.total as u32)
            }
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
        self.analyst.study.told.keep(analysed.clone());
        self.tell_all(TableEvent::Analysed(analysed));
    }

    /// Evaluates a position that the engine has searched for the review.
    pub(super) fn receive_reviewed(&mut self, best: &BestMove) {
        let state = &mut self.analyst.study;
        let study = state.current.as_mut();
        let Some(review) = study.and_then(|study| study.review.as_mut()) else {
            return;
        };
        let plies = review.review.take(&best.code, &best.thought);
        review.n_searched += 1;
        let total = review.review.n_plies();
        let is_done = review.review.position().is_none();
        let nodes = review.path[state.told.review.len()..].to_vec();
        for (node, ply) in nodes.into_iter().zip(plies) {
            let ply = ReviewedNode { node, ply };
            let reviewed = &mut self.analyst.study.told.review;
            reviewed.push(ply.clone());
            let done = reviewed.len();
            self.tell_all(TableEvent::Reviewed { done, total, ply });
        }
        if is_done {
            self.end_study(StudyEnd::Finished);
        }
    }

    /// The side to move at a node.
    pub(super) fn side_at(&self, node: NodeId) -> Side {
        let child = self.tree.children(node).next();
        let after = child.and_then(|child| self.tree.ply(child));
        match (self.tree.ply(node), after) {
            (Some(ply), _) => ply.side.other(),
            (None, Some(ply)) => ply.side,
            (None, None) => self.side(),
        }
    }
}

fn parse_seconds(seconds: f64) -> Result<Duration, Refusal> {
    Amount::Time.check(seconds, MIN_SECONDS..=MAX_SECONDS)?;
    Ok(Duration::from_secs_f64(seconds))
}
