//! Settings of a server.

use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

use crate::{MatchSource, Origin, Wish};

/// Settings of a server.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Port on this machine; 0 selects any free one.
    pub port: u16,
    /// The host's token; a new one if absent.
    pub host_token: Option<String>,
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
