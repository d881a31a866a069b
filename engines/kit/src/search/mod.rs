//! The search, which chooses the move to play.
//!
//! [`Searcher::search`] is the entry point. Most games use principal variation search: `driver` does iterative
//! deepening, `worker` is the recursion of one thread, `shared` what the threads share, [`table`] the transposition table that the threads share,
//! [`ordering`] the move ordering, [`limits`] the limits at which a search ends by itself, and [`control`] the means to
//! stop it from another thread. A game may bring along [another search](OwnSearch). `mate` answers `go mate` with
//! [`proof`]. The search does not parse or print text; of the protocol it knows only [`Bound`].

pub mod control;
mod driver;
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
use std::sync::Arc;
use std::time::Instant;

pub use control::Control;
pub use heuristics::Heuristics;
pub use limits::{Budget, Clock, Limits};
pub use protocol::Bound;
pub use request::{Line, Method, NewSearch, OwnSearch, Progress, Request};
pub use resources::has_memory;
pub use score::{MAX_PLY, SearchScore, mate_distance};
pub use skill::{LEVEL_WORDS, Ladder, Level, MAX_LEVEL, Rung, Skill};
pub use table::TranspositionTable;

use crate::network::Network;
use crate::{Evaluate, Game, PositionHistory};
use shared::Shared;

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

    /// Forgets what was found. Allocates the table.
    pub fn clear(&mut self) {
        self.own = None;
        self.network = None;
        // The old table gives up its memory before the new one asks for it.
        self.table = None;
        self.table = TranspositionTable::new(self.hash_mib);
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
                let limited = request.limited(history);
                let mut searcher = Searcher::new(LIMITED_MIB, 1);
                searcher.search(history, &limited, control, progress)
            }
            None => match own_search(history.game(), request) {
                Some(new) => self.search_own(new, history, request, control, progress),
                None => self.find_best(history, request, control, progress),
            },
        }
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
        let shared = Shared::new(table, control, request, n_threads);
        driver::search(history, &shared, progress)
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

impl<M: Copy> Request<M> {
    /// The request of a player below full strength, as a request at full strength: only the moves that it sees, and only
    /// so many nodes.
    fn limited<G: Game<Move = M>>(&self, history: &PositionHistory<G>) -> Request<M> {
        let nodes = self.limits.nodes.unwrap_or(u64::MAX);
        Request {
            moves: self.skill.seen(history, &self.moves, self.seed),
            limits: Limits {
                nodes: Some(nodes.min(self.skill.nodes)),
                ..self.limits.clone()
            },
            skill: Skill::FULL,
            ..self.clone()
        }
    }
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
