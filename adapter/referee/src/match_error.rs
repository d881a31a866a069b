//! Errors that prevent or end a match.

use std::io;

use kit::Rejection;
use record::registry::GameError;

use crate::engine::Fault;

/// Error that prevents or ends a match.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The game is unknown or its options are invalid.
    #[error("{0}")]
    Game(GameError),
    /// An opening is not legal in this game.
    #[error("opening {number}: {why}")]
    Opening {
        /// Its number, from 1.
        number: usize,
        /// The problem.
        why: Rejection,
    },
    /// The adjudication table cannot be used.
    #[error("--adjudicate-table: {0}")]
    Table(String),
    /// An engine cannot be started.
    #[error("{}", of_engine(name, fault))]
    Engine {
        /// Its name, or the program.
        name: String,
        /// The reason.
        fault: Fault,
    },
    /// An engine rejects an option.
    #[error("engine {name}: {why}")]
    Option {
        /// The engine's name.
        name: String,
        /// The option and what was expected.
        why: String,
    },
    /// No opening can be generated from the engines' answers.
    #[error("{0}")]
    Drawing(String),
    /// The log cannot be written.
    #[error("--log: {0}")]
    Log(io::Error),
    /// A record cannot be written.
    #[error("{0}")]
    Record(io::Error),
    /// The referee cannot continue: the system is short of a resource, or a log cannot be written.
    #[error("{0}")]
    Trouble(String),
    /// The match was stopped before the first game.
    #[error("stopped before the first game")]
    Stopped,
}

/// The fault of an engine, or of the rules that it waited for.
fn of_engine(name: &str, fault: &Fault) -> String {
    match fault {
        Fault::Rules(why) => why.clone(),
        fault => format!("engine {name}: {fault}"),
    }
}
