//! Iterative deepening: the first thread, which reports and ends the search, and its helper threads.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;

use super::resources::{Help, with_helpers};
use super::score::{DRAW, INFINITE, mate_distance};
use super::shared::{Iteration, RootMove, Shared};
use super::worker::PvsWorker;
use super::{Budget, Limits, Line, Progress};
use crate::{Evaluate, Notation, PositionHistory};
use protocol::Bound;

/// The last iteration. Extensions may search deeper, up to [`MAX_PLY`](super::MAX_PLY).
const MAX_DEPTH: u32 = 200;

/// Number of different depths at which helper threads search.
const N_DEPTHS: usize = 4;

/// Searches on all threads until a limit or the control ends it. The node limit is divided among the threads.
pub(super) fn search<G: Evaluate + Notation>(
    history: &PositionHistory<G>,
    shared: &Shared<'_, G::Move>,
    progress: &mut dyn FnMut(&Progress),
) -> Progress {
    let n_threads = shared.nodes.len();
    let max_nodes = shared.request.limits.nodes.unwrap_or(u64::MAX);
    let helper_nodes = max_nodes / n_threads as u64;
    let worker = |number, nodes| PvsWorker::new(history.clone(), shared, number, nodes);
    let mut help = |number| -> Help<'_> {
        let helper = worker(number, helper_nodes);
        Box::new(move || run_helper(helper, shared, number))
    };
    let mut found = None;
    let mut lead = |n_helpers, note: Option<String>| {
        let first = worker(0, max_nodes - n_helpers as u64 * helper_nodes);
        note.into_iter()
            .for_each(|note| progress(&Progress::note(note)));
        found = Some(Driver::new(first, shared).run(progress));
    };
    with_helpers(&shared.halt, n_threads - 1, &mut help, &mut lead);
    found.expect("the first thread searches")
}

/// Runs helper thread `number` (Lazy SMP): it searches the same root until it is halted, to fill the shared table and to
/// be the first at a depth. After the best move it tries the root moves in reverse order, and it begins some plies
/// deeper than the first thread, so that the threads search different parts of the tree.
fn run_helper<G: Evaluate + Notation>(
    mut worker: PvsWorker<'_, G>,
    shared: &Shared<'_, G::Move>,
    number: usize,
) {
    let order = worker.root_moves();
    let last = last_depth(&shared.request.limits);
    let stagger = (number % N_DEPTHS) as u32;
    let mut best = order[0].clone();
    let ahead_of = |depth: u32| (depth + stagger).min(last).max(depth);
    let mut depth = ahead_of(1);
    while depth <= last {
        let mut moves = vec![best.clone()];
        moves.extend(
            order
                .iter()
                .rev()
                .filter(|root| root.mv() != best.mv())
                .cloned(),
        );
        if worker.search_root(&mut moves, depth as i32, best.score) {
            best = moves.swap_remove(0);
            shared.store(Iteration {
                depth,
                seldepth: worker.seldepth,
                best: best.clone(),
            });
            depth += 1;
        } else if let Some(found) = shared.at_least(depth) {
            best = found.best;
            depth = ahead_of(found.depth + 1);
        } else {
            break;
        }
    }
}

/// The first thread: it deepens, reports and ends the search.
struct Driver<'a, G: Evaluate> {
    worker: PvsWorker<'a, G>,
    moves: Vec<RootMove<G::Move>>,
    /// The best lines so far, best first. They are those of the last complete iteration, except where a later iteration
    /// found a better line or a proof.
    lines: Vec<RootMove<G::Move>>,
    shared: &'a Shared<'a, G::Move>,
    depth: u32,
    /// Number of iterations in a row with the same best move.
    stability: u32,
}

impl<'a, G: Evaluate + Notation> Driver<'a, G> {
    fn new(worker: PvsWorker<'a, G>, shared: &'a Shared<'a, G::Move>) -> Driver<'a, G> {
        let moves = worker.root_moves();
        let n_lines = shared.request.n_lines.clamp(1, moves.len());
        Driver {
            lines: moves[..n_lines].to_vec(),
            worker,
            moves,
            shared,
            depth: 0,
            stability: 0,
        }
    }

    fn run(&mut self, progress: &mut dyn FnMut(&Progress)) -> Progress {
        while self.depth < last_depth(&self.shared.request.limits) {
            let is_complete = self.iterate(self.depth + 1);
            progress(&self.progress());
            if !is_complete || self.is_proved() || self.is_past_soft_limit() {
                break;
            }
        }
        self.progress()
    }

    /// Finds the best lines at one depth, or takes the best line of a thread that was there first. Returns `false` if
    /// stopped.
    fn iterate(&mut self, depth: u32) -> bool {
        let n_lines = self.lines.len();
        for i in 0..n_lines {
            let guess = self.lines[i].score;
            if !self
                .worker
                .search_root(&mut self.moves[i..], depth as i32, guess)
            {
                let Some(found) = self.shared.at_least(depth) else {
                    self.keep_unfinished(i);
                    return false;
                };
                self.worker.seldepth = self.worker.seldepth.max(found.seldepth);
                let is_best = |root: &RootMove<G::Move>| root.mv() == found.best.mv();
                let at = self.moves.iter().position(is_best);
                self.moves[..=at.unwrap_or(0)].rotate_right(1);
                self.moves[0] = found.best;
                self.complete(found.depth);
                return true;
            }
        }
        self.moves[..n_lines].sort_by_key(|root| Reverse(root.score));
        self.shared.store(Iteration {
            depth,
            seldepth: self.worker.seldepth,
            best: self.moves[0].clone(),
        });
        self.complete(depth);
        true
    }

    /// Ends an iteration with the first moves as its lines.
    fn complete(&mut self, depth: u32) {
        let n_lines = self.lines.len();
        self.depth = depth;
        let is_same = self.moves[0].mv() == self.lines[0].mv();
        self.stability = if is_same { self.stability + 1 } else { 0 };
        self.lines.clone_from_slice(&self.moves[..n_lines]);
    }

    /// Keeps the results of an iteration that was stopped while it searched line `n_found`. All other lines remain
    /// those of the last complete iteration.
    fn keep_unfinished(&mut self, n_found: usize) {
        let n_lines = self.lines.len();
        let found = match n_found {
            0 => vec![self.best_unfinished()],
            _ => self.moves[..n_found].to_vec(),
        };
        let is_new = |line: &RootMove<G::Move>| found.iter().all(|root| root.mv() != line.mv());
        self.lines.retain(is_new);
        self.lines.splice(..0, found);
        self.lines.truncate(n_lines);
    }

    /// The move to play if an iteration was stopped before its best line was complete. A move that is proven lost is
    /// played only if all are.
    fn best_unfinished(&self) -> RootMove<G::Move> {
        let latest_loss = || self.moves.iter().rev().max_by_key(|root| root.score);
        let mut moves = self.moves.iter();
        let best = moves.find(|root| !root.is_proven_loss());
        let best = best.or_else(latest_loss).expect("a root has moves");
        // The score of the last complete iteration is more precise than an upper bound.
        let is_line =
            |line: &&RootMove<_>| line.mv() == best.mv() && best.bound == Some(Bound::Upper);
        self.lines.iter().find(is_line).unwrap_or(best).clone()
    }

    /// `true` if each line is a forced end within the completed depth.
    fn is_proved(&self) -> bool {
        let is_within = |n: i32| n.unsigned_abs() <= self.depth;
        let mut lines = self.lines.iter();
        lines.all(|root| mate_distance(root.score).is_some_and(is_within))
    }

    fn is_past_soft_limit(&self) -> bool {
        let Some(elapsed) = self.shared.control.elapsed() else {
            return false;
        };
        match self.shared.request.limits.budget {
            Budget::None => false,
            Budget::Fixed(time) => elapsed >= time,
            Budget::Clock { soft, .. } => {
                let has_choice = self.moves.len() > 1;
                let doubt = if self.stability < 2 { 1.4 } else { 0.9 };
                !has_choice || elapsed >= soft.mul_f64(doubt)
            }
        }
    }

    fn progress(&mut self) -> Progress {
        let helpers = self.shared.nodes[1..].iter();
        let helpers: u64 = helpers.map(|nodes| nodes.load(Relaxed)).sum();
        let lines = self.lines.iter();
        let lines = lines.map(|root| line(root, &mut self.worker)).collect();
        Progress {
            depth: self.depth,
            seldepth: self.worker.seldepth as u32,
            lines,
            nodes: self.worker.nodes + helpers,
            hashfull: self.shared.table.hashfull(),
            ..Progress::default()
        }
    }
}

/// A root move as reported. A known win is extended to its end, and a move not yet searched has the score of a draw.
fn line<G: Evaluate + Notation>(root: &RootMove<G::Move>, worker: &mut PvsWorker<'_, G>) -> Line {
    let mut pv = root.pv.clone();
    if mate_distance(root.score).is_some_and(|plies| plies > pv.len() as i32) {
        worker.complete(&mut pv);
    }
    Line {
        score: if root.score > -INFINITE {
            root.score
        } else {
            DRAW
        },
        bound: root.bound,
        pv: worker.history.codes(&pv),
    }
}

fn last_depth(limits: &Limits) -> u32 {
    limits.depth.unwrap_or(MAX_DEPTH).clamp(1, MAX_DEPTH)
}
