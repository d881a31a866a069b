//! Stop requests for a match.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

const RUNS: u8 = 0;
const AFTER_GAMES: u8 = 1;
const NOW: u8 = 2;

/// A shared stop request. Clones share their state.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<StopState>);

#[derive(Debug, Default)]
struct StopState {
    level: AtomicU8,
    failure: OnceLock<String>,
}

impl Stop {
    /// Requests a stop after the running games: no further game begins.
    pub fn after_games(&self) {
        self.0.level.fetch_max(AFTER_GAMES, Ordering::Relaxed);
    }

    /// Requests an immediate stop: running games are aborted.
    pub fn now(&self) {
        self.0.level.store(NOW, Ordering::Relaxed);
    }

    /// Stops immediately because of an error of the referee itself, such as a full disk. The first reason is kept.
    pub fn fail(&self, why: String) {
        let _ = self.0.failure.set(why);
        self.now();
    }

    /// The error of the referee that stopped the match, if any.
    pub fn failure(&self) -> Option<&str> {
        self.0.failure.get().map(String::as_str)
    }

    /// `true` if a stop was requested.
    pub fn is_asked(&self) -> bool {
        self.0.level.load(Ordering::Relaxed) != RUNS
    }

    /// `true` if running games are to be aborted.
    pub fn is_now(&self) -> bool {
        self.0.level.load(Ordering::Relaxed) == NOW
    }
}
