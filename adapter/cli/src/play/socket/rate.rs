//! A rate limit on a guest's input, in bytes and lines.

use std::io::{self, ErrorKind, Read};
use std::time::{Duration, Instant};

/// Maximum burst in bytes: about 600 short lines.
const BURST: f64 = 65_536.0;

/// Sustained rate in bytes per second: about 40 short lines.
const RATE: f64 = 4_096.0;

/// Cost of a line in addition to its bytes, since each line is answered.
const LINE_COST: f64 = 100.0;

/// A reader that fails with [`ErrorKind::QuotaExceeded`] when the input exceeds the limit.
#[derive(Debug)]
pub(crate) struct RateLimited<R> {
    input: R,
    /// The remaining allowance, in bytes.
    left: f64,
    at: Instant,
}

impl<R> RateLimited<R> {
    pub(crate) fn new(input: R) -> RateLimited<R> {
        RateLimited {
            input,
            left: BURST,
            at: Instant::now(),
        }
    }

    /// `true` if these bytes are within the limit after this time.
    fn admits(&mut self, bytes: &[u8], waited: Duration) -> bool {
        let n_lines = bytes.iter().filter(|byte| **byte == b'\n').count();
        self.left = (self.left + RATE * waited.as_secs_f64()).min(BURST);
        self.left -= bytes.len() as f64 + LINE_COST * n_lines as f64;
        self.left >= 0.0
    }
}

impl<R: Read> Read for RateLimited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let n_read = self.input.read(buffer)?;
        let now = Instant::now();
        let waited = now.duration_since(std::mem::replace(&mut self.at, now));
        if self.admits(&buffer[..n_read], waited) {
            Ok(n_read)
        } else {
            Err(ErrorKind::QuotaExceeded.into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        for _ in 0..10_000 {
            assert!(input.admits(b"b2 -> c3\n", Duration::from_millis(200)));
        }
        let pasted = "a line of a pasted diagram\n".repeat(50);
        assert!(input.admits(pasted.as_bytes(), Duration::ZERO));
    }

    #[test]
    fn a_line_without_an_end_exceeds_the_rate_too() {
        let mut input = RateLimited::new(io::empty());
        let chunk = [b'x'; 1 << 12];
        let n_admitted = (0..).take_while(|_| input.admits(&chunk, Duration::from_millis(1)));
        assert_eq!(n_admitted.count(), 16);
    }
}
