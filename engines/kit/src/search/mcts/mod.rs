//! Monte Carlo tree search, for games where random games judge better than a static score.
//!
//! [`SearchTree::search`] begins it. Each game goes down the tree by the moves' share of points and by AMAF, plays on at
//! random from a leaf (the game's own [`Playout`](crate::playout::Playout)), and adds its result to all nodes on its path
//! (`worker`). Proven results go up the tree as scores, so forced wins are proved. All threads share one tree (`pool`,
//! `node`); near the root they add results a few at a time (`deferred`).
//!
//! A search runs in rounds. A round ends when the search is over, or when the tree needs a change that no thread may watch:
//! memory is short, or counts become too large.

mod deferred;
mod node;
mod pool;
mod report;
mod worker;

use std::collections::HashSet;
use std::iter;
use std::mem;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

use super::helpers::Helpers;
use super::{Budget, Control, HaltOnDrop, Progress, Request, mate};
use crate::hash::hash;
use crate::search::score::DRAW;
use crate::{Evaluate, Game, PositionHistory};
use node::{Node, Nodes, Tally};
use pool::NodePool;
use worker::MctsWorker;

/// Games between two looks at the clock.
const POLL_INTERVAL: u64 = 4;
/// Games before the first report; each further report comes after twice as many.
const FIRST_REPORT: u64 = 1_000;
/// A search whose most visited move is not the best any more may take this many soft limits.
const DOUBT_FACTOR: f64 = 2.0;
/// Moves with less than this part of the best move's visits, one in so many, are not considered best.
const MIN_PART_OF_VISITS: u32 = 8;

/// The tree, kept from one search to the next.
#[derive(Debug)]
pub(super) struct SearchTree {
    pool: NodePool,
    /// The game that led to the root.
    root: Option<RootId>,
    /// Memory that was asked for and not given, to be told once.
    note: Option<String>,
    /// Nodes of all paths since the tree was made or cleared.
    n_positions: u64,
}

/// A position with the game that led to it. Positions of equal keys are not enough: the moves before them decide which
/// repetitions draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct RootId {
    ply: usize,
    hash: u64,
}

impl RootId {
    /// The position at a ply of a game, if the game is so long.
    fn at<G: Game>(history: &PositionHistory<G>, ply: usize) -> Option<RootId> {
        if ply > history.ply() {
            return None;
        }
        let mut start = history.clone();
        start.rewind(0);
        let moves = history.played().take(ply);
        let indices = moves.map(|mv| history.game().move_index(mv) as u64);
        let hash = hash(iter::once(start.search_key()).chain(indices));
        Some(RootId { ply, hash })
    }
}

impl SearchTree {
    /// An empty tree with up to `mib` MiB of memory.
    pub(super) fn new(mib: usize) -> SearchTree {
        let pool = NodePool::new(mib);
        let lacks = pool.mib() < mib;
        SearchTree {
            note: lacks.then(|| mate::less_memory(pool.mib(), mib)),
            pool,
            root: None,
            n_positions: 0,
        }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.pool.clear();
        self.root = None;
        self.n_positions = 0;
    }

    /// Nodes of all paths since the tree was made or cleared.
    pub(super) fn n_positions(&self) -> u64 {
        self.n_positions
    }

    /// Searches a position of a game that has playouts until a limit or `control` ends it.
    pub(super) fn search<G: Evaluate>(
        &mut self,
        n_threads: usize,
        history: &PositionHistory<G>,
        request: &Request<G::Move>,
        control: &Control,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move> {
        if let Some(note) = self.note.take() {
            progress(&Progress::note(note));
        }
        self.set_root(history);
        let mut totals = Totals::new();
        loop {
            let pool = &self.pool;
            let mut round = TreeSearch::new(pool, n_threads, history, request, control, &totals);
            let end = round.run(progress, &mut totals);
            self.n_positions += *round.n_positions.get_mut();
            match end {
                RoundEnd::Over => {
                    let end = round.progress(totals.longest_line);
                    progress(&end);
                    return end;
                }
                RoundEnd::LargeCounts => self.pool.halve_counts(),
                RoundEnd::Full if self.may_prune(request, control) => self.pool.prune(),
                RoundEnd::Full => totals.may_prune = false,
            }
        }
    }

    /// Whether the time limit leaves enough to prune the tree. A root without moves must have them in any case.
    fn may_prune<M>(&self, request: &Request<M>, control: &Control) -> bool {
        let (Some(hard), Some(elapsed)) = (request.limits.budget.hard(), control.elapsed()) else {
            return true;
        };
        let is_bare = self.pool.root().block().is_none();
        is_bare || self.pool.pruning_time() < hard.saturating_sub(elapsed) / 2
    }

    /// Makes the position the root. If it comes from the last root by further moves, the tree below it is kept.
    fn set_root<G: Game>(&mut self, history: &PositionHistory<G>) {
        let game = history.game();
        let last = mem::replace(&mut self.root, RootId::at(history, history.ply()));
        let is_earlier = |last: &RootId| RootId::at(history, last.ply) == Some(*last);
        match last.filter(is_earlier) {
            Some(last) => {
                let played = history.played().skip(last.ply);
                self.pool.follow(played.map(|mv| game.move_index(mv)));
            }
            None => self.pool.clear(),
        }
    }
}

/// Why a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum RoundEnd {
    /// The search is over.
    Over,
    /// All memory is in use.
    Full,
    /// Counts have to be halved.
    LargeCounts,
}

/// The state of a search between its rounds.
struct Totals {
    started: Instant,
    n_rounds: u64,
    n_games: u64,
    next_report: u64,
    longest_line: usize,
    /// Whether there is time to prune the tree.
    may_prune: bool,
}

impl Totals {
    fn new() -> Totals {
        Totals {
            started: Instant::now(),
            n_rounds: 0,
            n_games: 0,
            next_report: FIRST_REPORT,
            longest_line: 0,
            may_prune: true,
        }
    }
}

/// The moves of a board by their indices, as far as this round has met them.
struct Moves<G: Game>(Vec<OnceLock<G::Move>>);

impl<G: Game> Moves<G> {
    fn new(game: &G) -> Moves<G> {
        let n_indices = game.n_move_indices();
        Moves((0..n_indices).map(|_| OnceLock::new()).collect())
    }

    /// Stores a move and returns its index.
    fn register(&self, game: &G, mv: G::Move) -> usize {
        let index = game.move_index(mv);
        self.0[index].get_or_init(|| mv);
        index
    }

    /// The legal move with this index.
    #[inline]
    fn get(&self, history: &PositionHistory<G>, index: usize) -> G::Move {
        *self.0[index].get_or_init(|| find_move(history, index))
    }
}

/// A node that was expanded earlier may have moves that this round has not met.
#[cold]
fn find_move<G: Game>(history: &PositionHistory<G>, index: usize) -> G::Move {
    let mut moves = history.moves().into_iter();
    let found = moves.find(|&mv| history.game().move_index(mv) == index);
    found.expect("a node's children are legal moves")
}

/// A round of a search, as its threads share it.
struct TreeSearch<'a, G: Evaluate> {
    pool: &'a NodePool,
    n_threads: usize,
    moves: Moves<G>,
    /// The indices of the root moves to choose from; `None` for all.
    candidates: Option<HashSet<usize>>,
    history: &'a PositionHistory<G>,
    request: &'a Request<G::Move>,
    control: &'a Control,
    started: Instant,
    round: u64,
    may_prune: bool,
    max_games: u64,
    halt: AtomicBool,
    /// Games begun. On a cache line of its own: all threads write it and read the rest.
    games: CachePadded<AtomicU64>,
    n_positions: AtomicU64,
}

impl<'a, G: Evaluate> TreeSearch<'a, G> {
    fn new(
        pool: &'a NodePool,
        n_threads: usize,
        history: &'a PositionHistory<G>,
        request: &'a Request<G::Move>,
        control: &'a Control,
        totals: &Totals,
    ) -> TreeSearch<'a, G> {
        let (game, n_legal) = (history.game(), history.moves().len());
        let moves = Moves::new(game);
        let register = |&mv: &G::Move| moves.register(game, mv);
        let is_choice = request.moves.len() < n_legal;
        TreeSearch {
            pool,
            n_threads,
            candidates: is_choice.then(|| request.moves.iter().map(register).collect()),
            moves,
            history,
            request,
            control,
            started: totals.started,
            round: totals.n_rounds,
            may_prune: totals.may_prune,
            max_games: request.limits.nodes.unwrap_or(u64::MAX).max(1),
            halt: AtomicBool::new(false),
            games: CachePadded::new(AtomicU64::new(totals.n_games)),
            n_positions: AtomicU64::new(0),
        }
    }

    /// Runs the round on all threads.
    fn run(&self, progress: &mut dyn FnMut(&Progress<G::Move>), totals: &mut Totals) -> RoundEnd {
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

    /// The loop of every thread but the first.
    fn run_helper(&self, number: u64) {
        let mut worker = self.worker(number);
        while !self.halt.load(Relaxed) && self.tree_needs().is_none() && self.begin_game() {
            worker.play_game();
        }
        self.finish(&mut worker);
    }

    /// The loop of the first thread: it also reports and ends the search.
    fn lead(
        &self,
        worker: &mut MctsWorker<'_, G>,
        progress: &mut dyn FnMut(&Progress<G::Move>),
        totals: &mut Totals,
    ) -> RoundEnd {
        // The first game is played in any case, so that there is a result.
        let mut n: u64 = if totals.n_rounds == 0 { 0 } else { 1 };
        let end = loop {
            let is_polling = n.is_multiple_of(POLL_INTERVAL);
            if n > 0 && (self.is_over() || is_polling && self.is_late()) {
                break RoundEnd::Over;
            }
            if let Some(need) = self.tree_needs() {
                break need;
            }
            if !self.begin_game() {
                break RoundEnd::Over;
            }
            worker.play_game();
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

    /// The change that the tree needs before the next game.
    #[inline]
    fn tree_needs(&self) -> Option<RoundEnd> {
        if self.pool.is_full() && self.may_prune {
            Some(RoundEnd::Full)
        } else if self.pool.has_large_counts() {
            Some(RoundEnd::LargeCounts)
        } else {
            None
        }
    }

    /// Counts a game that begins; `false` if there were enough.
    fn begin_game(&self) -> bool {
        let one_more = |games| (games < self.max_games).then_some(games + 1);
        let counted = self.games.fetch_update(Relaxed, Relaxed, one_more);
        counted.is_ok()
    }

    /// The root's children that may be chosen.
    fn roots(&self) -> impl Iterator<Item = Node<'a>> {
        let pool: &'a NodePool = self.pool;
        let children: Nodes<'a> = pool.children(pool.root());
        children.iter().filter(|child| {
            let candidates = self.candidates.as_ref();
            candidates.is_none_or(|candidates| candidates.contains(&child.move_index()))
        })
    }

    /// Whether the search was stopped, or more games cannot change its result: there are as many proven wins as lines asked
    /// for, or every move is proven.
    fn is_over(&self) -> bool {
        let (mut n_wins, mut are_all_proven) = (0, true);
        for child in self.roots() {
            match child.proven() {
                Some(score) => n_wins += usize::from(score < DRAW),
                None => are_all_proven = false,
            }
        }
        self.control.is_stopped() || are_all_proven || n_wins >= self.request.n_lines.max(1)
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

    /// Whether more time would hardly change the move: no other move can get as many visits any more, or the time is up and
    /// the most visited move is also the best. Proven losses do not count.
    fn is_clear(&self, soft: Duration, elapsed: Duration) -> bool {
        let is_lost = |child: Node<'_>| child.proven().is_some_and(|score| score > DRAW);
        let open = || self.roots().filter(|child| !is_lost(*child)).map(Node::own);
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
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::hash::mix;
    use crate::playout::{AmafMoves, Playout};
    use crate::search::Limits;
    use crate::{OptionDecl, Options, Outcome, Rejection, Side};

    /// A long game that tells nothing of its moves before its end: a player takes 1 or 2 of 60 stones, and the last stone
    /// wins or loses by chance.
    #[derive(Clone)]
    struct Stones;

    impl Game for Stones {
        const NAME: &'static str = "stones";
        type Position = u64;
        type Move = u64;
        type Undo = ();

        fn options() -> Vec<OptionDecl> {
            Vec::new()
        }
        fn new(_: &Options) -> Stones {
            Stones
        }
        fn start(&self) -> u64 {
            0
        }
        fn side(&self, taken: &u64) -> Side {
            Side::BOTH[(taken >> 32) as usize % 2]
        }
        fn outcome(&self, taken: &u64) -> Option<Outcome> {
            let is_over = taken & 0xffff_ffff >= 60;
            is_over.then(|| Outcome::Win(Side::BOTH[mix(*taken) as usize % 2]))
        }
        fn moves(&self, _: &u64, moves: &mut Vec<u64>) {
            moves.extend([1, 2]);
        }
        fn check(&self, _: &u64, _: u64) -> Result<(), Rejection> {
            Ok(())
        }
        fn play(&self, taken: &mut u64, count: u64) {
            *taken += count + (1 << 32);
        }
        fn undo(&self, taken: &mut u64, count: u64, (): ()) {
            *taken -= count + (1 << 32);
        }
        fn key(&self, taken: &u64) -> u64 {
            *taken
        }
        fn move_index(&self, count: u64) -> usize {
            count as usize
        }
        fn n_move_indices(&self) -> usize {
            3
        }
    }

    impl Evaluate for Stones {
        fn evaluate(&self, _: &u64) -> i32 {
            0
        }
        fn playout(&self) -> Option<Box<dyn Playout<Stones>>> {
            Some(Box::new(Chance))
        }
    }

    struct Chance;

    impl Playout<Stones> for Chance {
        fn play(
            &mut self,
            _: &PositionHistory<Stones>,
            rng: &mut fastrand::Rng,
            _: &mut AmafMoves,
        ) -> Outcome {
            Outcome::Win(Side::BOTH[rng.usize(..2)])
        }
    }

    fn search(tree: &mut SearchTree, n_threads: usize, games: u64) -> Progress<u64> {
        let history = PositionHistory::start(Stones);
        let limits = Limits {
            nodes: Some(games),
            ..Limits::default()
        };
        let request = Request::new(history.moves(), limits);
        let control = Control::new(Instant::now(), false);
        tree.search(n_threads, &history, &request, &control, &mut |_| {})
    }

    /// Counts after hours of analysis: one move has won nearly all of its games, the other has lost them.
    #[test]
    fn counts_near_their_bound_do_not_overflow() {
        for n_threads in [1, 2] {
            let mut tree = SearchTree::new(2);
            search(&mut tree, n_threads, 1_000);
            let many = (1 << 30) - 100;
            let children = tree.pool.children(tree.pool.root());
            for (child, points) in children.iter().zip([2 * many, many / 4]) {
                let games = Tally {
                    visits: many / 2,
                    points: points / 2,
                };
                child.add(games);
                child.add_amaf(games);
                tree.pool.root().add(games);
            }
            let found = search(&mut tree, n_threads, 20_000);
            assert_eq!(found.nodes, 20_000);
            let line = &found.lines[0];
            assert_eq!(line.pv[0], 1);
            assert!(line.score > 1_000, "{line:?}");
            let visits = tree.pool.root().own().visits;
            assert!(visits > 1 << 28 && visits <= 1 << 30, "{visits}");
        }
    }

    #[test]
    fn the_tree_is_kept_only_for_the_same_game() {
        let mut tree = SearchTree::new(2);
        let mut history = PositionHistory::start(Stones);
        tree.set_root(&history);
        let id = tree.root;
        history.play(1);
        history.play(2);
        assert_eq!(RootId::at(&history, 0), id);
        let mut other = PositionHistory::start(Stones);
        other.play(2);
        other.play(1);
        assert_eq!(history.position(), other.position());
        assert_ne!(RootId::at(&history, 2), RootId::at(&other, 2));
        assert_eq!(RootId::at(&history, 3), None);
    }
}
