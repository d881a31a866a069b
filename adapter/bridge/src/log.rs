//! Log of the lines between a bridge and its GUI.

use std::io::{self, Write};
use std::sync::Arc;
use std::time::Instant;

use referee::process::Log;

/// Name of the GUI in the log.
pub(crate) const GUI: &str = "gui";

/// Writer that logs each line.
pub struct LoggedOutput<W> {
    output: W,
    log: Option<Arc<Log>>,
    /// The current, unfinished line.
    line: Vec<u8>,
}

impl<W: Write> LoggedOutput<W> {
    /// Wraps an output, with or without a log.
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
