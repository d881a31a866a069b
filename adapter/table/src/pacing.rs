//! Pauses between the moves of engines.

use std::time::{Duration, Instant};

use record::table::TableEvent;

use crate::error::{TableError, refuse};
use crate::state::Table;

/// The longest pause, in seconds.
const MAX_PAUSE: f64 = 3600.0;

impl Table {
    /// Sets the pause before each move where engines play both sides.
    pub(super) fn set_pace(&mut self, seconds: f64) -> Result<(), TableError> {
        if !(0.0..=MAX_PAUSE).contains(&seconds) {
            return refuse!("pace {seconds}: expected seconds from 0 to {MAX_PAUSE}");
        }
        self.pace.pause = Duration::from_secs_f64(seconds);
        self.pace.skip();
        self.clients
            .send_to_all(TableEvent::PaceChanged { seconds });
        Ok(())
    }

    /// The time when the engine to move may start its search; `None` if it may now.
    pub(super) fn pause_end(&self) -> Option<Instant> {
        self.pace.end(self.now).filter(|_| self.is_watched())
    }
}
