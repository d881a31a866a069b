//! What a bridge begins with, and why it ends with an error.

use std::fmt;
use std::io;
use std::sync::Arc;

use referee::plan::{EngineSpec, GameSpec};
use referee::process::Log;
use referee::table::TableError;
use referee::tournament::Host;

/// What a bridge needs of the program around it.
#[derive(Debug, Clone)]
pub struct BridgeSetup {
    /// The game with its options.
    pub game: GameSpec,
    /// The engine that makes moves when the GUI asks for them.
    pub engine: EngineSpec,
    /// Whether the engine's own limit overrides the GUI's; otherwise it holds where the GUI gives none.
    pub overrides_limit: bool,
    /// How long a search may take that no clock bounds, in milliseconds.
    pub search_timeout_ms: u64,
    /// Where each line is logged.
    pub log: Option<Arc<Log>>,
    /// The games, the executable of the built-in engines, and what ends waits for engines.
    pub host: Host,
}

/// Why a bridge ended with an error.
#[derive(Debug)]
pub enum BridgeError {
    /// The game, or its option, does not fit the protocol. The text names it and says what was expected.
    Unsuitable(String),
    /// The table cannot be opened, or could not go on.
    Table(TableError),
    /// The table has ended. The text says why.
    Closed(String),
    /// The engine cannot be started, or has ended by itself. The text names it.
    Engine(String),
    /// A thread cannot be started.
    Thread(io::Error),
    /// The output cannot be written.
    Output(io::Error),
}

impl fmt::Display for BridgeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BridgeError::Unsuitable(why) | BridgeError::Closed(why) | BridgeError::Engine(why) => {
                f.write_str(why)
            }
            BridgeError::Table(error) => error.fmt(f),
            BridgeError::Thread(error) => write!(f, "no thread can be started: {error}"),
            BridgeError::Output(error) => write!(f, "standard output: {error}"),
        }
    }
}

impl std::error::Error for BridgeError {}

impl From<TableError> for BridgeError {
    fn from(error: TableError) -> BridgeError {
        BridgeError::Table(error)
    }
}

impl From<io::Error> for BridgeError {
    fn from(error: io::Error) -> BridgeError {
        BridgeError::Output(error)
    }
}
