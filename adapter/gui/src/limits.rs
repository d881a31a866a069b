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

/// Requests of a page that its table has not answered.
pub(crate) const MAX_WAITING: usize = 64;

/// Messages of a page that wait for its thread, and texts that wait for the page: each may be large.
pub(crate) const MAX_QUEUED: usize = 8;

/// What the system keeps of the texts that a page has not read, in bytes.
pub(crate) const SEND_BUFFER: u32 = 256 << 10;

/// Connections that wait to be taken.
pub(crate) const BACKLOG: u32 = 1024;

/// Events of a table that wait for a page. A page that is slower loses some, and gets a snapshot.
pub(crate) const MAX_EVENTS: usize = 1024;

/// Messages of a page that are read at once, and how long it takes until another one is.
const BURST: u32 = 200;
const REFILL: Duration = Duration::from_millis(10);

/// How many messages of a page may be read.
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

    /// Counts a message; when the next one may be read.
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
