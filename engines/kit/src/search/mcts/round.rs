//! A round of a search: threads play games until the search is over or the tree needs a change. Its state in the terms of
//! all searches: lines and scores.

use std::cmp::Reverse;
use std::sync::atomic::Ordering::Relaxed;
use std::thread;

use super::super::Line;
use super::super::score::Score;
use super::node::Node;
use super::selection::{Ranking, from_child};
use super::tree_search::{RoundEnd, Totals, TreeSearch};
use super::worker::MctsWorker;
use crate::Evaluate;
use crate::search::control::StopCheck;
use crate::search::resources::Helpers;
use crate::search::{HaltOnDrop, Progress};

/// Leaves between checks of the clock.
const POLL_INTERVAL: u64 = 4;

impl<G: Evaluate> TreeSearch<'_, G> {
    /// Runs the round on all threads.
    pub(super) fn run(
        &self,
        progress: &mut dyn FnMut(&Progress<G::Move>),
        totals: &mut Totals,
    ) -> RoundEnd {
        let mut worker = self.worker(0);
        worker.expand_root();
        if self.roots().next().is_none() {
            return RoundEnd::Full;
        }
        let end = thread::scope(|scope| {
            let _guard = HaltOnDrop(&self.halt);
            let helpers = Helpers::start(scope, self.n_threads - 1, |number| {
                move || self.run_helper(number as u64)
            });
            if let Some(note) = helpers
                .note(self.n_threads)
                .filter(|_| totals.n_rounds == 0)
            {
                progress(&Progress::note(note));
            }
            self.lead(&mut worker, progress, totals)
        });
        totals.n_games = self.games.load(Relaxed);
        totals.n_rounds += 1;
        end
    }

    fn worker(&self, number: u64) -> MctsWorker<'_, G> {
        let playout = self.history.game().playout();
        let playout = playout.expect("only games with playouts are searched by MCTS");
        let seed = self.request.seed ^ number << 48 ^ self.round << 32;
        MctsWorker::new(self.history.clone(), self, playout, seed)
    }

    /// The loop of the helper threads.
    fn run_helper(&self, number: u64) {
        let mut worker = self.worker(number);
        while !self.halt.load(Relaxed) && self.tree_needs().is_none() {
            match self.begin_games() {
                0 => break,
                n_games => worker.play_games(n_games),
            }
        }
        self.finish(&mut worker);
    }

    /// The loop of the first thread, which also reports and ends the search.
    fn lead(
        &self,
        worker: &mut MctsWorker<'_, G>,
        progress: &mut dyn FnMut(&Progress<G::Move>),
        totals: &mut Totals,
    ) -> RoundEnd {
        let check = StopCheck {
            control: self.control,
            max_nodes: u64::MAX,
            interval: POLL_INTERVAL,
        };
        // The first leaf is always visited, so that there is a result.
        let mut n: u64 = if totals.n_rounds == 0 { 0 } else { 1 };
        let end = loop {
            if n > 0 && (check.must_stop(n, || self.is_late()) || self.is_decided()) {
                break RoundEnd::Over;
            }
            if let Some(need) = self.tree_needs() {
                break need;
            }
            match self.begin_games() {
                0 => break RoundEnd::Over,
                n_games => worker.play_games(n_games),
            }
            n += 1;
            totals.longest_line = totals.longest_line.max(worker.longest_line);
            let games = self.games.load(Relaxed);
            if games >= totals.next_report {
                totals.next_report = 2 * games;
                progress(&self.progress(totals.longest_line));
            }
        };
        self.finish(worker);
        end
    }

    fn finish(&self, worker: &mut MctsWorker<'_, G>) {
        worker.flush();
        self.n_positions.fetch_add(worker.n_positions, Relaxed);
    }
}

impl<G: Evaluate> TreeSearch<'_, G> {
    /// The best lines so far. The depth is the length of the best line.
    pub(super) fn progress(&self, longest_line: usize) -> Progress<G::Move> {
        let mut roots: Vec<Node<'_>> = self.roots().collect();
        let ranking = Ranking::new(roots.iter().copied());
        // Other threads change the counts meanwhile, so each rank is read once: a sort whose keys change may panic.
        roots.sort_by_cached_key(|child| Reverse(ranking.of(*child)));
        let asked = roots.iter().take(self.request.n_lines.max(1));
        let lines: Vec<Line<G::Move>> = asked.map(|child| self.line(*child)).collect();
        Progress {
            depth: lines[0].pv.len() as u32,
            seldepth: longest_line as u32,
            lines,
            nodes: self.games.load(Relaxed),
            time: self.started.elapsed(),
            hashfull: self.pool.fullness(),
            tb_hits: 0,
            notes: Vec::new(),
        }
    }

    /// A root move with the moves expected after it.
    fn line(&self, child: Node<'_>) -> Line<G::Move> {
        let mut history = self.history.clone();
        let mut pv = Vec::new();
        let mut next = Some(child);
        while let Some(node) = next {
            let mv = self.moves.get(&history, node.move_index());
            pv.push(mv);
            history.play(mv);
            let children = self.pool.children(node).iter();
            let ranking = Ranking::new(self.pool.children(node).iter());
            let best = children.max_by_key(|child| ranking.of(*child));
            next = best.filter(|child| child.own().visits > 0);
        }
        if history.outcome().is_none() {
            pv.extend(history.game().win_in_one(history.position()));
        }
        Line::exact(score(child), pv)
    }
}

/// The score of a move for the player who makes it.
fn score(child: Node<'_>) -> Score {
    match child.proven() {
        Some(score) => from_child(score),
        None => centi(child.own().share()),
    }
}

/// Converts a share of points to a score: the Elo difference that predicts this share.
fn centi(share: f64) -> Score {
    (400.0 * (share / (1.0 - share)).log10()) as Score
}

#[cfg(test)]
mod tests {
    use super::centi;

    #[test]
    fn shares_score_around_zero() {
        assert_eq!(centi(0.5), 0);
        assert!(centi(0.9) > 300 && centi(0.1) < -300);
    }
}
