//! The pause between moves where engines play alone, so that people can follow.

use std::time::{Duration, Instant};

use super::TableError;
use super::event::TableEvent;
use super::state::Table;
use super::tree::NodeId;

/// The longest pause, in seconds.
const MAX_PAUSE: f64 = 3600.0;

/// How long engines wait at a node before they think.
#[derive(Debug, Default)]
pub(super) struct Pace {
    pause: Duration,
    node: Option<NodeId>,
    until: Option<Instant>,
}

impl Pace {
    /// In seconds.
    pub(super) fn seconds(&self) -> f64 {
        self.pause.as_secs_f64()
    }

    /// The game stands at a node. At another one than before, a pause begins.
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

    /// When the pause ends that lasts at this moment.
    fn end(&self, now: Instant) -> Option<Instant> {
        self.until.filter(|until| *until > now)
    }
}

impl Table {
    /// Sets how long engines pause before each move where they play alone.
    pub(super) fn set_pace(&mut self, seconds: f64) -> Result<(), TableError> {
        if !(0.0..=MAX_PAUSE).contains(&seconds) {
            let why = format!("pace {seconds}: expected seconds from 0 to {MAX_PAUSE}");
            return Err(TableError::Refused(why));
        }
        self.pace.pause = Duration::from_secs_f64(seconds);
        self.pace.skip();
        self.clients.tell_all(TableEvent::PaceChanged { seconds });
        Ok(())
    }

    /// When the engine that is to move begins to think, if it pauses at this moment.
    pub(super) fn pause_end(&self, now: Instant) -> Option<Instant> {
        self.pace.end(now).filter(|_| self.is_watched())
    }
}
