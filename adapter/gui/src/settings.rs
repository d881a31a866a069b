//! Settings of a server.

use std::net::SocketAddr;
use std::time::Duration;

use record::game_spec::GameSpec;
use serde::Serialize;

use crate::MatchSource;

/// Settings of a server.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Port on this machine; 0 selects any free one.
    pub port: u16,
    /// Second address, for guests.
    pub listen: Option<SocketAddr>,
    /// Game that the first page opens.
    pub start: Option<Start>,
    /// Match that pages follow.
    pub source: Option<MatchSource>,
    /// Time for which a table without a page is kept.
    pub grace: Duration,
    /// Time in which a page must read a text.
    pub send_timeout: Duration,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            port: 0,
            listen: None,
            start: None,
            source: None,
            grace: Duration::from_secs(30),
            send_timeout: Duration::from_secs(20),
        }
    }
}

/// Game named on the command line.
#[derive(Debug, Clone, Serialize)]
pub struct Start {
    /// Game with its options.
    pub game: GameSpec,
    /// Players, by side.
    pub seats: [String; 2],
}
