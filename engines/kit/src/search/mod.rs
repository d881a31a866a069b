//! The search: which move to play.
//!
//! [`Searcher::search`] is the entry. Most games are searched by principal variation search: `driver` holds iterative deepening,
//! `worker` the recursion of one thread, [`table`] the transposition table that threads share, [`ordering`] the order of
//! moves, [`limits`] when a search ends by itself, [`control`] how other threads end it. Games that have playouts are searched
//! by `mcts`. `mate` answers `go mate` by [`proof`]. `uct` is a baseline. Nothing here knows text or the protocol.

pub mod control;
mod driver;
mod helpers;
pub mod heuristics;
pub mod limits;
mod mate;
mod mcts;
pub mod ordering;
pub mod proof;
pub mod score;
pub mod skill;
pub mod table;
mod uct;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

pub use control::Control;
pub use heuristics::Heuristics;
pub use limits::{Budget, Clock, Limits};
pub use score::{MAX_PLY, Score, mate_distance};
pub use skill::Skill;
pub use table::{Bound, TranspositionTable};

use crate::{Evaluate, PositionHistory};
use driver::Driver;
use helpers::Helpers;
use mcts::SearchTree;
use uct::Tree;
use worker::Worker;

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// By the method that plays the game best.
    #[default]
    Best,
    /// Principal variation search in every game.
    Pvs,
    /// Plain UCT with random playouts: the baseline.
    Uct,
}

/// What to search for.
#[derive(Debug, Clone)]
pub struct Request<M> {
    /// The moves to choose from, at least one, in canonical order.
    pub moves: Vec<M>,
    /// When to end.
    pub limits: Limits,
    /// How many best lines to find.
    pub n_lines: usize,
    /// How well to play.
    pub skill: Skill,
    /// Another seed breaks ties in another way; 0 keeps the canonical order.
    pub seed: u64,
    /// The parts of principal variation search in use.
    pub heuristics: Heuristics,
    /// How to search.
    pub method: Method,
}

impl<M> Request<M> {
    /// The best line among these moves within these limits, at full strength.
    pub fn new(moves: Vec<M>, limits: Limits) -> Request<M> {
        Request {
            moves,
            limits,
            n_lines: 1,
            skill: Skill::FULL,
            seed: 0,
            heuristics: Heuristics::FULL,
            method: Method::Best,
        }
    }
}

/// One line of play with its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<M> {
    /// The score from the side to move at the root.
    pub score: Score,
    /// How the score relates to that of a complete iteration.
    pub bound: Bound,
    /// The moves from the root, at least one.
    pub pv: Vec<M>,
}

impl<M> Line<M> {
    /// A line that was searched completely.
    pub fn exact(score: Score, pv: Vec<M>) -> Line<M> {
        let bound = Bound::Exact;
        Line { score, bound, pv }
    }
}

/// The state of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress<M> {
    /// Depth of the last complete iteration; 0 before the first, when nothing is known of the lines.
    pub depth: u32,
    /// Plies of the longest line searched.
    pub seldepth: u32,
    /// The best lines, best first.
    pub lines: Vec<Line<M>>,
    /// Positions searched by all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Share of the table used by this search, in thousandths.
    pub hashfull: u32,
    /// Positions looked up in tables of perfect play; 0 in a search, which looks up none.
    pub tb_hits: u64,
    /// What the user should know, a sentence each: where the search does less than it was asked for.
    pub notes: Vec<String>,
}

impl<M> Progress<M> {
    /// Whether the lines are those of a table: their scores are those of perfect play.
    pub(crate) fn is_from_table(&self) -> bool {
        self.tb_hits > 0
    }

    /// A note and nothing else.
    pub(crate) fn note(text: String) -> Progress<M> {
        Progress {
            notes: vec![text],
            ..Progress::default()
        }
    }
}

impl<M> Default for Progress<M> {
    fn default() -> Progress<M> {
        Progress {
            depth: 0,
            seldepth: 0,
            lines: Vec::new(),
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            tb_hits: 0,
            notes: Vec::new(),
        }
    }
}

/// Searches, and keeps the table and the tree for the next search.
#[derive(Debug)]
pub struct Searcher {
    /// Allocated when first needed, so that an engine answers its handshake at once.
    table: Option<TranspositionTable>,
    /// Allocated when a game with playouts is first searched; boxed, since it is large and moves between threads.
    tree: Option<Box<SearchTree>>,
    hash_mib: usize,
    threads: usize,
}

/// What all threads of one principal variation search share.
pub(crate) struct SharedState<'a> {
    table: &'a TranspositionTable,
    control: &'a Control,
    /// Set when the first thread has ended the search.
    halt: AtomicBool,
}

/// Halts the helper threads when the first thread is done, also by a panic.
struct HaltOnDrop<'a>(&'a AtomicBool);

impl Drop for HaltOnDrop<'_> {
    fn drop(&mut self) {
        self.0.store(true, Relaxed);
    }
}

impl Searcher {
    /// A searcher with a table of `hash_mib` MiB and this many threads.
    pub fn new(hash_mib: usize, threads: usize) -> Searcher {
        Searcher {
            table: None,
            tree: None,
            hash_mib,
            threads: threads.max(1),
        }
    }

    /// Forgets all positions searched, and allocates the table.
    pub fn clear(&mut self) {
        self.tree.iter_mut().for_each(|tree| tree.clear());
        match &mut self.table {
            Some(table) => table.clear(),
            None => self.table = Some(TranspositionTable::new(self.hash_mib)),
        }
    }

    /// Nodes on all paths in the tree since the last [`clear`](Searcher::clear); `None` if no tree was searched.
    pub(crate) fn n_tree_positions(&self) -> Option<u64> {
        let n = self.tree.as_ref().map(|tree| tree.n_positions());
        n.filter(|&n| n > 0)
    }

    /// The moves of the last tree search's root, by their indices, and the games through each; none if no tree was searched.
    pub(crate) fn root_visits(&self) -> Vec<(usize, u32)> {
        let tree = self.tree.as_ref();
        tree.map_or_else(Vec::new, |tree| tree.root_visits())
    }

    /// Searches the position until a limit or `control` ends it. Calls `progress` after each iteration and at the end.
    /// Returns the final state; the first move of the first line is the one to play.
    pub fn search<G: Evaluate>(
        &mut self,
        history: &PositionHistory<G>,
        request: &Request<G::Move>,
        control: &Control,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move> {
        match request.limits.mate {
            Some(within) => self.find_win(within, history, request, control, progress),
            None if request.method == Method::Uct => {
                self.find_by_uct(history, request, control, progress)
            }
            None if is_by_playouts(history.game(), request) => {
                let mib = self.hash_mib;
                let tree = self
                    .tree
                    .get_or_insert_with(|| Box::new(SearchTree::new(mib)));
                tree.search(self.threads, history, request, control, progress)
            }
            None => self.find_best(history, request, control, progress),
        }
    }

    fn find_by_uct<G: Evaluate>(
        &self,
        history: &PositionHistory<G>,
        request: &Request<G::Move>,
        control: &Control,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move> {
        let started = Instant::now();
        let mut tree = Tree::new(history.clone(), &request.moves, self.hash_mib, request.seed);
        tree.grow(&request.limits, control);
        let line = tree.best();
        let found = Progress {
            depth: line.pv.len() as u32,
            seldepth: tree.depth() as u32,
            lines: vec![line],
            nodes: tree.positions,
            time: started.elapsed(),
            ..Progress::default()
        };
        progress(&found);
        found
    }

    fn find_best<G: Evaluate>(
        &mut self,
        history: &PositionHistory<G>,
        request: &Request<G::Move>,
        control: &Control,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move> {
        let history = &with_known_results(history, request);
        let hash_mib = self.hash_mib;
        let table = self.table.get_or_insert_with(|| {
            let table = TranspositionTable::new(hash_mib);
            if table.mib() < hash_mib {
                progress(&Progress::note(mate::less_memory(table.mib(), hash_mib)));
            }
            table
        });
        table.age();
        let shared = SharedState {
            table,
            control,
            halt: AtomicBool::new(false),
        };
        let counts: Vec<AtomicU64> = (0..self.threads).map(|_| AtomicU64::new(0)).collect();
        let node_limit = request.limits.nodes.unwrap_or(u64::MAX);
        let helper_nodes = node_limit / self.threads as u64;
        let worker = |number: usize, node_limit, budget| {
            let history = history.clone();
            let (count, heuristics) = (&counts[number], request.heuristics);
            Worker::new(history, &shared, count, heuristics, node_limit, budget)
        };
        thread::scope(|scope| {
            let _guard = HaltOnDrop(&shared.halt);
            let helpers = Helpers::start(scope, self.threads - 1, |number| {
                let helper = worker(number, helper_nodes, Budget::None);
                move || driver::run_helper(helper, request)
            });
            let first_nodes = node_limit - helpers.count as u64 * helper_nodes;
            let first = worker(0, first_nodes, request.limits.budget);
            if let Some(note) = helpers.note(self.threads) {
                progress(&Progress::note(note));
            }
            Driver::new(first, request, &shared, &counts).run(progress)
        })
    }
}

/// The same history with the game's known results, if they are enabled.
fn with_known_results<G: Evaluate>(
    history: &PositionHistory<G>,
    request: &Request<G::Move>,
) -> PositionHistory<G> {
    if !request.heuristics.known_results {
        return history.clone();
    }
    let game = history.game();
    let drawn = history.keys_drawn_on_return();
    let is_drawn = |position: &G::Position| {
        !drawn.is_empty() && drawn.binary_search(&game.key(position)).is_ok()
    };
    let max_positions = request.limits.max_positions_before_search();
    history.with_game(game.with_known_results(history.position(), max_positions, &is_drawn))
}

/// Whether to search by Monte Carlo tree search. It has no depth, so a depth limit and lower skill levels, which are depth
/// limits, ask for principal variation search.
fn is_by_playouts<G: Evaluate>(game: &G, request: &Request<G::Move>) -> bool {
    request.method == Method::Best
        && request.heuristics == Heuristics::FULL
        && request.skill == Skill::FULL
        && request.limits.depth.is_none()
        && game.playout().is_some()
}
