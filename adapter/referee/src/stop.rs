//! How a match is told to end early.

use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Arc, OnceLock};

const RUNS: u8 = 0;
const AFTER_GAMES: u8 = 1;
const NOW: u8 = 2;

/// A request to stop, shared between those who may make it and everyone who obeys it.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<State>);

#[derive(Debug, Default)]
struct State {
    level: AtomicU8,
    failure: OnceLock<String>,
}

impl Stop {
    /// No further game begins; running games are finished.
    pub fn after_games(&self) {
        self.0.level.fetch_max(AFTER_GAMES, Ordering::Relaxed);
    }

    /// Running games are given up too.
    pub fn now(&self) {
        self.0.level.store(NOW, Ordering::Relaxed);
    }

    /// Stops now, since the referee itself cannot go on: a full disk, no more descriptors. The first reason is kept.
    pub fn fail(&self, why: String) {
        let _ = self.0.failure.set(why);
        self.now();
    }

    /// Why the referee cannot go on, if it cannot.
    pub fn failure(&self) -> Option<&str> {
        self.0.failure.get().map(String::as_str)
    }

    /// Whether anyone asked to stop.
    pub fn is_asked(&self) -> bool {
        self.0.level.load(Ordering::Relaxed) != RUNS
    }

    /// Whether running games are to be given up.
    pub fn is_now(&self) -> bool {
        self.0.level.load(Ordering::Relaxed) == NOW
    }
}
