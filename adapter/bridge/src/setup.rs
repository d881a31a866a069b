//! Setup and errors of a bridge.

use std::sync::Arc;
use std::{fmt, io};

use record::engine_spec::EngineSpec;
use record::game_spec::GameSpec;
use record::registry::Rules;
use referee::host::Host;
use referee::process::Log;
use table::{SessionError, TableError};

/// Setup of a bridge.
#[derive(Debug, Clone)]
pub struct BridgeSetup {
    /// Game and options.
    pub game: GameSpec,
    /// Engine that moves on the GUI's request.
    pub engine: EngineSpec,
    /// Lets the engine's own limit override the GUI's; otherwise it applies only if the GUI sets none.
    pub overrides_limit: bool,
    /// Timeout of a search without a time limit, in milliseconds.
    pub search_timeout_ms: u64,
    /// Log for all lines.
    pub log: Option<Arc<Log>>,
    /// Registry of games, path of the executable, and stop signal.
    pub host: Host,
}

impl BridgeSetup {
    /// Returns the rules of the game.
    pub(crate) fn rules(&self) -> Result<Rules, BridgeError> {
        let none = || BridgeError::Unsuitable(format!("{} has no rules", self.game));
        self.known_rules()?.ok_or_else(none)
    }

    /// Returns the rules of the game; `None` for the game without rules, `any`.
    pub(crate) fn known_rules(&self) -> Result<Option<Rules>, BridgeError> {
        let rules = self.host.registry.rules(&self.game);
        rules.map_err(|error| BridgeError::Unsuitable(error.to_string()))
    }
}

/// Error that ends a bridge.
#[derive(Debug)]
pub enum BridgeError {
    /// The game or an option does not fit the protocol. The text names it, and what was expected.
    Unsuitable(String),
    /// The table cannot be opened, or has failed.
    Table(TableError),
    /// The table has closed, with the reason.
    Closed(String),
    /// The named engine cannot be started, or has ended unexpectedly.
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
            BridgeError::Thread(error) => write!(f, "cannot start a thread: {error}"),
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

impl From<SessionError> for BridgeError {
    fn from(error: SessionError) -> BridgeError {
        BridgeError::Closed(error.to_string())
    }
}

impl From<io::Error> for BridgeError {
    fn from(error: io::Error) -> BridgeError {
        BridgeError::Output(error)
    }
}
