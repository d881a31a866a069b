//! The request and the reports of a search, and the trait of a game's own search.

use std::any::Any;

use protocol::Bound;

use super::{Control, Heuristics, Limits, Rung, SearchScore};
use crate::{Game, PositionHistory};

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
pub struct Request {
    /// The codes of the moves to choose from, at least one, in canonical order.
    pub moves: Vec<String>,
    /// The limits at which the search ends.
    pub limits: Limits,
    /// Number of best lines to find (`MultiPV`).
    pub n_lines: usize,
    /// Playing strength; `None` is the full one.
    pub skill: Option<Rung>,
    /// Decides random choices, and breaks ties between moves; 0 keeps the canonical order of equal moves.
    pub seed: u64,
    /// The heuristics of principal variation search in use.
    pub heuristics: Heuristics,
    /// The search algorithm.
    pub method: Method,
}

impl Request {
    /// Requests the best line among these moves within these limits, at full strength.
    pub fn new(moves: Vec<String>, limits: Limits) -> Request {
        Request {
            moves,
            limits,
            n_lines: 1,
            skill: None,
            seed: 0,
            heuristics: Heuristics::FULL,
            method: Method::Best,
        }
    }
}

/// One line of play with its score.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The score from the side to move at the root.
    pub score: SearchScore,
    /// `None` if the score is exact.
    pub bound: Option<Bound>,
    /// The codes of the moves from the root, at least one.
    pub pv: Vec<String>,
}

impl Line {
    /// A line that was searched completely.
    pub fn exact(score: SearchScore, pv: Vec<String>) -> Line {
        let bound = None;
        Line { score, bound, pv }
    }
}

/// The state of a search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Progress {
    /// Depth of the last complete iteration; 0 before the first, when the scores of the lines mean nothing yet.
    pub depth: u32,
    /// Plies of the longest line searched.
    pub seldepth: u32,
    /// The best lines, best first.
    pub lines: Vec<Line>,
    /// Positions searched by all threads; in a tree of random games, the games.
    pub nodes: u64,
    /// Positions on the paths of a tree's games, whose number says more of the work than that of the games.
    pub positions: Option<u64>,
    /// Share of the table used by this search, in thousandths.
    pub hashfull: u32,
    /// Positions found in endgame tables; 0 for a search, which probes none.
    pub tb_hits: u64,
    /// Notes for the user, one sentence each, such as fewer threads than requested.
    pub notes: Vec<String>,
}

impl Progress {
    /// A report that consists of one note.
    pub fn note(text: String) -> Progress {
        Progress {
            notes: vec![text],
            ..Progress::default()
        }
    }
}

/// A search that a game brings along because it plays better by it than by principal variation search. It keeps what it
/// found for the next search.
pub trait OwnSearch<G: Game>: Any + Send + Sync {
    /// Searches as [`Searcher::search`](super::Searcher::search) does, on this many threads.
    fn search(
        &mut self,
        n_threads: usize,
        history: &PositionHistory<G>,
        request: &Request,
        control: &Control,
        progress: &mut dyn FnMut(&Progress),
    ) -> Progress;
}

/// Creates a game's own search with this many MiB of memory; `None` if the system does not give them.
pub type NewSearch<G> = fn(usize) -> Option<Box<dyn OwnSearch<G>>>;
