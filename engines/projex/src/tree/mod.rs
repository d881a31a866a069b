//! Monte Carlo tree search: random games judge a position of Projex better than a static score.
//!
//! Each game descends the tree by the moves' mean results, AMAF (RAVE; Gelly and Silver 2007) and the policy's
//! probabilities (`selection`), continues from a leaf with a [random game](RandomPlayout), and adds its result to all nodes
//! on its path (`worker`), near the root several at a time (`deferred`). Proven results are backed up as scores, so the
//! search proves forced wins (MCTS-Solver). All threads share one tree (`nodes`), which is kept from one search to the
//! next. This module has the search that the threads share: its limits, its end and its reports.
//!
//! [RandomPlayout]: crate::playout::RandomPlayout

mod deferred;
mod nodes;
mod selection;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use crossbeam_utils::CachePadded;
use kit::search::resources::{Help, with_helpers};
use kit::search::{Budget, Control, Line, OwnSearch, Progress, Request, SearchScore};
use kit::{Evaluate, Game, PositionHistory};

use crate::rules::{Move, Projex};
use nodes::{MAX_VISITS, Nodes, ROOT, Tally};
use selection::{from_child, ranked};
use worker::{GAMES_PER_LEAF, Search, Worker};

/// Leaves between checks of the clock.
const POLL_INTERVAL: u64 = 4;
/// Games before the first report; the number doubles for each further report.
const FIRST_REPORT: u64 = 1_000;
/// If the most visited move is no longer the best one, a search may take this many soft limits.
const DOUBT_FACTOR: f64 = 2.0;
/// Moves with less than one part in this many of the best move's visits are not considered better.
const MIN_PART_OF_VISITS: u32 = 8;

/// The tree of the last search.
#[derive(Debug)]
pub struct SearchTree {
    nodes: Nodes,
    /// Ply and key of the position at the root; `None` for an empty tree.
    root: Option<(usize, u64)>,
}

impl SearchTree {
    /// Creates an empty tree with up to `mib` MiB of memory; `None` if the system does not give them.
    pub(crate) fn new(mib: usize) -> Option<SearchTree> {
        let nodes = Nodes::new(mib)?;
        Some(SearchTree { nodes, root: None })
    }

    /// Move index and visits of each move at the root.
    pub fn root_visits(&self) -> Vec<(usize, u32)> {
        let visits = |child| (self.nodes.move_index(child), self.nodes.own(child).visits);
        self.nodes.children(ROOT).map(visits).collect()
    }

    /// Makes the position the root. If it follows from the previous root by further moves, the tree below it is kept.
    fn set_root(&mut self, history: &PositionHistory<Projex>) {
        let new = (history.ply(), history.search_key());
        let last = self.root.replace(new).filter(|&(ply, key)| {
            let mut earlier = history.clone();
            earlier.rewind(ply);
            (earlier.ply(), earlier.search_key()) == (ply, key)
        });
        match last {
            Some((ply, _)) => {
                let played = history.played().skip(ply);
                let indices = played.map(|mv| history.game().move_index(mv));
                self.nodes.follow(indices);
            }
            None => self.nodes.clear(),
        }
    }
}

impl OwnSearch<Projex> for SearchTree {
    fn search(
        &mut self,
        n_threads: usize,
        history: &PositionHistory<Projex>,
        request: &Request,
        control: &Control,
        progress: &mut dyn FnMut(&Progress),
    ) -> Progress {
        self.set_root(history);
        let n_legal = history.moves().len();
        let index = |&mv: &Move| history.game().move_index(mv);
        let games_left = MAX_VISITS.saturating_sub(self.nodes.own(ROOT).visits);
        let search = Search {
            nodes: &self.nodes,
            n_threads,
            candidates: (request.moves.len() < n_legal)
                .then(|| history.legal(&request.moves).iter().map(index).collect()),
            history,
            request,
            control,
            max_games: (request.limits.nodes.unwrap_or(u64::MAX))
                .min(games_left.into())
                .max(1),
            halt: AtomicBool::new(false),
            games: CachePadded::new(AtomicU64::new(0)),
            n_positions: AtomicU64::new(0),
        };
        search.run(progress)
    }
}

impl Search<'_> {
    /// Runs the search on all threads.
    fn run(&self, progress: &mut dyn FnMut(&Progress)) -> Progress {
        let mut worker = Worker::new(self, 0);
        worker.expand(ROOT);
        let mut help = |number: usize| -> Help<'_> { Box::new(move || self.help(number as u64)) };
        let mut lead = |_, note: Option<String>| {
            note.into_iter()
                .for_each(|note| progress(&Progress::note(note)));
            self.lead(&mut worker, progress);
        };
        with_helpers(&self.halt, self.n_threads - 1, &mut help, &mut lead);
        let end = self.progress(worker.longest_line);
        progress(&end);
        end
    }

    /// The loop of the helper threads.
    fn help(&self, number: u64) {
        let mut worker = Worker::new(self, number);
        while !self.halt.load(Relaxed) {
            match self.begin_games() {
                0 => break,
                n_games => worker.play_games(n_games),
            }
        }
        self.finish(&mut worker);
    }

    /// The loop of the first thread, which also reports and ends the search. The first leaf is always visited, so that
    /// there is a result.
    fn lead(&self, worker: &mut Worker<'_>, progress: &mut dyn FnMut(&Progress)) {
        let mut next_report = FIRST_REPORT;
        for n in 0.. {
            let is_late = || n % POLL_INTERVAL == 0 && self.is_late();
            if n > 0 && (self.control.is_stopped() || is_late() || self.is_decided()) {
                break;
            }
            match self.begin_games() {
                0 => break,
                n_games => worker.play_games(n_games),
            }
            let games = self.games.load(Relaxed);
            if games >= next_report {
                next_report = 2 * games;
                progress(&self.progress(worker.longest_line));
            }
        }
        self.finish(worker);
    }

    fn finish(&self, worker: &mut Worker<'_>) {
        worker.flush();
        self.n_positions.fetch_add(worker.n_positions, Relaxed);
    }

    /// Counts new games and returns their number: [`GAMES_PER_LEAF`], fewer at the limit, or 0 beyond it.
    fn begin_games(&self) -> usize {
        let n_new = |games| {
            let left: u64 = self.max_games - games;
            left.min(GAMES_PER_LEAF as u64)
        };
        let more = |games| Some(games + n_new(games));
        let before = self.games.fetch_update(Relaxed, Relaxed, more);
        before.map_or(0, |games| n_new(games) as usize)
    }

    /// `true` if more games cannot change the result: there are as many proven wins as requested lines, or every move
    /// is proven.
    fn is_decided(&self) -> bool {
        let (mut n_wins, mut are_all_proven) = (0, true);
        for child in self.roots() {
            match self.nodes.proven(child) {
                Some(score) => n_wins += usize::from(score < 0),
                None => are_all_proven = false,
            }
        }
        are_all_proven || n_wins >= self.request.n_lines.max(1)
    }

    fn is_late(&self) -> bool {
        let Some(elapsed) = self.control.elapsed() else {
            return false;
        };
        match self.request.limits.budget {
            Budget::None => false,
            Budget::Fixed(time) => elapsed >= time,
            Budget::Clock { soft, hard } => {
                let has_choice = self.roots().nth(1).is_some();
                elapsed >= hard || !has_choice || self.is_clear(soft, elapsed)
            }
        }
    }

    /// `true` if more time would hardly change the move: no other move can still overtake its visits, or the time is up
    /// and the most visited move is also the best. Proven losses are ignored.
    fn is_clear(&self, soft: Duration, elapsed: Duration) -> bool {
        let is_lost = |child: &usize| self.nodes.proven(*child).is_some_and(|score| score > 0);
        let open = || {
            let open = self.roots().filter(|child| !is_lost(child));
            open.map(|child| self.nodes.own(child))
        };
        let (mut first, mut second) = (Tally::default(), 0);
        for own in open() {
            second = second.max(own.visits.min(first.visits));
            if own.visits > first.visits {
                first = own;
            }
        }
        let is_better = |own: Tally| {
            own.visits >= first.visits / MIN_PART_OF_VISITS && own.share() > first.share()
        };
        let share_left = soft.saturating_sub(elapsed).as_secs_f64() / elapsed.as_secs_f64();
        let games_left = self.games.load(Relaxed) as f64 * share_left;
        if open().any(is_better) {
            elapsed >= soft.mul_f64(DOUBT_FACTOR)
        } else {
            elapsed >= soft || f64::from(first.visits - second) > games_left
        }
    }

    /// The best lines so far. The depth is the length of the best line.
    fn progress(&self, longest_line: usize) -> Progress {
        let best = ranked(self.nodes, self.roots()).into_iter();
        let asked = best.take(self.request.n_lines.max(1));
        let lines: Vec<Line> = asked.map(|child| self.line(child)).collect();
        Progress {
            depth: lines[0].pv.len() as u32,
            seldepth: longest_line as u32,
            lines,
            nodes: self.games.load(Relaxed),
            positions: Some(self.n_positions.load(Relaxed)),
            hashfull: self.nodes.fullness(),
            ..Progress::default()
        }
    }

    /// A root move with the moves expected after it.
    fn line(&self, child: usize) -> Line {
        let mut history = self.history.clone();
        let mut pv = Vec::new();
        let mut next = Some(child);
        while let Some(node) = next {
            let mv = Move::at(self.nodes.move_index(node), history.game().board());
            pv.push(mv);
            history.play(mv);
            let best = ranked(self.nodes, self.nodes.children(node))
                .first()
                .copied();
            next = best.filter(|&child| self.nodes.own(child).visits > 0);
        }
        if history.outcome().is_none() {
            pv.extend(history.game().win_in_one(history.position()));
        }
        let score = match self.nodes.proven(child) {
            Some(score) => from_child(score),
            None => centi(self.nodes.own(child).share()),
        };
        Line::exact(score, self.history.codes(&pv))
    }
}

/// Converts a share of points to a score: the Elo difference that predicts this share.
fn centi(share: f64) -> SearchScore {
    (400.0 * (share / (1.0 - share)).log10()) as SearchScore
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_score_around_zero() {
        assert_eq!(centi(0.5), 0);
        assert!(centi(0.9) > 300 && centi(0.1) < -300);
    }

    #[test]
    fn the_tree_is_kept_only_for_the_same_game() {
        let play = |codes: &str| {
            let mut history: PositionHistory<Projex> = laws::testing::at("Size=4", "startpos");
            laws::testing::play(&mut history, codes);
            history
        };
        let search = |tree: &mut SearchTree, codes: &str, games| {
            let history = play(codes);
            let request = laws::searches::request(&history, kit::search::Limits::nodes(games));
            let control = Control::default();
            tree.search(1, &history, &request, &control, &mut |_| {});
            tree.nodes.own(ROOT).visits
        };
        let mut tree = SearchTree::new(1).expect("memory");
        assert_eq!(search(&mut tree, "", 3_000), 3_000);
        let best = tree.root_visits().into_iter().max_by_key(|&(_, n)| n);
        let (index, n_visits) = best.expect("a move");
        let history = play("");
        let code = history.code(Move::at(index, history.game().board()));
        assert_eq!(search(&mut tree, &code, 100), n_visits + 100);
        assert_eq!(search(&mut tree, "", 100), 100, "an earlier position");
    }
}
