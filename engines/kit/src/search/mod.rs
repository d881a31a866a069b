//! The search, which chooses the move to play.
//!
//! [`Searcher::search`] is the entry point. Most games use principal variation search: `driver` does iterative
//! deepening, `worker` is the recursion of one thread, `shared` what the threads share, [`table`] their transposition
//! table, [`ordering`] the move ordering, and [`limits`] ends a search. A game may bring along [another search](OwnSearch).
//! `go mate` is a [`proof`]. The search does not parse or print text; of the protocol it knows only [`Bound`].

mod driver;
pub mod heuristics;
pub mod limits;
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

pub use heuristics::Heuristics;
pub use limits::{Budget, Clock, Control, Limits};
pub use protocol::Bound;
pub use request::{Line, Method, NewSearch, OwnSearch, Progress, Request};
pub use resources::has_memory;
pub use score::{MAX_PLY, SearchScore, mate_distance};
pub use skill::{LEVEL_WORDS, Ladder, Level, MAX_LEVEL, Rung};
pub use table::TranspositionTable;

use crate::network::Network;
use crate::{Evaluate, Game, Notation, PositionHistory};
use proof::{Proof, ProofTable, Verdict};
use score::win_in;
use shared::Shared;

/// MiB for the table or tree of a search below full strength.
const LIMITED_MIB: usize = 1;
/// Maximum nodes of the search for a move.
const NODES_WITHOUT_WIN: u64 = 10_000;
/// The proof search leaves one part in this many of the limits for the search for a move.
const SHARE_WITHOUT_WIN: u64 = 8;

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
            let nodes = request.limits.nodes.unwrap_or(u64::MAX);
            let limited = Request {
                moves: rung.seen(history, &request.moves, request.seed),
                limits: Limits {
                    nodes: Some(nodes.min(rung.nodes)),
                    ..request.limits.clone()
                },
                skill: None,
                ..request.clone()
            };
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
        driver::search(history, &shared, progress)
    }

    /// Searches for a win within `within` plies. If there is none, or a limit ends the proof search, a short search
    /// within the remaining limits finds a move.
    fn find_win<G: Evaluate + Notation>(
        &mut self,
        within: u32,
        history: &PositionHistory<G>,
        request: &Request,
        control: &Control,
        progress: &mut dyn FnMut(&Progress),
    ) -> Progress {
        let at = |nodes, lines, depth| Progress {
            depth,
            seldepth: depth,
            lines,
            nodes,
            ..Progress::default()
        };
        // The proof leaves nodes, at least one, and time for the search for a move.
        let reserve = |nodes: u64| (nodes / SHARE_WITHOUT_WIN).clamp(1, NODES_WITHOUT_WIN);
        let limits = Limits {
            nodes: request.limits.nodes.map(|nodes| nodes - reserve(nodes)),
            budget: (request.limits.budget).map(|time| time - time / SHARE_WITHOUT_WIN as u32),
            ..Limits::default()
        };
        let (verdict, nodes) = match ProofTable::new(self.hash_mib) {
            Some(mut table) => {
                let Proof { verdict, nodes, .. } = proof::prove(
                    &mut table,
                    history,
                    &request.moves,
                    within,
                    (&limits, control),
                    &mut |nodes| progress(&at(nodes, Vec::new(), 0)),
                );
                (verdict, nodes)
            }
            None => {
                let note = "not enough memory to prove a win: set a smaller Hash";
                progress(&Progress::note(note.to_owned()));
                (Verdict::Unknown, 0)
            }
        };
        if let Verdict::Win { plies, pv } = verdict {
            let score = win_in(plies as usize);
            let found = at(nodes, vec![Line::exact(score, pv)], plies);
            progress(&found);
            return found;
        }
        // The clock has run since the start of both searches.
        let left = request
            .limits
            .nodes
            .map(|all| all.saturating_sub(nodes).max(1));
        let request = Request {
            limits: Limits {
                nodes: Some(left.unwrap_or(u64::MAX).min(NODES_WITHOUT_WIN)),
                mate: None,
                ..request.limits.clone()
            },
            ..request.clone()
        };
        let in_all = |found: &Progress| Progress {
            nodes: nodes + found.nodes,
            ..found.clone()
        };
        let mut report = |found: &Progress| progress(&in_all(found));
        let found = self.search(history, &request, control, &mut report);
        in_all(&found)
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
        lines: vec![Line::exact(score::DRAW, vec![mv.to_owned()])],
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
