//! Errors that prevent or end a match.

use std::fmt;
use std::io;

use kit::Rejection;
use record::registry::GameError;

use crate::client::Fault;

/// Error that prevents or ends a match.
#[derive(Debug)]
pub enum MatchError {
    /// The game is unknown or its options are invalid.
    Game(GameError),
    /// An opening is not legal in this game.
    Opening {
        /// Its number, from 1.
        number: usize,
        /// The problem.
        why: Rejection,
    },
    /// The adjudication table cannot be used.
    Table(String),
    /// An engine cannot be started.
    Engine {
        /// Its name, or the program.
        name: String,
        /// The reason.
        fault: Fault,
    },
    /// An engine rejects an option.
    Option {
        /// The engine's name.
        name: String,
        /// The option and what was expected.
        why: String,
    },
    /// No opening can be generated from the engines' answers.
    Drawing(String),
    /// The log cannot be written.
    Log(io::Error),
    /// A record cannot be written.
    Record(io::Error),
    /// The referee cannot continue: the system is short of a resource, or a log cannot be written.
    Trouble(String),
    /// The match was stopped before the first game.
    Stopped,
}

impl fmt::Display for MatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            MatchError::Game(error) => error.fmt(f),
            MatchError::Opening { number, why } => write!(f, "opening {number}: {why}"),
            MatchError::Table(why) => write!(f, "--adjudicate-table: {why}"),
            MatchError::Engine { name, fault } => write!(f, "engine {name}: {fault}"),
            MatchError::Option { name, why } => write!(f, "engine {name}: {why}"),
            MatchError::Drawing(why) => f.write_str(why),
            MatchError::Log(error) => write!(f, "--log: {error}"),
            MatchError::Record(error) => error.fmt(f),
            MatchError::Trouble(why) => f.write_str(why),
            MatchError::Stopped => f.write_str("stopped before the first game"),
        }
    }
}

impl std::error::Error for MatchError {}
