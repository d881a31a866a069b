//! The search, which chooses the move to play.
//!
//! [`Searcher::search`] is the entry point. Most games use principal variation search: `driver` does iterative
//! deepening, `worker` is the recursion of one thread, [`table`] the transposition table that the threads share,
//! [`ordering`] the move ordering, [`limits`] the limits at which a search ends by itself, and [`control`] the means to
//! stop it from another thread. A game may bring along [another search](OwnSearch). `mate` answers `go mate` with
//! [`proof`]. The search does not parse or print text; of the protocol it knows only [`Bound`].

pub mod control;
mod driver;
pub mod heuristics;
mod iterations;
pub mod limits;
mod mate;
pub mod ordering;
pub mod proof;
pub mod resources;
pub mod score;
pub mod skill;
pub mod table;
mod worker;

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64};
use std::time::{Duration, Instant};

pub use control::Control;
pub use heuristics::Heuristics;
pub use limits::{Budget, Clock, Limits};
pub use protocol::Bound;
pub use resources::has_memory;
pub use score::{MAX_PLY, SearchScore, mate_distance};
pub use skill::{LEVEL_WORDS, Ladder, Level, MAX_LEVEL, Rung, Skill};
pub use table::TranspositionTable;

use crate::network::Network;
use crate::{Evaluate, Game, PositionHistory};
use driver::Driver;
use iterations::Deepest;
use resources::with_helpers;
use worker::PvsWorker;

/// The search algorithm.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Method {
    /// The method that plays the game best.
    #[default]
    Best,
    /// Principal variation search in every game.
    Pvs,
    /// Any legal move, each with the same probability.
    Random,
}

/// A position's search: moves to choose from, limits and settings.
#[derive(Debug, Clone)]
pub struct Request<M> {
    /// The moves to choose from, at least one, in canonical order.
    pub moves: Vec<M>,
    /// The limits at which the search ends.
    pub limits: Limits,
    /// Number of best lines to find (`MultiPV`).
    pub n_lines: usize,
    /// Playing strength.
    pub skill: Skill,
    /// Decides whatever is random, and breaks ties between moves; 0 keeps the canonical order of equal moves.
    pub seed: u64,
    /// The heuristics of principal variation search in use.
    pub heuristics: Heuristics,
    /// The search algorithm.
    pub method: Method,
}

impl<M> Request<M> {
    /// Requests the best line among these moves within these limits, at full strength.
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

    /// The same request with its moves in another form.
    pub(crate) fn with_moves<N>(&self, moves: Vec<N>) -> Request<N> {
        Request {
            n_lines: self.n_lines,
            skill: self.skill,
            seed: self.seed,
            heuristics: self.heuristics,
            method: self.method,
            ..Request::new(moves, self.limits.clone())
        }
    }
}

/// One line of play with its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line<M> {
    /// The score from the side to move at the root.
    pub score: SearchScore,
    /// `None` if the score is exact.
    pub bound: Option<Bound>,
    /// The moves from the root, at least one.
    pub pv: Vec<M>,
}

impl<M> Line<M> {
    /// A line that was searched completely.
    pub fn exact(score: SearchScore, pv: Vec<M>) -> Line<M> {
        let bound = None;
        Line { score, bound, pv }
    }
}

/// The state of a search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress<M> {
    /// Depth of the last complete iteration; 0 before the first, when the scores of the lines mean nothing yet.
    pub depth: u32,
    /// Plies of the longest line searched.
    pub seldepth: u32,
    /// The best lines, best first.
    pub lines: Vec<Line<M>>,
    /// Positions searched by all threads; in a tree of random games, the games.
    pub nodes: u64,
    /// Positions on the paths of a tree's games, whose number says more of the work than that of the games.
    pub positions: Option<u64>,
    /// Time since the search began.
    pub time: Duration,
    /// Share of the table used by this search, in thousandths.
    pub hashfull: u32,
    /// Positions found in endgame tables; 0 for a search, which probes none.
    pub tb_hits: u64,
    /// Notes for the user, one sentence each, such as fewer threads than requested.
    pub notes: Vec<String>,
}

impl<M> Progress<M> {
    /// `true` if the lines come from an endgame table, so their scores are those of perfect play.
    pub(crate) fn is_from_table(&self) -> bool {
        self.tb_hits > 0
    }

    /// The same state with the moves of its lines in another form.
    pub(crate) fn with_lines<N>(&self, form: impl Fn(&[M]) -> Vec<N>) -> Progress<N> {
        let line = |line: &Line<M>| Line {
            score: line.score,
            bound: line.bound,
            pv: form(&line.pv),
        };
        Progress {
            depth: self.depth,
            seldepth: self.seldepth,
            lines: self.lines.iter().map(line).collect(),
            nodes: self.nodes,
            positions: self.positions,
            time: self.time,
            hashfull: self.hashfull,
            tb_hits: self.tb_hits,
            notes: self.notes.clone(),
        }
    }

    /// A report that consists of one note.
    pub fn note(text: String) -> Progress<M> {
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
            positions: None,
            time: Duration::ZERO,
            hashfull: 0,
            tb_hits: 0,
            notes: Vec::new(),
        }
    }
}

/// A search that a game brings along because it plays better by it than by principal variation search. It keeps what it
/// found for the next search.
pub trait OwnSearch<G: Game>: Any + Send + Sync {
    /// Searches as [`Searcher::search`] does, on this many threads. The caller adds the time to the reports.
    fn search(
        &mut self,
        n_threads: usize,
        history: &PositionHistory<G>,
        request: &Request<G::Move>,
        control: &Control,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move>;
}

/// Creates a game's own search with this many MiB of memory; `None` if the system does not give them.
pub type NewSearch<G> = fn(usize) -> Option<Box<dyn OwnSearch<G>>>;

/// MiB for the table or tree of a search below full strength.
const LIMITED_MIB: usize = 1;

/// Runs searches and keeps what they found between them.
#[derive(Debug)]
pub struct Searcher {
    /// Allocated on first use, so that the engine answers its handshake at once.
    table: Option<TranspositionTable>,
    /// The network whose scores are in the table; `None` if the table is empty or no search used a network.
    network: Option<Arc<Network>>,
    /// The last game's own search, a `Box<dyn OwnSearch<G>>`; `None` before the first.
    own: Option<Box<dyn Any + Send + Sync>>,
    hash_mib: usize,
    threads: usize,
}

/// State shared by the threads of one principal variation search.
pub(crate) struct SharedState<'a> {
    table: &'a TranspositionTable,
    control: &'a Control,
    /// Set when the first thread has ended the search.
    halt: AtomicBool,
    /// Depth of the deepest iteration that a thread has completed; 0 if the threads do not share their iterations.
    depth: AtomicU32,
}

impl Searcher {
    /// Creates a searcher with a table of `hash_mib` MiB and `threads` threads, at least one.
    pub fn new(hash_mib: usize, threads: usize) -> Searcher {
        Searcher {
            table: None,
            network: None,
            own: None,
            hash_mib,
            threads: threads.max(1),
        }
    }

    /// `true` if the system has memory for the table, or has given it already.
    pub fn has_memory(&self) -> bool {
        self.table.is_some() || self.own.is_some() || has_memory(self.hash_mib)
    }

    /// Forgets what was found. Allocates the table if there is none.
    pub fn clear(&mut self) {
        self.own = None;
        self.network = None;
        self.table = match self.table.take() {
            Some(table) => table.cleared(),
            None => TranspositionTable::new(self.hash_mib),
        };
    }

    /// Allocates the table if there is none. If there is no memory for it, a game's own search gives up its own.
    fn allocate_table(&mut self) -> Option<&mut TranspositionTable> {
        if self.table.is_none() {
            let new = || TranspositionTable::new(self.hash_mib);
            self.table = new().or_else(|| {
                drop(self.own.take()?);
                new()
            });
        }
        self.table.as_mut()
    }

    /// Allocates the game's own search if there is none. If there is no memory for it, the table gives up its own.
    fn allocate_own<G: Game>(&mut self, new: NewSearch<G>) -> Option<&mut dyn OwnSearch<G>> {
        if self.own::<G>().is_none() {
            self.own = None;
            let new = || new(self.hash_mib);
            let own = new().or_else(|| {
                drop(self.table.take()?);
                new()
            });
            self.own = Some(Box::new(own?));
        }
        let own: &mut Box<dyn OwnSearch<G>> = self.own.as_mut()?.downcast_mut()?;
        Some(&mut **own)
    }

    /// The game's own search; `None` if none was run.
    pub fn own<G: Game>(&self) -> Option<&dyn OwnSearch<G>> {
        let own = self.own.as_ref()?.downcast_ref::<Box<dyn OwnSearch<G>>>()?;
        Some(&**own)
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
        if request.method == Method::Random {
            let mv = skill::random(history, request.seed).choice(request.moves.iter().copied());
            return unsearched(mv.expect("a move to choose"), progress);
        }
        if !resources::is_enough_to_search() {
            return without_memory(request, progress);
        }
        match request.limits.mate {
            Some(within) => self.find_win(within, history, request, control, progress),
            None if request.skill != Skill::FULL => {
                // Results of earlier searches would make the player stronger than its level.
                let limited = request.skill.limited(history, request);
                let mut searcher = Searcher::new(LIMITED_MIB, 1);
                searcher.search(history, &limited, control, progress)
            }
            None => match own_search(history.game(), request) {
                Some(new) => self.search_own(new, history, request, control, progress),
                None => self.find_best(history, request, control, progress),
            },
        }
    }

    /// As [`search`](Searcher::search), without reports and until a limit ends it.
    pub fn find<G: Evaluate>(
        &mut self,
        history: &PositionHistory<G>,
        request: &Request<G::Move>,
    ) -> Progress<G::Move> {
        self.search(history, request, &Control::default(), &mut |_| {})
    }

    /// The best line of a search of this many nodes. The seed is that of [`Request`].
    pub fn search_nodes<G: Evaluate>(
        &mut self,
        history: &PositionHistory<G>,
        nodes: u64,
        seed: u64,
    ) -> Line<G::Move> {
        let limits = Limits::nodes(nodes);
        let request = Request {
            seed,
            ..Request::new(history.moves(), limits)
        };
        let mut found = self.find(history, &request);
        found.lines.swap_remove(0)
    }

    fn search_own<G: Evaluate>(
        &mut self,
        new: NewSearch<G>,
        history: &PositionHistory<G>,
        request: &Request<G::Move>,
        control: &Control,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move> {
        let (started, threads) = (Instant::now(), self.threads);
        let timed = |found: &Progress<G::Move>| Progress {
            time: started.elapsed(),
            ..found.clone()
        };
        match self.allocate_own(new) {
            Some(own) => {
                let report = &mut |found: &Progress<G::Move>| progress(&timed(found));
                timed(&own.search(threads, history, request, control, report))
            }
            None => without_memory(request, progress),
        }
    }

    fn find_best<G: Evaluate>(
        &mut self,
        history: &PositionHistory<G>,
        request: &Request<G::Move>,
        control: &Control,
        progress: &mut dyn FnMut(&Progress<G::Move>),
    ) -> Progress<G::Move> {
        let history = &with_known_results(history, request);
        let inputs = history.game().network_inputs();
        if let Some(network) = inputs.and_then(|inputs| inputs.network()) {
            let last = self.network.replace(Arc::clone(network));
            if last.is_some_and(|last| !Arc::ptr_eq(&last, network)) {
                self.table = None;
            }
        }
        let n_threads = self.threads;
        let Some(table) = self.allocate_table() else {
            return without_memory(request, progress);
        };
        table.age();
        let shared = SharedState {
            table,
            control,
            halt: AtomicBool::new(false),
            depth: AtomicU32::new(0),
        };
        let is_one_line = request.n_lines.min(request.moves.len()) <= 1;
        let deepest = Deepest::new(&shared.depth, n_threads > 1 && is_one_line);
        let counts: Vec<AtomicU64> = (0..n_threads).map(|_| AtomicU64::new(0)).collect();
        let node_limit = request.limits.nodes.unwrap_or(u64::MAX);
        let helper_nodes = node_limit / n_threads as u64;
        let worker = |number: usize, node_limit, budget| {
            let history = history.clone();
            let (count, heuristics) = (&counts[number], request.heuristics);
            PvsWorker::new(history, &shared, count, heuristics, node_limit, budget)
        };
        let help = |number| {
            let helper = worker(number, helper_nodes, Budget::None);
            let deepest = &deepest;
            move || driver::run_helper(helper, request, deepest, number)
        };
        with_helpers(&shared.halt, n_threads - 1, help, |helpers| {
            let first_nodes = node_limit - helpers.count as u64 * helper_nodes;
            let first = worker(0, first_nodes, request.limits.budget);
            if let Some(note) = helpers.note(n_threads) {
                progress(&Progress::note(note));
            }
            Driver::new(first, request, &shared, &deepest, &counts).run(progress)
        })
    }
}

/// A move that is played because there is no memory to search for one.
fn without_memory<M: Copy>(
    request: &Request<M>,
    progress: &mut dyn FnMut(&Progress<M>),
) -> Progress<M> {
    let note = "not enough memory to search: set a smaller Hash";
    progress(&Progress::note(note.to_owned()));
    unsearched(request.moves[0], progress)
}

/// A move that is played without a search.
fn unsearched<M>(mv: M, progress: &mut dyn FnMut(&Progress<M>)) -> Progress<M> {
    let found = Progress {
        lines: vec![Line::exact(score::DRAW, vec![mv])],
        ..Progress::default()
    };
    progress(&found);
    found
}

/// Returns the history with the game's known results, if they are enabled.
fn with_known_results<G: Evaluate>(
    history: &PositionHistory<G>,
    request: &Request<G::Move>,
) -> PositionHistory<G> {
    let game = history.game();
    if !request.heuristics.known_results {
        return history.clone();
    }
    let drawn = history.keys_drawn_on_return();
    let is_drawn = |position: &G::Position| {
        !drawn.is_empty() && drawn.binary_search(&game.key(position)).is_ok()
    };
    let max_positions = request.limits.max_positions_before_search();
    history.with_game(game.with_known_results(history.position(), max_positions, &is_drawn))
}

/// The game's own search if the request is for it. It has no depth, so a depth limit uses principal variation search.
fn own_search<G: Evaluate>(game: &G, request: &Request<G::Move>) -> Option<NewSearch<G>> {
    let is_for_it = request.method == Method::Best
        && request.heuristics == Heuristics::FULL
        && request.limits.depth.is_none();
    game.own_search().filter(|_| is_for_it)
}
