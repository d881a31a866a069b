//! Resource limits against outside clients.

use std::time::{Duration, Instant};

/// Maximum number of TCP connections. Further clients wait until one is closed.
pub(crate) const MAX_CONNECTIONS: usize = 512;

/// Maximum number of WebSockets.
pub(crate) const MAX_TABS: usize = 256;

/// Maximum number of tables. Each has at most four engines: one per seat, one for hints, one for analysis.
pub(crate) const MAX_TABLES: usize = 16;

/// Maximum size of a message in bytes: of the host, who sends whole records, and of a guest.
pub(crate) const MAX_HOST_MESSAGE: usize = 6 << 20;
pub(crate) const MAX_GUEST_MESSAGE: usize = 16 << 10;

/// Maximum number of a page's requests that await the table's answer.
pub(crate) const MAX_WAITING: usize = 64;

/// Capacity of the queues to and from a page's thread. Each text may be large.
pub(crate) const MAX_QUEUED: usize = 8;

/// Size of the socket's send buffer, in bytes.
pub(crate) const SEND_BUFFER: u32 = 256 << 10;

/// Maximum number of connections that wait to be accepted.
pub(crate) const BACKLOG: u32 = 1024;

/// Capacity of a page's event queue. If the page falls behind, events are dropped and it gets a snapshot.
pub(crate) const MAX_EVENTS: usize = 1024;

/// Token bucket for messages of a page: its capacity, and the time to refill one token.
const BURST: u32 = 200;
const REFILL: Duration = Duration::from_millis(10);

/// Rate limiter for the messages of a page.
#[derive(Debug)]
pub(crate) struct Rate {
    left: u32,
    since: Instant,
}

impl Rate {
    pub(crate) fn full(now: Instant) -> Rate {
        Rate {
            left: BURST,
            since: now,
        }
    }

    /// Counts a message. Returns the time at which the next one may be read.
    pub(crate) fn take(&mut self, now: Instant) -> Instant {
        let gained = now.saturating_duration_since(self.since).as_millis() / REFILL.as_millis();
        let gained = u32::try_from(gained).unwrap_or(u32::MAX);
        self.since = if gained < BURST {
            self.since + REFILL * gained
        } else {
            now
        };
        self.left = self
            .left
            .saturating_add(gained)
            .min(BURST)
            .saturating_sub(1);
        match self.left {
            0 => self.since + REFILL,
            _ => now,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_used_up_and_refilled() {
        let start = Instant::now();
        let mut rate = Rate::full(start);
        let n_free = |rate: &mut Rate, now| (0..500).take_while(|_| rate.take(now) == now).count();
        assert_eq!(n_free(&mut rate, start), 199);
        let later = start + Duration::from_millis(35);
        assert_eq!(n_free(&mut rate, later), 2);
        assert_eq!(rate.take(later), start + Duration::from_millis(40));
        let later = start + Duration::from_secs(1_000_000_000);
        assert_eq!(n_free(&mut rate, later), 199);
    }
}
