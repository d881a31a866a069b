//! Starting, driving and ending analyses and reviews.

use std::time::Duration;

use crate::model::{
    Amount, AnalysedNode, ClientId, NodeId, Refusal, ReviewedNode, RunningStudy, StudyEnd,
    TableEvent,
};
use kit::{DynHistory, Side};
use protocol::Go;
use referee::analysis::{MAX_LINES, Review, Task};
use referee::engine::BestMove;

use crate::analyst::{GameReview, NodeAnalysis, Study};
use crate::error::{TableError, refuse};
use crate::state::Table;

/// Permitted time for an analysis, or for one position of a review, in seconds.
const MIN_SECONDS: f64 = 0.001;
const MAX_SECONDS: f64 = 86_400.0;

/// Maximum time of a guest's analysis or review.
pub(super) const GUEST_STUDY: Duration = Duration::from_secs(60);

/// Extra time after an analysis should have ended; then the engine counts as failed.
pub(super) const MARGIN: Duration = Duration::from_secs(60);

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
        if !(1..=MAX_LINES).contains(&n_lines) {
            return refuse(Refusal::OutOfRange {
                what: Amount::Lines,
                least: 1.0,
                most: f64::from(MAX_LINES),
            });
        }
        let bound = seconds.map(parse_seconds).transpose()?;
        let bound = match self.study_limit(client) {
            Some(limit) => Some(bound.map_or(limit, |bound| bound.min(limit))),
            None => bound,
        };
        self.refuse_unknown(node.unwrap_or_default())?;
        let (_, board) = self.position_at(node.unwrap_or(self.tree.here()))?;
        if board.outcome().is_some() {
            return refuse(Refusal::OverThere);
        }
        self.request_study(Study::Analysis(NodeAnalysis {
            client,
            node,
            n_lines,
            bound,
        }));
        Ok(())
    }

    /// Starts a review of the line through the current node, from the first move to the last.
    pub(super) fn review_game(&mut self, client: ClientId, seconds: f64) -> Result<(), TableError> {
        let time = parse_seconds(seconds)?;
        let end = self.tree.forward(usize::MAX);
        let path = self.tree.path(end);
        let codes = path.iter().filter_map(|node| self.tree.ply(*node));
        let codes = codes.map(|ply| ply.code.clone()).collect();
        let review = Review::new(&self.rules, &self.opening, codes)?;
        if review.n_plies() == 0 {
            return refuse(Refusal::NothingToReview);
        }
        let n_positions = u32::try_from(review.n_plies() + 1).unwrap_or(u32::MAX);
        let limit = self.study_limit(client).map(|limit| limit / n_positions);
        let time = limit.map_or(time, |limit| time.min(limit));
        self.request_study(Study::Review(Box::new(GameReview {
            client,
            review,
            time,
            path,
            n_searched: 0,
        })));
        Ok(())
    }

    /// Maximum time of a client's study; `None` for the host.
    fn study_limit(&self, client: ClientId) -> Option<Duration> {
        (!self.clients.is_host(client)).then_some(GUEST_STUDY)
    }

    /// Starts a study, which ends the current one. A guest's study waits for that of another client, if that one has a
    /// time limit.
    fn request_study(&mut self, study: Study) {
        let client = study.client();
        let state = &mut self.analyst.study;
        state.waiting.retain(|other| other.client() != client);
        let is_busy = state
            .current
            .as_ref()
            .is_some_and(|current| current.client() != client && current.is_bounded());
        if is_busy && !self.clients.is_host(client) {
            state.waiting.push_back(study);
        } else {
            self.begin_study(study);
        }
    }

    pub(super) fn begin_study(&mut self, study: Study) {
        let (what, client) = (study.kind(), study.client());
        self.end_study(StudyEnd::Replaced);
        self.analyst.leave_study();
        let info = self
            .clients
            .find(client)
            .map(|client| client.info.name.clone());
        let (node, total) = match &study {
            Study::Analysis(analysis) => (analysis.node, analysis.n_lines as usize),
            Study::Review(review) => (None, review.review.n_plies()),
        };
        let running = RunningStudy {
            what,
            client,
            name: info.unwrap_or_default(),
            node,
            total,
        };
        let state = &mut self.analyst.study;
        state.current = Some(study);
        state.told.begin(running.clone());
        self.tell_all(TableEvent::AnalysisStarted(running));
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
            .retain(|other| !is_host && other.client() != client);
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
                what: study.kind(),
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
        waiting.retain(|study| study.client() != client);
        let study = &self.analyst.study.current;
        if study.as_ref().is_some_and(|study| study.client() == client) {
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
        match study {
            Some(Study::Review(review)) => Ok(review_task(review)),
            Some(Study::Analysis(analysis)) => {
                let (position, board) = self.position_at(node)?;
                Ok(Task {
                    position,
                    board,
                    go: Go {
                        infinite: analysis.bound.is_none(),
                        move_time: analysis.bound,
                        ..Go::default()
                    },
                    n_lines: analysis.n_lines,
                    allowance: analysis.bound.map_or(UNBOUNDED, |bound| bound + MARGIN),
                    n_restarts: 1,
                })
            }
            None => refuse(Refusal::NoAnalysis),
        }
    }

    /// Stores new lines of the analysis if they are the deepest of their node, and sends them to all clients.
    pub(super) fn send_lines(&mut self, node: NodeId) {
        let (found, engine) = self.found();
        if found.lines.is_empty() {
            return;
        }
        let analysed = AnalysedNode {
            node,
            side: self.side_at(node),
            engine,
            found: found.clone(),
        };
        self.analyst.study.told.keep(analysed.clone());
        self.tell_all(TableEvent::Analysed(analysed));
    }

    /// Evaluates a position that the engine has searched for the review.
    pub(super) fn receive_reviewed(&mut self, best: &BestMove) {
        let state = &mut self.analyst.study;
        let Some(Study::Review(review)) = &mut state.current else {
            return;
        };
        let plies = review.review.take(&best.code, &best.thought);
        review.n_searched += 1;
        let total = review.review.n_plies();
        let is_done = review.review.position().is_none();
        let nodes = review.path[state.told.review.len()..].to_vec();
        for (node, ply) in nodes.into_iter().zip(plies) {
            self.send_ply(ReviewedNode { node, ply }, total);
        }
        if is_done {
            self.end_study(StudyEnd::Finished);
        }
    }

    fn send_ply(&mut self, ply: ReviewedNode, total: usize) {
        let reviewed = &mut self.analyst.study.told.review;
        reviewed.push(ply.clone());
        let done = reviewed.len();
        self.tell_all(TableEvent::Reviewed { done, total, ply });
    }

    fn side_at(&self, node: NodeId) -> Side {
        match self.tree.ply(node) {
            Some(ply) => ply.side.other(),
            None => match self.tree.children(node).first() {
                Some(child) => self.tree.ply(*child).map_or(self.side(), |ply| ply.side),
                None => self.side(),
            },
        }
    }
}

fn review_task(review: &GameReview) -> Task {
    Task {
        position: review.review.position().unwrap_or_default().to_owned(),
        board: review.review.board(),
        go: Go {
            move_time: Some(review.time),
            ..Go::default()
        },
        n_lines: 1,
        allowance: review.time + MARGIN,
        n_restarts: 1,
    }
}

fn parse_seconds(seconds: f64) -> Result<Duration, TableError> {
    if (MIN_SECONDS..=MAX_SECONDS).contains(&seconds) {
        return Ok(Duration::from_secs_f64(seconds));
    }
    refuse(Refusal::OutOfRange {
        what: Amount::Time,
        least: MIN_SECONDS,
        most: MAX_SECONDS,
    })
}
