//! The interface between the server and its program: the settings; games, engines and files.

use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::{MatchSource, Origin, Puzzle};
use kit::Side;
use record::clock::Limit;
use record::game::GameResult;
use record::game_spec::GameSpec;
use record::registry::Registry;
use serde::{Deserialize, Serialize};
use table::journal::Journal;
use table::{LevelChoice, PausedTable, SeatPlayer, SeatSpec, TableSetup};

/// The program around the server. It owns the paths and the executable, and decides which commands may run.
pub trait Host: Send + Sync {
    /// Returns the registry of games.
    fn registry(&self) -> Registry;

    /// Prepares the setup of a new table.
    ///
    /// # Errors
    /// The request is invalid; the text is meant for the user.
    fn set_up(&self, wish: &Wish) -> Result<TableSetup, String>;

    /// Returns the player of a seat at a table whose players have this clock and level.
    ///
    /// # Errors
    /// There is no such player; the text is meant for the user.
    fn player(
        &self,
        seat: SeatSpec,
        clock: Limit,
        level: Option<LevelChoice>,
    ) -> Result<SeatPlayer, String>;

    /// Returns the names of the user's engines; by default, none.
    fn engines(&self) -> Vec<String> {
        Vec::new()
    }

    /// Locks a ledger and prepares its table for resuming.
    ///
    /// # Errors
    /// Names the file, and why the game cannot continue. For a ledger from elsewhere that runs commands, the error
    /// shows them unless `is_trusted` is set.
    fn resume(&self, path: &Path, is_trusted: bool) -> Result<PausedTable, String>;

    /// Returns the games that can be resumed, the newest first.
    fn recent(&self) -> Vec<RecentGame>;

    /// Returns the matches that have been played, the newest first; by default, none.
    fn matches(&self) -> Vec<RecentMatch> {
        Vec::new()
    }

    /// Returns the ledger of the table with this id in the user's folder; by default, `None`.
    fn ledger(&self, _table: &str) -> Option<PathBuf> {
        None
    }

    /// Stores the links of guests for the next start, so that only this user can read them; by default, does nothing.
    fn keep_links(&self, _links: &[GuestLink]) {}

    /// Returns the puzzles of a game; by default, none.
    fn puzzles(&self, _game: &str) -> &[Puzzle] {
        &[]
    }
}

/// A request for a new table, of a page or of the command line.
#[derive(Debug, Clone)]
pub struct Wish {
    /// Game, with the options that differ from their defaults.
    pub game: GameSpec,
    /// Players by side.
    pub seats: [SeatSpec; 2],
    /// Limit of both players.
    pub clock: Limit,
    /// Level of built-in engines; full strength if absent.
    pub level: Option<LevelChoice>,
    /// Initial game record; it holds at least the opening.
    pub journal: Journal,
    /// Names for people whom the seats do not name.
    pub names: Option<[String; 2]>,
}

impl Wish {
    /// The wish for a game without a clock, with engines of full strength.
    pub fn new(game: GameSpec, seats: [SeatSpec; 2], journal: Journal) -> Wish {
        Wish {
            game,
            seats,
            clock: Limit::Unlimited,
            level: None,
            journal,
            names: None,
        }
    }
}

/// A game in a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecentGame {
    /// Path of the ledger.
    pub path: PathBuf,
    /// Game, with the options that differ from their defaults.
    pub game: GameSpec,
    /// Names of the players, by side.
    pub names: [String; 2],
    /// Number of moves made.
    pub plies: usize,
    /// The current position: `startpos moves ...` or `fen ...`.
    pub position: String,
    /// The result, if the game has ended.
    pub result: Option<GameResult>,
    /// Time of the last change of the ledger, in seconds since 1970.
    pub changed: u64,
}

/// A link for a guest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct GuestLink {
    /// Token in the link.
    pub token: String,
    /// Id of the table.
    pub table: String,
    /// The side that the guest plays; `None` to watch.
    pub side: Option<Side>,
}

/// A match in a ledger.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecentMatch {
    /// Path of the ledger.
    pub path: PathBuf,
    /// Identifies the match.
    pub id: String,
    /// Game, with the options that differ from their defaults.
    pub game: GameSpec,
    /// Names of the engines.
    pub names: Vec<String>,
    /// Time of the last change of the ledger, in seconds since 1970.
    pub changed: u64,
}

/// Settings of a server.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Port on this machine; 0 selects any free one.
    pub port: u16,
    /// The host's token; a new one if absent.
    pub host_token: Option<String>,
    /// Links of guests that were stored by [`Host::keep_links`].
    pub links: Vec<GuestLink>,
    /// Second address, for guests.
    pub listen: Option<SocketAddr>,
    /// PEM files of the second address: the chain of certificates, and the private key.
    pub tls: Option<[PathBuf; 2]>,
    /// Address in guests' links; that of `listen` if absent.
    pub url: Option<Origin>,
    /// Game that the first page opens.
    pub start: Option<Wish>,
    /// Match that pages follow.
    pub source: Option<MatchSource>,
    /// Number of descriptors that the process needs for a match that it plays besides.
    pub reserved: u64,
    /// Time for which a table without a page is kept.
    pub grace: Duration,
    /// Time for the arrival of a request's headers, and for a TLS handshake.
    pub header_timeout: Duration,
    /// Time in which a page must read a text.
    pub send_timeout: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            port: 0,
            host_token: None,
            links: Vec::new(),
            listen: None,
            tls: None,
            url: None,
            start: None,
            source: None,
            reserved: 0,
            grace: Duration::from_secs(30),
            header_timeout: Duration::from_secs(10),
            send_timeout: Duration::from_secs(20),
        }
    }
}
