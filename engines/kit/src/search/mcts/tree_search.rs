//! The state of a tree search that its threads share, and the conditions that end it.

use std::collections::HashSet;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use crossbeam_utils::CachePadded;

use super::node::{Node, Nodes, Tally};
use super::pool::NodePool;
use crate::search::score::DRAW;
use crate::search::{Budget, Control, Request};
use crate::{Evaluate, Game, PositionHistory};

/// Random games from a leaf: the descent and the update of the tree take longer than a game.
pub(super) const GAMES_PER_LEAF: usize = 2;
/// Games before the first report; the number doubles for each further report.
const FIRST_REPORT: u64 = 1_000;
/// If the most visited move is no longer the best one, a search may take this many soft limits.
const DOUBT_FACTOR: f64 = 2.0;
/// Moves with less than one part in this many of the best move's visits are not considered better.
const MIN_PART_OF_VISITS: u32 = 8;

/// The reason why a round ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RoundEnd {
    /// The search is over.
    Over,
    /// All memory is in use.
    Full,
    /// Counts have to be halved.
    LargeCounts,
}

/// The state of a search between its rounds.
pub(super) struct Totals {
    started: Instant,
    pub(super) n_rounds: u64,
    pub(super) n_games: u64,
    pub(super) next_report: u64,
    pub(super) longest_line: usize,
    /// Set while there is time to prune the tree.
    pub(super) may_prune: bool,
}

impl Totals {
    pub(super) fn new() -> Totals {
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

/// The moves of a board by their indices, as far as they have occurred in this round.
pub(super) struct KnownMoves<G: Game>(Vec<OnceLock<G::Move>>);

impl<G: Game> KnownMoves<G> {
    fn new(game: &G) -> KnownMoves<G> {
        let n_indices = game.n_move_indices();
        KnownMoves((0..n_indices).map(|_| OnceLock::new()).collect())
    }

    /// Stores a move and returns its index.
    pub(super) fn register(&self, game: &G, mv: G::Move) -> usize {
        let index = game.move_index(mv);
        self.0[index].get_or_init(|| mv);
        index
    }

    /// The legal move with this index.
    #[inline]
    pub(super) fn get(&self, history: &PositionHistory<G>, index: usize) -> G::Move {
        *self.0[index].get_or_init(|| find_move(history, index))
    }
}

/// Finds a move by its index. A node expanded in an earlier round may have moves that are not registered in this round.
#[cold]
fn find_move<G: Game>(history: &PositionHistory<G>, index: usize) -> G::Move {
    let mut moves = history.moves().into_iter();
    let found = moves.find(|&mv| history.game().move_index(mv) == index);
    found.expect("a node's children are legal moves")
}

/// A round of a search, shared by its threads.
pub(super) struct TreeSearch<'a, G: Evaluate> {
    pub(super) pool: &'a NodePool,
    pub(super) n_threads: usize,
    pub(super) moves: KnownMoves<G>,
    /// Move indices of the root moves to choose from; `None` for all.
    candidates: Option<HashSet<usize>>,
    pub(super) history: &'a PositionHistory<G>,
    pub(super) request: &'a Request<G::Move>,
    pub(super) control: &'a Control,
    pub(super) started: Instant,
    pub(super) round: u64,
    may_prune: bool,
    max_games: u64,
    pub(super) halt: AtomicBool,
    /// Games begun. It has a separate cache line because all threads write it and only read the other fields.
    pub(super) games: CachePadded<AtomicU64>,
    pub(super) n_positions: AtomicU64,
}

impl<'a, G: Evaluate> TreeSearch<'a, G> {
    pub(super) fn new(
        pool: &'a NodePool,
        n_threads: usize,
        history: &'a PositionHistory<G>,
        request: &'a Request<G::Move>,
        control: &'a Control,
        totals: &Totals,
    ) -> TreeSearch<'a, G> {
        let (game, n_legal) = (history.game(), history.moves().len());
        let moves = KnownMoves::new(game);
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

    /// The change that the tree needs before the next game.
    #[inline]
    pub(super) fn tree_needs(&self) -> Option<RoundEnd> {
        if self.pool.is_full() && self.may_prune {
            Some(RoundEnd::Full)
        } else if self.pool.has_large_counts() {
            Some(RoundEnd::LargeCounts)
        } else {
            None
        }
    }

    /// Counts new games and returns their number: [`GAMES_PER_LEAF`], fewer at the limit, or 0 beyond it.
    pub(super) fn begin_games(&self) -> usize {
        let n_new = |games| {
            self.max_games
                .saturating_sub(games)
                .min(GAMES_PER_LEAF as u64)
        };
        let more = |games| Some(games + n_new(games));
        let before = self.games.fetch_update(Relaxed, Relaxed, more);
        before.map_or(0, |games| n_new(games) as usize)
    }

    /// `true` if all legal moves are candidates.
    pub(super) fn has_all_moves(&self) -> bool {
        self.candidates.is_none()
    }

    /// The root's children to choose from.
    pub(super) fn roots(&self) -> impl Iterator<Item = Node<'a>> {
        let pool: &'a NodePool = self.pool;
        let children: Nodes<'a> = pool.children(pool.root());
        children.iter().filter(|child| {
            let candidates = self.candidates.as_ref();
            candidates.is_none_or(|candidates| candidates.contains(&child.move_index()))
        })
    }

    /// `true` if more games cannot change the result: there are as many proven wins as requested lines, or every move
    /// is proven.
    pub(super) fn is_decided(&self) -> bool {
        let (mut n_wins, mut are_all_proven) = (0, true);
        for child in self.roots() {
            match child.proven() {
                Some(score) => n_wins += usize::from(score < DRAW),
                None => are_all_proven = false,
            }
        }
        are_all_proven || n_wins >= self.request.n_lines.max(1)
    }

    pub(super) fn is_late(&self) -> bool {
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
