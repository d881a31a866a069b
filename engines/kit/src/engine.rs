//! The additions that make a game an engine: its bench, its author, its playing strengths and its tables.

use crate::search::{Ladder, Rung};
use crate::tablebase::Indexing;
use crate::{DynHistory, Evaluate, Notation, PositionHistory};

/// A game with everything an engine needs: rules, notation, evaluation, bench.
pub trait Engine: Notation + Evaluate {
    /// Positions and limit of the `bench` command.
    const BENCH: Bench;

    /// The author of the game's program, as `id author` names it.
    const AUTHOR: &'static str;

    /// The game in progress with its type erased. A game's crate that defines this, and does not let it be inlined, has the
    /// only copy of the game's search, however many crates call it.
    fn erased(history: &PositionHistory<Self>) -> &dyn DynHistory {
        history
    }

    /// The rungs of the [`Ladder`] of this board, as measured.
    fn rungs(&self) -> &'static [Rung] {
        Ladder::UNMEASURED.rungs
    }

    /// The position indexing of the game's endgame tables, as [`indexing`](crate::tablebase::indexing) finds it; `None`, the
    /// default, if no table exists for these options.
    fn indexing(&self) -> Option<Box<dyn Indexing<Self>>> {
        None
    }
}

/// The positions and the limit of a game's bench.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bench {
    /// The limit of each search.
    pub limit: BenchLimit,
    /// Position strings, one per line; none is a finished game.
    pub positions: &'static str,
}

/// The limit of each search of a bench. It also selects the search, which must be the one the engine plays with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BenchLimit {
    /// Plies, for principal variation search.
    Depth(u32),
    /// Random games, for a search of the game's own. Their number is the limit itself, so the bench counts the positions
    /// on their paths.
    Games(u64),
}
