//! Lines of a GUI, with their arrival times.

use std::io::{self, Read};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, bounded, never};
use protocol::{Line, LineReader};

use referee::process::Log;

use crate::GameEvent;
use crate::log::GUI;

/// Capacity of the line queue. When it is full, no more lines are read.
const MAX_WAITING: usize = 256;

/// A line with its arrival time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Received {
    /// The line.
    pub(crate) line: Line,
    /// Time at which it was read.
    pub(crate) at: Instant,
}

/// Input of a bridge, returned by [`HostedGame::wait`](crate::HostedGame::wait).
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Input {
    /// A line of the GUI.
    Line(Received),
    /// The GUI has closed its output.
    End,
    /// This program must stop.
    Stopped,
    /// An event of the game.
    Event(GameEvent),
}

/// Lines of a GUI, and the stop signal.
#[derive(Debug, Clone)]
pub struct Lines {
    pub(crate) lines: Receiver<Received>,
    pub(crate) stop: Receiver<()>,
}

impl Lines {
    /// Reads lines in a separate thread until the input ends. The bridge stops when `stop` receives a message or is
    /// disconnected. Lines are logged if there is a log.
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

    /// Returns the stop signal alone, so that lines stay queued.
    pub(crate) fn without_lines(&self) -> Lines {
        Lines {
            lines: never(),
            stop: self.stop.clone(),
        }
    }
}
