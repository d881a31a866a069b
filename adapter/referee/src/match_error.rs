//! Errors that prevent or end a match.

use record::registry::GameError;

use crate::engine::Fault;

/// Error that prevents or ends a match.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The game is unknown or its options are invalid.
    #[error("{0}")]
    Game(GameError),
    /// An opening or an option of an engine cannot be used.
    #[error("{0}")]
    Usage(String),
    /// The match cannot begin: an engine does not start, or a file cannot be used.
    #[error("{0}")]
    Start(String),
    /// The match cannot continue until it is resumed: the system is short of a resource, or a record or a log cannot be
    /// written.
    #[error("{0}")]
    Trouble(String),
    /// The match was stopped before the first game.
    #[error("stopped before the first game")]
    Stopped,
}

impl MatchError {
    /// The error of an engine that cannot be used.
    pub fn of_engine(name: &str, fault: Fault) -> MatchError {
        match fault {
            Fault::Option(why) => MatchError::Usage(format!("engine {name}: {why}")),
            Fault::Stopped => MatchError::Stopped,
            // These texts say themselves what has failed.
            Fault::Shortage(why) => MatchError::Trouble(why),
            Fault::Rules(why) => MatchError::Start(why),
            fault => MatchError::Start(format!("engine {name}: {fault}")),
        }
    }
}
