//! The lines of a GUI as they come.

use std::io::{self, Read};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, bounded, never};
use protocol::{Line, LineReader};

use referee::process::Log;

use crate::News;
use crate::log::GUI;

/// How many lines may wait; then the GUI waits.
const MAX_WAITING: usize = 256;

/// A line and when it came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Received {
    /// The line.
    pub line: Line,
    /// When it was read.
    pub at: Instant,
}

/// What a bridge waits for: [`HostedGame::wait`](crate::HostedGame::wait).
#[derive(Debug, Clone, PartialEq)]
pub enum Input {
    /// A line of the GUI.
    Line(Received),
    /// The GUI has closed its end: no more lines come.
    End,
    /// The program is told to end.
    Stopped,
    /// Something has happened in the game.
    News(News),
}

/// The lines of a GUI, and the word to end.
#[derive(Debug, Clone)]
pub struct Lines {
    pub(crate) lines: Receiver<Received>,
    pub(crate) stop: Receiver<()>,
}

impl Lines {
    /// Reads lines on a thread of its own, until the input ends. `stop` holds something, or is disconnected, once the
    /// bridge is to end. Each line is logged, if there is a log.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn read(
        input: impl Read + Send + 'static,
        stop: Receiver<()>,
        log: Option<Arc<Log>>,
    ) -> io::Result<Lines> {
        let (sender, lines) = bounded(MAX_WAITING);
        let thread = thread::Builder::new().name("lines".to_owned());
        thread.spawn(move || {
            let mut reader = LineReader::new(input);
            while let Ok(Some(line)) = reader.read() {
                let line = line.to_line();
                let at = Instant::now();
                if let (Some(log), Line::Text(text)) = (&log, &line) {
                    log.line(at, GUI, b'<', text.as_bytes(), false);
                }
                if sender.send(Received { line, at }).is_err() {
                    return;
                }
            }
        })?;
        Ok(Lines { lines, stop })
    }

    /// The word to end alone: lines wait.
    pub(crate) fn without_lines(&self) -> Lines {
        Lines {
            lines: never(),
            stop: self.stop.clone(),
        }
    }
}
