//! A rate limit on a guest's input, in bytes and lines.

use std::io::{self, ErrorKind, Read};
use std::time::Instant;

use record::token_bucket::TokenBucket;

/// Maximum burst in bytes: about 600 short lines.
const BURST: f64 = 65_536.0;

/// Sustained rate in bytes per second: about 40 short lines.
const RATE: f64 = 4_096.0;

/// Cost of a line in addition to its bytes, since each line is answered.
const LINE_COST: f64 = 100.0;

/// A reader that fails with [`ErrorKind::QuotaExceeded`] when the input exceeds the limit.
pub(crate) struct RateLimited<R> {
    input: R,
    /// The bytes that may come.
    bytes: TokenBucket,
}

impl<R> RateLimited<R> {
    pub(crate) fn new(input: R) -> RateLimited<R> {
        RateLimited {
            input,
            bytes: TokenBucket::full(BURST, RATE, Instant::now()),
        }
    }

    /// `true` if these bytes are within the limit.
    fn admits(&mut self, bytes: &[u8], now: Instant) -> bool {
        let n_lines = bytes.iter().filter(|byte| **byte == b'\n').count();
        let cost = bytes.len() as f64 + LINE_COST * n_lines as f64;
        self.bytes.take(cost, now)
    }
}

impl<R: Read> Read for RateLimited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.input.read(buffer)?;
        match self.admits(&buffer[..n_read], Instant::now()) {
            true => Ok(n_read),
            false => Err(ErrorKind::QuotaExceeded.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_flood_exceeds_the_rate() {
        let mut input = RateLimited::new(io::repeat(b'\n'));
        let mut buffer = [0; 1 << 16];
        let error = input.read(&mut buffer).expect_err("too much");
        assert_eq!(error.kind(), ErrorKind::QuotaExceeded);
    }

    #[test]
    fn a_person_does_not() {
        let mut input = RateLimited::new(io::empty());
        let mut now = Instant::now();
        for _ in 0..10_000 {
            now += Duration::from_millis(200);
            assert!(input.admits(b"b2 -> c3\n", now));
        }
        let pasted = "a line of a pasted diagram\n".repeat(50);
        assert!(input.admits(pasted.as_bytes(), now));
    }

    #[test]
    fn a_line_without_an_end_exceeds_the_rate_too() {
        let (chunk, now) = ([b'x'; 1 << 12], Instant::now());
        let mut input = RateLimited::new(io::empty());
        let n_admitted = (0..).take_while(|_| input.admits(&chunk, now));
        assert_eq!(n_admitted.count(), 16);
    }
}
