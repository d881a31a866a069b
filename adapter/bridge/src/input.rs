//! Lines of a GUI with their arrival times, the events of its game, and the log of the lines in both directions.

use std::io::{self, Read, Write};
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, bounded, never};
use protocol::{Line, LineReader};
use record::game::GameResult;
use referee::process::{Alarm, Log, waker};
use table::{AnalysedNode, Analysis};

/// Capacity of the line queue. When it is full, no more lines are read.
const MAX_WAITING: usize = 256;

/// Input of a bridge, returned by [`HostedGame::wait`](crate::HostedGame::wait).
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Input {
    /// A line of the GUI, and its arrival time.
    Line(Line, Instant),
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
    pub(crate) lines: Receiver<(Line, Instant)>,
    pub(crate) stop: Receiver<()>,
    /// Rings at each line and at the end of the input.
    pub(crate) alarm: Arc<Alarm>,
}

impl Lines {
    /// Reads lines in a separate thread until the input ends. The bridge stops when `stop` receives a message or is
    /// disconnected. Lines are logged if there is a log.
    ///
    /// # Errors
    /// The thread or its pipe cannot be made.
    pub fn read(
        input: impl Read + Send + 'static,
        stop: Receiver<()>,
        log: Option<Arc<Log>>,
    ) -> io::Result<Lines> {
        let (sender, lines) = bounded(MAX_WAITING);
        let (waker, alarm) = waker()?;
        let thread = thread::Builder::new().name("lines".to_owned());
        thread.spawn(move || {
            let mut reader = LineReader::new(input);
            while let Ok(Some(line)) = reader.read() {
                let line = line.to_line();
                let at = Instant::now();
                if let (Some(log), Line::Text(text)) = (&log, &line) {
                    log.line(at, GUI, b'<', text.as_bytes(), false);
                }
                if sender.send((line, at)).is_err() {
                    return;
                }
                waker.wake();
            }
        })?;
        let alarm = Arc::new(alarm);
        Ok(Lines { lines, stop, alarm })
    }

    /// Returns the stop signal alone, so that lines stay queued.
    pub(crate) fn without_lines(&self) -> Lines {
        Lines {
            lines: never(),
            ..self.clone()
        }
    }
}

/// An event of the game.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum GameEvent {
    /// The engine has made a move.
    Moved {
        /// Its canonical code.
        code: String,
        /// The search information sent with it, unless it is that of the last [`Thought`](GameEvent::Thought).
        thought: Option<Analysis>,
    },
    /// The engine to move reports search information.
    Thought(Analysis),
    /// The engine failed to move, with the reason.
    Failed(String),
    /// The analysis has new lines.
    Analysed(AnalysedNode),
    /// The game is over: the result and the reason, in the GUI's words.
    Over(GameResult, String),
    /// An idle engine failed, with the reason; it is restarted when needed.
    Fault(String),
}

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
        if let Some(log) = &self.log {
            self.line.extend_from_slice(&bytes[..n_written]);
            while let Some(end) = self.line.iter().position(|byte| *byte == b'\n') {
                log.line(Instant::now(), GUI, b'>', &self.line[..end], false);
                self.line.drain(..=end);
            }
        }
        Ok(n_written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.output.flush()
    }
}
