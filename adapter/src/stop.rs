//! How a match is told to end early.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

const RUNS: u8 = 0;
const AFTER_GAMES: u8 = 1;
const NOW: u8 = 2;

/// A wish to stop, shared between whoever may utter it and everyone who has to heed it.
#[derive(Debug, Clone, Default)]
pub struct Stop(Arc<AtomicU8>);

impl Stop {
    /// No game is begun any more; those that run are finished.
    pub fn after_games(&self) {
        self.0.fetch_max(AFTER_GAMES, Ordering::Relaxed);
    }

    /// The running games are given up too.
    pub fn now(&self) {
        self.0.store(NOW, Ordering::Relaxed);
    }

    /// Whether anyone wished it.
    pub fn is_asked(&self) -> bool {
        self.0.load(Ordering::Relaxed) != RUNS
    }

    /// Whether running games are to be given up.
    pub fn is_now(&self) -> bool {
        self.0.load(Ordering::Relaxed) == NOW
    }
}
