//! Setup and errors of a bridge, and command lines for people to paste.

use std::io;
use std::sync::Arc;

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
    /// Shows the lines of a program of another protocol to the client.
    pub shows_wire: bool,
    /// Registry of games, path of the executable, and stop signal.
    pub host: Host,
}

impl BridgeSetup {
    /// Returns the rules of the game.
    pub(crate) fn rules(&self) -> Done<Rules> {
        let none = || BridgeError::Unsuitable(format!("{} has no rules", self.game));
        self.known_rules()?.ok_or_else(none)
    }

    /// Returns the rules of the game; `None` for the game without rules, `any`.
    pub(crate) fn known_rules(&self) -> Done<Option<Rules>> {
        let rules = self.host.registry.rules(&self.game);
        rules.map_err(|error| BridgeError::Unsuitable(error.to_string()))
    }
}

/// The result of a step of a bridge.
pub type Done<T = ()> = Result<T, BridgeError>;

/// Error that ends a bridge.
#[derive(Debug, thiserror::Error)]
pub enum BridgeError {
    /// The game or an option does not fit the protocol. The text names it, and what was expected.
    #[error("{0}")]
    Unsuitable(String),
    /// The table cannot be opened, or has failed.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The table has closed, or the named engine cannot be started or has ended unexpectedly.
    #[error("{0}")]
    Ended(String),
    /// The output cannot be written.
    #[error("standard output: {0}")]
    Output(#[from] io::Error),
}

impl From<SessionError> for BridgeError {
    fn from(error: SessionError) -> BridgeError {
        BridgeError::Ended(error.to_string())
    }
}

/// Quotes words for a shell. Quotes only the words that need it.
pub fn shell_line(words: &[String]) -> String {
    // A word with a NUL cannot be quoted, but cannot be in a command line either.
    shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
}
