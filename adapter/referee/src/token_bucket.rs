//! A rate limit with bursts.

use std::time::{Duration, Instant};

/// A token bucket: a store of tokens, refilled at a constant rate up to its capacity.
#[derive(Debug, Clone)]
pub struct TokenBucket {
    capacity: f64,
    per_second: f64,
    left: f64,
    at: Instant,
}

impl TokenBucket {
    /// A full bucket.
    pub fn full(capacity: f64, per_second: f64, now: Instant) -> TokenBucket {
        TokenBucket {
            capacity,
            per_second,
            left: capacity,
            at: now,
        }
    }

    /// Takes tokens. If there are too few, takes none and returns `false`.
    pub fn take(&mut self, n_tokens: f64, now: Instant) -> bool {
        let is_there = self.wait(n_tokens, now).is_zero();
        if is_there {
            self.left -= n_tokens;
        }
        is_there
    }

    /// The time until this number of tokens, at most the capacity, can be taken; zero if they can be taken now.
    pub fn wait(&mut self, n_tokens: f64, now: Instant) -> Duration {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + passed * self.per_second).min(self.capacity);
        self.at = self.at.max(now);
        let missing = n_tokens - self.left;
        if missing <= 0.0 {
            return Duration::ZERO;
        }
        // At least a nanosecond, so that a missing token is never zero.
        let wait = Duration::try_from_secs_f64(missing / self.per_second).unwrap_or(Duration::MAX);
        wait.max(Duration::from_nanos(1))
    }

    /// `true` if no token is missing.
    pub fn is_full(&mut self, now: Instant) -> bool {
        self.wait(self.capacity, now).is_zero()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bucket_is_emptied_and_refilled() {
        let start = Instant::now();
        let mut bucket = TokenBucket::full(200.0, 100.0, start);
        let n_taken =
            |bucket: &mut TokenBucket, now| (0..500).take_while(|_| bucket.take(1.0, now)).count();
        assert!(bucket.is_full(start));
        assert_eq!(n_taken(&mut bucket, start), 200);
        assert_eq!(bucket.wait(1.0, start), Duration::from_millis(10));
        let later = start + Duration::from_millis(35);
        assert_eq!(n_taken(&mut bucket, later), 3);
        assert!(bucket.wait(1.0, later) < Duration::from_millis(6));
        assert!(!bucket.take(200.0, later) && !bucket.is_full(later));
        assert_eq!(
            n_taken(&mut bucket, start + Duration::from_secs(1_000_000_000)),
            200
        );
    }

    #[test]
    fn an_empty_rate_lets_nothing_pass() {
        let now = Instant::now();
        let mut bucket = TokenBucket::full(0.0, 0.0, now);
        assert!(!bucket.take(1.0, now));
        assert_eq!(bucket.wait(1.0, now), Duration::MAX);
    }
}
