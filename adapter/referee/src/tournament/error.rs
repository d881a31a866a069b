//! Why a match cannot be played.

use std::fmt;
use std::io;

use kit::Rejection;

use crate::client::Fault;
use crate::registry::GameError;

/// Why a match cannot be played.
#[derive(Debug)]
pub enum MatchError {
    /// The game cannot be played.
    Game(GameError),
    /// An opening is none of this game's.
    Opening {
        /// Its number, from 1.
        number: usize,
        /// What is wrong with it.
        why: Rejection,
    },
    /// The table that adjudicates cannot be used.
    Table(String),
    /// An engine does not start.
    Engine {
        /// Its name, or what was to be started.
        name: String,
        /// Why.
        fault: Fault,
    },
    /// An engine does not take an option.
    Option {
        /// The engine's name.
        name: String,
        /// Which, and what was expected.
        why: String,
    },
    /// No opening can be drawn from the answers of the engines.
    Drawing(String),
    /// The log cannot be written.
    Log(io::Error),
    /// A record cannot be written.
    Record(io::Error),
    /// The referee itself cannot go on: this system lacks something, or a log cannot be written.
    Trouble(String),
    /// Everything was told to stop before the first game.
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
