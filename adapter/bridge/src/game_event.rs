//! Events of a bridge's game.

use record::game::Ending;
use record::table::{AnalysedNode, Analysis};

/// An event of the game.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GameEvent {
    /// The engine has made a move.
    Moved {
        /// Its canonical code.
        code: String,
        /// The search information sent with it, unless it is that of the last [`Thought`](GameEvent::Thought).
        thought: Option<Analysis>,
    },
    /// The engine to move reports search information.
    Thought(Analysis),
    /// The engine failed to move, with the reason.
    Failed(String),
    /// The analysis has new lines.
    Analysed(AnalysedNode),
    /// The analysis has ended, with the reason.
    AnalysisEnded(String),
    /// The game is over.
    Over(Ending),
    /// An idle engine failed, with the reason; it is restarted when needed.
    Fault(String),
}
