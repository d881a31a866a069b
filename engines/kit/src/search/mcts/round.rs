//! A round of a search: threads play games until the search is over or the tree needs a change.

use std::sync::atomic::Ordering::Relaxed;
use std::thread;

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
