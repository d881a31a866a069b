//! Records the lines exchanged with a child: the last ones for a report, all of them in the log.

use std::sync::Arc;
use std::time::Instant;

use parking_lot::Mutex;

use super::log::Log;
use super::tail::Transcript;

/// Begins the text of an `info string` that shows a line of the program behind a bridge, after `<` or `>`.
pub const WIRE: &str = "wire";

/// The lines of one child. Shared by the thread that writes to it and the one that reads from it.
#[derive(Debug)]
pub(super) struct Trace {
    transcript: Mutex<Transcript>,
    log: Option<LogEntry>,
}

#[derive(Debug)]
struct LogEntry {
    log: Arc<Log>,
    /// The child's name in the log.
    name: Mutex<String>,
}

impl Trace {
    pub(super) fn new(name: &str, log: Option<Arc<Log>>) -> Trace {
        let name = Mutex::new(name.to_owned());
        Trace {
            transcript: Mutex::default(),
            log: log.map(|log| LogEntry { log, name }),
        }
    }

    /// Changes the name in the log.
    pub(super) fn rename(&self, name: &str) {
        if let Some(entry) = &self.log {
            name.clone_into(&mut entry.name.lock());
        }
    }

    /// Records a line to the child (`>`) or from it (`<`). A `noise` line goes only to the log. There, the lines of a
    /// program behind a bridge stand under the name `NAME (wire)`.
    pub(super) fn note(&self, at: Instant, arrow: u8, line: &[u8], noise: bool) {
        if !noise {
            self.transcript.lock().push(arrow, line);
        }
        let Some(LogEntry { log, name }) = &self.log else {
            return;
        };
        let wire = line.strip_prefix(b"info string ").filter(|_| noise);
        match wire.and_then(|text| text.strip_prefix(WIRE.as_bytes())) {
            Some([b' ', arrow @ (b'<' | b'>'), b' ', line @ ..]) => {
                log.line(at, &format!("{} (wire)", name.lock()), *arrow, line, false);
            }
            _ => log.line(at, &name.lock(), arrow, line, noise),
        }
    }

    /// Records the bytes after the last complete line from the child.
    pub(super) fn note_partial(&self, bytes: &[u8]) {
        self.transcript.lock().set_partial(bytes);
    }

    /// The last lines, with control characters replaced.
    pub(super) fn transcript(&self) -> Vec<String> {
        self.transcript.lock().text()
    }
}
