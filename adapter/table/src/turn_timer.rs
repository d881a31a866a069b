//! The time used by the person to move, and the pause before each move in games between engines.

use std::time::{Duration, Instant};

use crate::model::NodeId;

/// Measures the time that a person has used for the turn at one node. It can be paused.
#[derive(Debug, Default)]
pub(super) struct TurnTimer {
    node: Option<NodeId>,
    spent: Duration,
    since: Option<Instant>,
}

impl TurnTimer {
    /// Sets the current node, and whether the time runs. The time restarts at zero if the node changed.
    pub(super) fn set(&mut self, node: NodeId, is_running: bool, now: Instant) {
        if self.node != Some(node) {
            *self = TurnTimer {
                node: Some(node),
                ..TurnTimer::default()
            };
        }
        match (self.since, is_running) {
            (None, true) => self.since = Some(now),
            (Some(_), false) => {
                self.spent = self.spent(now);
                self.since = None;
            }
            _ => {}
        }
    }

    /// Restarts at zero on the next `set`, even at the same node.
    pub(super) fn reset(&mut self) {
        *self = TurnTimer::default();
    }

    pub(super) fn is_running(&self) -> bool {
        self.since.is_some()
    }

    /// The time used until `at`.
    pub(super) fn spent(&self, at: Instant) -> Duration {
        let running = self.since.map(|since| at.saturating_duration_since(since));
        self.spent + running.unwrap_or_default()
    }

    /// The time at which `allowance` will be used up; `None` while paused.
    pub(super) fn end(&self, allowance: Duration) -> Option<Instant> {
        self.since
            .map(|since| since + allowance.saturating_sub(self.spent))
    }
}

/// The pause at the current node before an engine starts to search.
#[derive(Debug)]
pub(super) struct Pace {
    pub(super) pause: Duration,
    node: Option<NodeId>,
    until: Option<Instant>,
}

impl Pace {
    pub(super) fn of(pause: Duration) -> Pace {
        Pace {
            pause,
            node: None,
            until: None,
        }
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_turn_can_be_interrupted() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let mut timer = TurnTimer::default();
        timer.set(NodeId(1), true, at(0));
        timer.set(NodeId(1), false, at(3));
        assert_eq!(timer.spent(at(9)), Duration::from_secs(3));
        timer.set(NodeId(1), true, at(10));
        assert_eq!(timer.spent(at(12)), Duration::from_secs(5));
        assert_eq!(timer.end(Duration::from_secs(7)), Some(at(14)));
        timer.set(NodeId(2), true, at(20));
        assert_eq!(timer.spent(at(21)), Duration::from_secs(1));
    }
}
