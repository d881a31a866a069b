//! The pause before each move in games between engines, so that people can follow.

use std::time::{Duration, Instant};

use record::table::{NodeId, TableEvent};

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

/// The pause at the current node before an engine starts to search.
#[derive(Debug, Default)]
pub(super) struct Pace {
    pub(super) pause: Duration,
    node: Option<NodeId>,
    until: Option<Instant>,
}

impl Pace {
    /// Starts a pause if the game has moved to another node.
    pub(super) fn arrive(&mut self, node: NodeId, now: Instant) {
        let before = self.node.replace(node);
        if before.is_some_and(|before| before != node) {
            self.until = Some(now + self.pause);
        }
    }

    /// Ends the pause.
    pub(super) fn skip(&mut self) {
        self.until = None;
    }

    /// The end of the running pause; `None` if there is none.
    pub(super) fn end(&self, now: Instant) -> Option<Instant> {
        self.until.filter(|until| *until > now)
    }
}
