//! Everything the engines share, generic over the game; no game is named here.
//!
//! A game implements three traits: [`Game`] (rules), [`Notation`] (text) and [`Evaluate`] (evaluation and search
//! hints).
//! This crate provides the rest. [`PositionHistory`] holds a game in progress and counts repetitions, [`perft`] counts
//! the game tree, `search` finds moves, `session` answers commands, and `serve` connects a session to standard input
//! and output. `bench` measures the search. What makes engines better is in `engines/lab`, the laws that games are
//! tested by in `tests/laws`.

// The tests name the crate as games do; those of `engines/lab` share some of their files.
#[cfg(test)]
extern crate self as kit;
#[cfg(test)]
mod tests;

pub mod bench;
pub mod bits;
pub mod bytes;
pub mod check_position;
pub mod crash_log;
pub mod dyn_history;
pub mod evaluate;
pub mod fen;
pub mod game;
pub mod game_entry;
pub mod hash;
pub mod learn;
pub mod lesson;
pub mod lock;
pub mod network;
pub mod notation;
pub mod options;
pub mod parallel;
pub mod perft;
mod platform;
pub mod position_history;
pub mod search;
pub mod serve;
pub mod session;
pub mod tablebase;
pub mod uct;
mod value;
pub mod view;
pub mod weights;

pub use bench::{Bench, BenchLimit};
pub use check_position::CheckPosition;
pub use dyn_history::DynHistory;
pub use evaluate::{Evaluate, Forced, KnownResult, NetworkInputs};
pub use game::{Game, Outcome, Side};
pub use game_entry::GameEntry;
pub use notation::{Notation, Rejection, Setup};
pub use options::{OptionDecl, OptionKind, Options};
pub use position_history::PositionHistory;
use search::Ladder;
pub use session::Session;
use tablebase::Indexing;
pub use value::Value;
pub use view::DrawRequest;

/// A game with everything an engine needs: rules, notation, evaluation, bench.
pub trait Engine: Notation + Evaluate {
    /// Positions and limit of the `bench` command.
    const BENCH: Bench;

    /// The author of the game's program, as `id author` names it.
    const AUTHOR: &'static str;

    /// The playing strengths below full strength on this board, as measured.
    fn ladder(&self) -> Ladder {
        Ladder::UNMEASURED
    }

    /// The position indexing of the game's endgame tables; `None`, the default, if no table exists for these options.
    fn indexing(&self) -> Option<Box<dyn Indexing<Self>>> {
        None
    }
}
