//! Everything the engines share, generic over the game; no game is named here.
//!
//! A game implements three traits: [`Game`] (rules), [`Notation`] (text) and [`Evaluate`] (evaluation and search
//! hints).
//! This crate provides the rest. [`PositionHistory`] holds a game in progress and counts repetitions, [`perft`] counts
//! the game tree, `search` finds moves, `session` answers commands, and `serve` connects a session to standard input
//! and output. `bench` measures the search. What makes engines better is in `engines/lab`, the laws that games are
//! tested by in `tests/laws`.

pub mod bench;
pub mod bits;
pub mod bytes;
pub mod check_position;
pub mod crash_log;
pub mod dyn_history;
mod engine;
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
pub mod perft;
mod platform;
pub mod position_history;
pub mod search;
pub mod serve;
pub mod session;
pub mod square;
pub mod tablebase;
pub mod uct;
mod value;
pub mod weights;

pub use check_position::CheckPosition;
pub use dyn_history::DynHistory;
pub use engine::{Bench, BenchLimit, Engine};
pub use evaluate::{Evaluate, Forced, KnownResult, NetworkInputs};
pub use game::{Game, Outcome, Rejection, Side};
pub use game_entry::GameEntry;
pub use notation::{DrawRequest, Notation, Setup};
pub use options::{OptionDecl, OptionKind, Options};
pub use position_history::PositionHistory;
pub use session::Session;
pub use square::Square;
pub use value::Value;
