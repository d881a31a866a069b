//! What every engine shares, generic over a game and naming none.
//!
//! A game implements three traits: [`Game`] (its rules), [`Notation`] (its text) and [`Evaluate`] (its evaluation).
//! Everything else is here: [`PositionHistory`] holds a game in play with its repetitions, [`perft`] counts its tree,
//! `search` plays it, `session` answers commands and `serve` carries them over standard input and output; `bench`
//! measures the search, `puzzle` proves what positions are worth, `mine` finds them.
//! `laws` is the test suite that every game passes.

/// Styles of drawn text, for games, which depend on the kit alone.
pub use anstyle;

pub mod about;
pub mod bench;
mod bytes;
pub mod check_position;
pub mod crash_log;
pub mod diagram;
pub mod dyn_history;
pub mod evaluate;
pub mod fen;
pub mod figure;
mod fitting;
pub mod game;
pub mod game_entry;
pub mod hash;
pub mod laws;
pub mod learn;
pub mod lock;
pub mod mine;
pub mod network;
pub mod notation;
pub mod options;
pub mod parallel;
pub mod parse_diagram;
pub mod perft;
mod platform;
pub mod playout;
pub mod policy;
pub mod position_history;
pub mod puzzle;
pub mod search;
pub mod serve;
pub mod session;
pub mod tablebase;
pub mod testing;
pub mod text_board;
pub mod text_canvas;
pub mod tune;
pub mod view;

pub use about::{About, RuleSection};
pub use bench::{Bench, BenchLimit};
pub use check_position::CheckPosition;
pub use diagram::{Diagram, DiagramBuilder};
pub use dyn_history::DynHistory;
pub use evaluate::{Evaluate, Forced, KnownResult};
pub use figure::{FigureLine, FigureReader};
pub use game::{Game, Outcome, Side};
pub use game_entry::GameEntry;
pub use notation::{Notation, Rejection, Setup};
pub use options::{OptionDecl, OptionKind, Options};
pub use position_history::PositionHistory;
pub use session::Session;
use tablebase::Numbering;
pub use text_board::{TextBoard, TextPage};
pub use text_canvas::{LastMove, TextCanvas};
pub use view::{DrawRequest, Room, View};

/// All that makes a game an engine.
pub trait Engine: Notation + Evaluate {
    /// What its search is measured by.
    const BENCH: Bench;

    /// The numbering of its positions in a table of perfect play; `None`, the default, if there is no table by these options.
    fn numbering(&self) -> Option<Box<dyn Numbering<Self>>> {
        None
    }
}
