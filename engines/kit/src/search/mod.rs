//! Choosing a move: iterative deepening over a principal variation search.
//!
//! [`Searcher::search`] begins it: `driver` deepens and decides, `worker` is the recursion of one thread, [`table`] what the threads share,
//! [`ordering`] which move goes first, [`limits`] when it ends by itself and [`control`] how others end it. Games that have
//! playouts are searched by `mcts` instead. `mate` answers `go mate` by
//! [`proof`]. `uct` is the baseline to beat. Nothing here knows text or the protocol.

pub mod control;
mod driver;
pub mod limits;
mod mate;
mod mcts;
pub mod ordering;
pub mod proof;
pub mod score;
pub mod skill;
pub mod table;
pub mod technique;
mod uct;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

pub use control::Control;
pub use limits::{Budget, Clock, Limits};
pub use score::{MAX_PLY, Score, mate_distance};
pub use skill::Skill;
pub use table::TranspositionTable;
pub use technique::Heuristic;

use crate::{Evaluate, PositionHistory};
use driver::Driver;
use mcts::SearchTree;
use uct::Tree;
use worker::Worker;

/// How to search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// What plays best.
    #[default]
    Best,
    /// Principal variation search, also where the game is better searched otherwise.
    Pvs,
    /// Plain UCT with random playouts: the baseline.
    Uct,
}

/// What to search for.
#[derive(Debug, Clone)]
pub struct Request<M> {
    /// The candidates, at least one, in canonical order.
    pub moves: Vec<M>,
    /// When to end.
    pub limits: Limits,
    /// How many best lines to find.
    pub n_lines: usize,
    /// How well to play.
    pub skill: Skill,
    /// Another seed breaks ties in another way; 0 keeps the canonical order.
    pub seed: u64,
    /// What to do besides plain alpha-beta.
    pub technique: Heuristic,
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
            technique: Heuristic::FULL,
            method: Method::Best,
        }
    }
}

/// One line of play with its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<M> {
    /// The score from the side to move at the root.
    pub score: Score,
    /// The moves from the root, at least one.
    pub pv: Vec<M>,
}

/// How far a search has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress<M> {
    /// Plies searched in full; 0 before the first iteration is done.
    pub depth: u32,
    /// Plies of the longest line looked at.
    pub seldepth: u32,
    /// The best lines, best first.
    pub lines: Vec<Line<M>>,
    /// Positions searched by all threads.
    pub nodes: u64,
    /// Since the search began.
    pub time: Duration,
    /// Share of the table used by this search, in thousandths.
    pub hashfull: u32,
    /// What the user should know, a sentence each: where the search does less than it was asked for.
    pub notes: Vec<String>,
}

impl<M> Progress<M> {
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
            notes: Vec::new(),
        }
    }
}

/// Searches, and keeps what it has learned for the next search of the same game.
#[derive(Debug)]
pub struct Searcher {
    /// Made when it is first needed, so that an engine answers its handshake at once.
    table: Option<TranspositionTable>,
    /// Made when the first game with playouts is searched; boxed, because it is large and goes from thread to thread.
    forest: Option<Box<SearchTree>>,
    hash_mib: usize,
    threads: usize,
}

/// What all threads of one search share.
pub(crate) struct SharedState<'a> {
    table: &'a TranspositionTable,
    control: &'a Control,
    halt: AtomicBool,
    /// Nodes for each thread.
    node_limit: u64,
    hard_limit: Option<Duration>,
}

impl Searcher {
    /// A searcher with a table of `hash_mib` MiB and so many threads.
    pub fn new(hash_mib: usize, threads: usize) -> Searcher {
        Searcher {
            table: None,
            forest: None,
            hash_mib,
            threads: threads.max(1),
        }
    }

    /// Forgets all games seen so far, and makes ready for the next.
    pub fn clear(&mut self) {
        self.forest.iter_mut().for_each(|forest| forest.clear());
        match &mut self.table {
            Some(table) => table.clear(),
            None => self.table = Some(TranspositionTable::new(self.hash_mib)),
        }
    }

    /// Searches the position until a limit or `control` ends it, telling `progress` after each iteration and at
    /// the end. Returns the end's progress; the first line's first move is the one to play.
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
                let forest = self
                    .forest
                    .get_or_insert_with(|| Box::new(SearchTree::new(mib)));
                forest.search(self.threads, history, request, control, progress)
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
        let attuned;
        let history = if request.technique.prospects {
            let most = request.limits.preparation();
            attuned = history.with_game(history.game().attuned(history.position(), most));
            &attuned
        } else {
            history
        };
        let hash_mib = self.hash_mib;
        let table = self
            .table
            .get_or_insert_with(|| TranspositionTable::new(hash_mib));
        table.age();
        let crew = SharedState {
            table,
            control,
            halt: AtomicBool::new(false),
            node_limit: request
                .limits
                .nodes
                .unwrap_or(u64::MAX)
                .div_ceil(self.threads as u64),
            hard_limit: request.limits.budget.map(|budget| budget.hard),
        };
        let counts: Vec<AtomicU64> = (0..self.threads).map(|_| AtomicU64::new(0)).collect();
        thread::scope(|scope| {
            for (i, count) in counts.iter().enumerate().skip(1) {
                let crew = &crew;
                scope.spawn(move || driver::help(history, request, crew, count, i as u32));
            }
            let worker = Worker::new(history.clone(), &crew, &counts[0], request.technique);
            let mut driver = Driver::new(worker, history, request, &crew, &counts);
            let end = driver.run(progress);
            crew.halt.store(true, Relaxed);
            end
        })
    }
}

/// Whether random games find the best move. They cannot look a number of plies ahead in full, which a depth asks for and
/// weak levels do.
fn is_by_playouts<G: Evaluate>(game: &G, request: &Request<G::Move>) -> bool {
    request.method == Method::Best
        && request.technique == Heuristic::FULL
        && request.skill == Skill::FULL
        && request.limits.depth.is_none()
        && game.playout().is_some()
}
