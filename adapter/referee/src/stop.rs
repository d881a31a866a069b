//! How a match is told to end early, and an engine to move.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};

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

/// A wish that an engine move at once with the best it has found, shared between whoever may utter it and whoever
/// waits for that engine.
#[derive(Debug, Clone, Default)]
pub struct MoveNow(Arc<AtomicBool>);

impl MoveNow {
    /// Utters the wish.
    pub fn now(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was uttered since the last call.
    pub fn take(&self) -> bool {
        self.0.swap(false, Ordering::Relaxed)
    }
}
