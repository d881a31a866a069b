//! The log of every line both ways.

use std::fs::File;
use std::io::{self, LineWriter, Write};
use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use crate::sync::unpoisoned;

/// A file that all processes of a match write their lines to: seconds since the start, engine, direction, line.
#[derive(Debug)]
pub struct Log {
    start: Instant,
    file: Mutex<LineWriter<File>>,
}

impl Log {
    /// Begins a log, behind what the file holds already: a match may be taken up again.
    pub fn open(path: &Path) -> io::Result<Log> {
        Ok(Log {
            start: Instant::now(),
            file: Mutex::new(LineWriter::new(
                File::options().create(true).append(true).open(path)?,
            )),
        })
    }

    /// Writes one line. A log that cannot be written is no reason to stop a match.
    pub(super) fn line(&self, at: Instant, who: &str, arrow: u8, line: &[u8]) {
        let seconds = at.saturating_duration_since(self.start).as_secs_f64();
        let mut file = unpoisoned(&self.file);
        let _ = write!(file, "{seconds:.6} {who} {} ", arrow as char);
        let _ = file.write_all(line);
        let _ = file.write_all(b"\n");
    }
}
