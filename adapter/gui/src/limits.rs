//! What an outsider can fill, and how far.

use std::time::{Duration, Instant};

/// TCP connections at once; further ones wait until one is closed.
pub(crate) const MAX_CONNECTIONS: usize = 512;

/// WebSockets at once.
pub(crate) const MAX_TABS: usize = 256;

/// Tables at once. Each has at most four engines: one a seat, one for hints, one for analysis.
pub(crate) const MAX_TABLES: usize = 16;

/// The longest message of the host, who sends whole records, and of a guest, in bytes.
pub(crate) const MAX_HOST_MESSAGE: usize = 6 << 20;
pub(crate) const MAX_GUEST_MESSAGE: usize = 16 << 10;

/// Messages of a page that wait for its thread, and texts that wait for the page.
pub(crate) const MAX_WAITING: usize = 64;

/// Events of a table that wait for a page. A page that is slower loses some, and gets a snapshot.
pub(crate) const MAX_EVENTS: usize = 1024;

/// Messages that a page may send at once, and how long it takes until it may send another one.
const BURST: u32 = 200;
const REFILL: Duration = Duration::from_millis(20);

/// How many messages a page may still send.
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

    /// Counts a message; whether it may be sent.
    pub(crate) fn take(&mut self, now: Instant) -> bool {
        let gained = now.saturating_duration_since(self.since).as_millis() / REFILL.as_millis();
        let gained = u32::try_from(gained).unwrap_or(u32::MAX);
        self.left = self.left.saturating_add(gained).min(BURST);
        self.since = if gained < BURST {
            self.since + REFILL * gained
        } else {
            now
        };
        let may = self.left > 0;
        self.left = self.left.saturating_sub(1);
        may
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_is_used_up_and_refilled() {
        let start = Instant::now();
        let mut rate = Rate::full(start);
        assert_eq!((0..500).filter(|_| rate.take(start)).count(), 200);
        let later = start + Duration::from_millis(70);
        assert_eq!((0..500).filter(|_| rate.take(later)).count(), 3);
        let later = start + Duration::from_secs(1_000_000_000);
        assert_eq!((0..500).filter(|_| rate.take(later)).count(), 200);
    }
}
