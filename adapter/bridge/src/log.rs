//! The lines between a bridge and its GUI in a log.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use referee::process::Log;

/// The GUI's name in the log.
pub(crate) const GUI: &str = "gui";

/// An output whose lines are logged.
pub struct LoggedOutput<W> {
    output: W,
    log: Option<Arc<Log>>,
    /// The line that is being written.
    line: Vec<u8>,
}

impl<W: Write> LoggedOutput<W> {
    /// An output with a log, or without one.
    pub fn new(output: W, log: Option<Arc<Log>>) -> LoggedOutput<W> {
        LoggedOutput {
            output,
            log,
            line: Vec::new(),
        }
    }
}

impl<W: Write> Write for LoggedOutput<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let n_written = self.output.write(bytes)?;
        let Some(log) = &self.log else {
            return Ok(n_written);
        };
        for &byte in &bytes[..n_written] {
            if byte == b'\n' {
                log.line(Instant::now(), GUI, b'>', &self.line, false);
                self.line.clear();
            } else {
                self.line.push(byte);
            }
        }
        Ok(n_written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
