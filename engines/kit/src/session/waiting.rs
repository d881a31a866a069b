//! Commands that came while a job runs, in the order in which they are to be carried out.

use std::collections::VecDeque;

use protocol::{Command, Parsed};

/// Lines that may wait.
const MAX_LINES: usize = 1_000;
/// Bytes that these lines may have together. A command takes up to about 25 times the memory of its line.
const MAX_BYTES: usize = 4 << 20;

/// The commands that wait.
#[derive(Debug, Default)]
pub(super) struct WaitingLines {
    lines: VecDeque<WaitingLine>,
    n_bytes: usize,
}

/// A command that waits.
#[derive(Debug)]
pub(super) struct WaitingLine {
    pub(super) parsed: Parsed,
    /// Whether a `stop` came after it: if it is a `go`, it ends at once.
    pub(super) is_stopped: bool,
    n_bytes: usize,
}

impl WaitingLines {
    /// What waits already, as a number with its unit, if a line of `n_bytes` would be too much.
    pub(super) fn limit_reached(&self, n_bytes: usize) -> Option<String> {
        if self.lines.len() >= MAX_LINES {
            return Some(format!("{MAX_LINES} lines"));
        }
        (self.n_bytes + n_bytes > MAX_BYTES).then(|| format!("{MAX_BYTES} bytes"))
    }

    /// Appends a command, read from a line of `n_bytes`.
    pub(super) fn push(&mut self, parsed: Parsed, n_bytes: usize) {
        self.n_bytes += n_bytes;
        self.lines.push_back(WaitingLine {
            parsed,
            is_stopped: false,
            n_bytes,
        });
    }

    pub(super) fn pop(&mut self) -> Option<WaitingLine> {
        let line = self.lines.pop_front()?;
        self.n_bytes -= line.n_bytes;
        Some(line)
    }

    /// Makes every `go` that waits end at once.
    pub(super) fn stop(&mut self) {
        for line in &mut self.lines {
            line.is_stopped = true;
        }
    }

    /// Makes the first `go ponder` that waits and is not stopped a plain `go`; whether there was one.
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
