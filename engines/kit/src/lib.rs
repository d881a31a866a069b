//! What every engine shares, generic over a game and naming none.
//!
//! A game implements three traits: [`Game`] (its rules), [`Notation`] (its text) and [`Evaluate`] (its judgement).
//! Everything else is here: [`History`] holds a game in play with its repetitions, [`perft`] counts its tree,
//! `search` plays it, `session` answers commands and `serve` carries them over standard input and output; `bench`
//! measures the search, `puzzle` proves what positions are worth, `mine` finds them.
//! `laws` is the test suite that every game passes.

/// Styles of drawn text, for games, which depend on the kit alone.
pub use anstyle;

pub mod bench;
pub mod board;
pub mod evaluate;
pub mod figure;
pub mod game;
pub mod history;
pub mod laws;
pub mod mine;
pub mod notation;
pub mod options;
pub mod perft;
pub mod playout;
pub mod puzzle;
pub mod search;
pub mod serve;
pub mod session;
pub mod sheet;
pub mod tune;
pub mod view;

pub use bench::Bench;
pub use board::Board;
pub use evaluate::{Evaluate, Prospect};
pub use game::{Game, Outcome, Side};
pub use history::History;
pub use notation::{Notation, Refusal, Setup};
pub use options::{OptionDecl, OptionKind, Options};
pub use session::Session;
pub use sheet::{Mark, Sheet};
pub use view::{Scene, View};

/// All that makes a game an engine.
pub trait Engine: Notation + Evaluate {
    /// What its search is measured by.
    const BENCH: Bench;
}
