//! The pause before each move in games between engines, so that people can follow.

use std::time::{Duration, Instant};

use record::table::NodeId;

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
