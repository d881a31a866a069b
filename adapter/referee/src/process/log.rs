//! The log of every line both ways.

use std::fs::File;
use std::io::{self, LineWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use parking_lot::Mutex;

use crate::stop::Stop;

/// A file that all processes of a match write their lines to: seconds since the start, engine, direction, line.
#[derive(Debug)]
pub struct Log {
    start: Instant,
    path: PathBuf,
    file: Mutex<LineWriter<File>>,
    stop: Stop,
}

impl Log {
    /// Begins a log behind what the file already holds, since a match may be resumed. `stop` is told when a line
    /// cannot be written.
    ///
    /// # Errors
    /// The file cannot be opened.
    pub fn open(path: &Path, stop: Stop) -> io::Result<Log> {
        let file = File::options().create(true).append(true).open(path)?;
        Ok(Log {
            start: Instant::now(),
            path: path.to_owned(),
            file: Mutex::new(LineWriter::new(file)),
            stop,
        })
    }

    /// Writes one line. A log that cannot be written ends the match, which can be resumed.
    pub(super) fn line(&self, at: Instant, name: &str, arrow: u8, line: &[u8]) {
        if self.stop.failure().is_some() {
            return;
        }
        let seconds = at.saturating_duration_since(self.start).as_secs_f64();
        let mut file = self.file.lock();
        let written = write!(file, "{seconds:.6} {name} {} ", arrow as char)
            .and_then(|()| file.write_all(line))
            .and_then(|()| file.write_all(b"\n"));
        if let Err(error) = written {
            self.stop
                .fail(format!("--log: {}: {error}", self.path.display()));
        }
    }
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_a_failure_that_names_the_file() {
        let stop = Stop::default();
        let log = Log::open(Path::new("/dev/full"), stop.clone()).expect("it can be opened");
        log.line(Instant::now(), "A", b'>', b"ugi");
        assert!(stop.is_now());
        let why = stop.failure().expect("nothing was written");
        assert!(why.starts_with("--log: /dev/full: "), "{why}");
    }
}
