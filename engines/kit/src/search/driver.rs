//! Iterative deepening: the thread that decides, and those that help it.

use std::cmp::Reverse;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Instant;

use super::score::{self, Score, mate_distance};
use super::worker::{RootMove, Worker};
use super::{Limits, Line, Progress, Request, SharedState, Skill};
use crate::{Evaluate, PositionHistory};

/// The deepest iteration; selective lines may go on to [`MAX_PLY`](score::MAX_PLY).
const MAX_DEPTH: u32 = 200;

/// A helper thread: searches the same root to fill the shared table. So that it does not do what others are just doing, one in
/// two takes the root's moves from the last, the best apart, and the other looks a ply deeper.
pub(super) fn help<G: Evaluate>(
    history: &PositionHistory<G>,
    request: &Request<G::Move>,
    crew: &SharedState<'_>,
    count: &AtomicU64,
    number: u32,
) {
    let mut worker = Worker::new(history.clone(), crew, count, request.technique);
    let mut moves = root_moves(history, request);
    let is_backwards = number % 2 == 1;
    let extra = u32::from(!is_backwards);
    for depth in 1..=last_depth(&request.limits) {
        if is_backwards {
            moves[1..].reverse();
        }
        if !worker.search_root(&mut moves, (depth + extra) as i32) {
            break;
        }
    }
}

/// The thread that decides: deepens, reports and ends the search.
pub(super) struct Driver<'a, G: Evaluate> {
    worker: Worker<'a, G>,
    moves: Vec<RootMove<G::Move>>,
    request: &'a Request<G::Move>,
    crew: &'a SharedState<'a>,
    counts: &'a [AtomicU64],
    started: Instant,
    depth: u32,
    /// Iterations in a row that named the same move.
    stability: u32,
}

impl<'a, G: Evaluate> Driver<'a, G> {
    pub(super) fn new(
        worker: Worker<'a, G>,
        history: &PositionHistory<G>,
        request: &'a Request<G::Move>,
        crew: &'a SharedState<'a>,
        counts: &'a [AtomicU64],
    ) -> Driver<'a, G> {
        let moves = root_moves(history, request);
        Driver {
            worker,
            moves,
            request,
            crew,
            counts,
            started: Instant::now(),
            depth: 0,
            stability: 0,
        }
    }

    pub(super) fn run(
        &mut self,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move> {
        let n_lines = self
            .request
            .skill
            .lines(self.request.n_lines)
            .min(self.moves.len());
        for depth in 1..=last_depth(&self.request.limits).min(self.request.skill.depth()) {
            if !self.iterate(depth, n_lines) {
                break;
            }
            self.depth = depth;
            progress(&self.progress());
            if self.is_done(n_lines) {
                break;
            }
        }
        if self.worker.is_stopped() {
            progress(&self.progress());
        }
        self.weaken(n_lines);
        self.progress()
    }

    /// Puts the line first that the skill level chooses.
    fn weaken(&mut self, n_lines: usize) {
        let skill = self.request.skill;
        if skill == Skill::FULL || self.depth == 0 {
            return;
        }
        let scores: Vec<Score> = self.moves[..n_lines]
            .iter()
            .map(|root| root.score)
            .collect();
        let chosen = skill.choose(&scores, self.request.seed ^ self.worker.key());
        self.moves[..=chosen].rotate_right(1);
    }

    /// Finds the best lines at one depth; whether it came to its end.
    fn iterate(&mut self, depth: u32, n_lines: usize) -> bool {
        let before = self.moves[0].mv();
        for line in 0..n_lines {
            if !self
                .worker
                .search_root(&mut self.moves[line..], depth as i32)
            {
                return false;
            }
        }
        self.moves[..n_lines].sort_by_key(|root| Reverse(root.score));
        self.stability = if self.moves[0].mv() == before {
            self.stability + 1
        } else {
            0
        };
        true
    }

    /// Whether another iteration would not change the move or would not fit the time.
    fn is_done(&self, n_lines: usize) -> bool {
        self.is_proved(n_lines) || self.is_past_soft_limit()
    }

    /// Whether each line is known to the end.
    fn is_proved(&self, n_lines: usize) -> bool {
        let is_within = |n: i32| n.unsigned_abs() <= self.depth;
        self.moves[..n_lines]
            .iter()
            .all(|root| mate_distance(root.score).is_some_and(is_within))
    }

    fn is_past_soft_limit(&self) -> bool {
        let (Some(budget), Some(elapsed)) =
            (self.request.limits.budget, self.crew.control.elapsed())
        else {
            return false;
        };
        // A fixed time for the move has nothing to save for later.
        if budget.soft == budget.hard {
            return elapsed >= budget.hard;
        }
        let has_choice = self.moves.len() > 1;
        let doubt = if self.stability < 2 { 1.4 } else { 0.9 };
        !has_choice || elapsed >= budget.soft.mul_f64(doubt)
    }

    fn progress(&mut self) -> Progress<G::Move> {
        for root in self.moves.iter_mut().take(self.request.n_lines) {
            if mate_distance(root.score).is_some_and(|plies| plies > root.pv.len() as i32) {
                self.worker.complete(&mut root.pv);
            }
        }
        let helpers: u64 = self.counts[1..]
            .iter()
            .map(|count| count.load(Relaxed))
            .sum();
        let lines = self.moves.iter().take(self.request.n_lines);
        Progress {
            depth: self.depth,
            seldepth: self.worker.seldepth as u32,
            lines: lines
                .map(|root| Line {
                    score: root.score,
                    pv: root.pv.clone(),
                })
                .collect(),
            nodes: self.worker.nodes + helpers,
            time: self.started.elapsed(),
            hashfull: self.crew.table.hashfull(),
            notes: Vec::new(),
        }
    }
}

fn last_depth(limits: &Limits) -> u32 {
    limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
}

/// The candidates, the most promising first; the seed decides among equals.
fn root_moves<G: Evaluate>(
    history: &PositionHistory<G>,
    request: &Request<G::Move>,
) -> Vec<RootMove<G::Move>> {
    let mut moves = request.moves.clone();
    if request.seed != 0 {
        fastrand::Rng::with_seed(request.seed).shuffle(&mut moves);
    }
    let promise = history.game().move_priors(history.position());
    moves.sort_by_cached_key(|&mv| Reverse(promise(mv)));
    moves
        .into_iter()
        .map(|mv| RootMove {
            pv: vec![mv],
            score: score::DRAW,
        })
        .collect()
}
