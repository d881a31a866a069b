//! The search, which chooses the move to play.
//!
//! [`Searcher::search`] is the entry point. Most games use principal variation search: iterative deepening is here,
//! `worker` is the recursion of one thread, `helper` the other threads, `shared` what they share, [`table`] their
//! transposition table, [`ordering`] the move ordering, and [`limits`] ends a search. A game may bring along
//! [another search](OwnSearch). `go mate` is a [`proof`]. The search does not parse or print text; of the protocol it knows
//! only [`Bound`] and, for its limits, [`Go`](protocol::Go) in its dialect.

mod helper;
pub mod heuristics;
pub mod limits;
mod mate;
pub mod ordering;
pub mod proof;
pub mod request;
pub mod resources;
pub mod score;
mod shared;
pub mod skill;
pub mod table;
mod worker;

use std::any::Any;
use std::cmp::Reverse;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

pub use heuristics::Heuristics;
pub use limits::{Budget, Control, Limits};
pub use protocol::Bound;
pub use request::{Line, Method, NewSearch, OwnSearch, Progress, Request};
pub use resources::has_memory;
pub use score::{MAX_PLY, SearchScore, mate_distance};
pub use skill::{LEVEL_WORDS, Ladder, Level, MAX_LEVEL, Rung};
pub use table::TranspositionTable;

use crate::network::Network;
use crate::{Evaluate, Game, Notation, PositionHistory};
use helper::run_helper;
use resources::{Help, with_helpers};
use score::{DRAW, INFINITE};
use shared::{RootMove, Shared};
use worker::PvsWorker;

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

    /// Forgets what was found. Allocates the table, unless the last game searched without it.
    pub fn clear(&mut self) {
        let is_own = self.own.take().is_some();
        self.network = None;
        // The old table gives up its memory before the new one asks for it.
        self.table = None;
        if !is_own {
            self.table = TranspositionTable::new(self.hash_mib);
        }
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
    pub fn search<G: Evaluate + Notation>(
        &mut self,
        history: &PositionHistory<G>,
        request: &Request,
        control: &Control,
        progress: &mut dyn FnMut(&Progress),
    ) -> Progress {
        if request.method == Method::Random {
            let mv = skill::random(history, request.seed).choice(&request.moves);
            return unsearched(mv.expect("a move to choose"), progress);
        }
        if !resources::is_enough_to_search() {
            return without_memory(request, progress);
        }
        if let Some(within) = request.limits.mate {
            return self.find_win(within, history, request, control, progress);
        }
        if let Some(rung) = request.skill {
            let mut limited = Request {
                moves: rung.seen(history, &request.moves, request.seed),
                skill: None,
                ..request.clone()
            };
            limited.limits.cap_nodes(rung.nodes);
            // Results of earlier searches would make the player stronger than its level.
            let mut searcher = Searcher::new(LIMITED_MIB, 1);
            return searcher.search(history, &limited, control, progress);
        }
        let n_threads = self.threads;
        if let Some(new) = own_search(history.game(), request) {
            return match self.allocate_own(new) {
                Some(own) => own.search(n_threads, history, request, control, progress),
                None => without_memory(request, progress),
            };
        }
        let history = &with_known_results(history, request);
        let inputs = history.game().network_inputs();
        if let Some(network) = inputs.and_then(|inputs| inputs.network()) {
            let last = self.network.replace(Arc::clone(network));
            if last.is_some_and(|last| !Arc::ptr_eq(&last, network)) {
                self.table = None;
            }
        }
        let Some(table) = self.allocate_table() else {
            return without_memory(request, progress);
        };
        table.age();
        let shared = Shared::new(table, control, request, n_threads);
        deepen(history, &shared, progress)
    }
}

/// A move that is played because there is no memory to search for one.
fn without_memory(request: &Request, progress: &mut dyn FnMut(&Progress)) -> Progress {
    let note = "not enough memory to search: set a smaller Hash";
    progress(&Progress::note(note.to_owned()));
    unsearched(&request.moves[0], progress)
}

/// A move that is played without a search.
fn unsearched(mv: &str, progress: &mut dyn FnMut(&Progress)) -> Progress {
    let found = Progress {
        lines: vec![Line::exact(DRAW, vec![mv.to_owned()])],
        ..Progress::default()
    };
    progress(&found);
    found
}

/// Returns the history with the game's known results, if they are enabled.
fn with_known_results<G: Evaluate>(
    history: &PositionHistory<G>,
    request: &Request,
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
fn own_search<G: Evaluate>(game: &G, request: &Request) -> Option<NewSearch<G>> {
    let is_for_it = request.method == Method::Best
        && request.heuristics == Heuristics::FULL
        && request.limits.depth.is_none();
    game.own_search().filter(|_| is_for_it)
}

/// Searches on all threads until a limit or the control ends it. The node limit is divided among the threads.
fn deepen<G: Evaluate + Notation>(
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
        while self.depth < self.shared.request.limits.last_depth() {
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
        (self.shared).store(depth, self.worker.seldepth, &self.moves[0]);
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
        let limit = match self.shared.request.limits.budget {
            Budget::Clock { .. } if self.moves.len() == 1 => Some(Duration::ZERO),
            Budget::Clock { soft, .. } if self.stability < 2 => Some(soft.mul_f64(1.4)),
            Budget::Clock { soft, .. } => Some(soft.mul_f64(0.9)),
            budget => budget.soft(),
        };
        self.shared.control.is_past(limit)
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
    let is_searched = root.score > -INFINITE;
    Line {
        score: if is_searched { root.score } else { DRAW },
        bound: root.bound,
        pv: worker.history.codes(&pv),
    }
}
