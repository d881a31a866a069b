//! Commands that arrived while a job runs, in order of arrival.

use std::collections::VecDeque;

use protocol::{Command, Parsed};

/// Maximum number of queued lines.
const MAX_LINES: usize = 1_000;
/// Maximum size of all queued lines in bytes. A command takes up to about 25 times the memory of its line.
const MAX_BYTES: usize = 4 << 20;

/// The queue of commands.
#[derive(Debug, Default)]
pub(super) struct WaitingLines {
    lines: VecDeque<WaitingLine>,
    n_bytes: usize,
}

/// A queued command.
#[derive(Debug)]
pub(super) struct WaitingLine {
    pub(super) parsed: Parsed,
    pub(super) text: String,
    /// Set if a `stop` came after it: a `go` then ends at once.
    pub(super) is_stopped: bool,
}

impl WaitingLines {
    /// The limit that another line of `n_bytes` would exceed, as a number with its unit.
    pub(super) fn limit_reached(&self, n_bytes: usize) -> Option<String> {
        if self.lines.len() >= MAX_LINES {
            return Some(format!("{MAX_LINES} lines"));
        }
        (self.n_bytes + n_bytes > MAX_BYTES).then(|| format!("{MAX_BYTES} bytes"))
    }

    /// Appends a command and its line.
    pub(super) fn push(&mut self, parsed: Parsed, text: &str) {
        self.n_bytes += text.len();
        self.lines.push_back(WaitingLine {
            parsed,
            text: text.to_owned(),
            is_stopped: false,
        });
    }

    pub(super) fn pop(&mut self) -> Option<WaitingLine> {
        let line = self.lines.pop_front()?;
        self.n_bytes -= line.text.len();
        Some(line)
    }

    /// Makes every queued `go` end at once.
    pub(super) fn stop(&mut self) {
        for line in &mut self.lines {
            line.is_stopped = true;
        }
    }

    /// Turns the first queued `go ponder` that is not stopped into a plain `go`. Returns `false` if there is none.
    pub(super) fn ponderhit(&mut self) -> bool {
        let waiting = self.lines.iter_mut().filter(|line| !line.is_stopped);
        let mut pondering = waiting.filter_map(|line| match &mut line.parsed.command {
            Command::Go(go) => Some(&mut go.ponder),
            _ => None,
        });
        match pondering.find(|ponder| **ponder) {
            Some(ponder) => std::mem::take(ponder),
            None => false,
        }
    }

    pub(super) fn clear(&mut self) {
        *self = WaitingLines::default();
    }
}
