//! The most recent output of a process, kept within a bound for fault reports: the lines exchanged, and standard error.

use std::collections::VecDeque;
use std::io::{ErrorKind, Read};
use std::process::ChildStderr;
use std::sync::Arc;
use std::time::Instant;

use protocol::text::masked;

use super::log::Log;

/// Number of lines kept by a [`Trace`], and of bytes kept of each line.
const N_LINES: usize = 16;
const LINE_BYTES: usize = 200;

/// Begins the text of an `info string` that shows a line of the program behind a bridge, after `<` or `>`.
pub const WIRE: &str = "wire";

/// The last lines exchanged with one child, prefixed with `> ` if sent to it and `< ` if received from it. All lines go to
/// its log, too.
#[derive(Debug, Default)]
pub(super) struct Trace {
    lines: VecDeque<Vec<u8>>,
    /// The beginning of a line that has no line break yet.
    partial: Vec<u8>,
    /// The child's name in the log.
    pub(super) name: String,
    log: Option<Arc<Log>>,
}

impl Trace {
    /// The trace of a child that has this name in the log.
    pub(super) fn new(name: &str, log: Option<Arc<Log>>) -> Trace {
        Trace {
            name: name.to_owned(),
            log,
            ..Trace::default()
        }
    }

    /// Records a line to the child (`>`) or from it (`<`). A `noise` line goes only to the log. There, the lines of a
    /// program behind a bridge stand under the name `NAME (wire)`.
    pub(super) fn note(&mut self, at: Instant, arrow: u8, line: &[u8], noise: bool) {
        if !noise {
            self.keep(arrow, line);
        }
        let Some(log) = &self.log else {
            return;
        };
        let wire = line.strip_prefix(b"info string ").filter(|_| noise);
        match wire.and_then(|text| text.strip_prefix(WIRE.as_bytes())) {
            Some([b' ', arrow @ (b'<' | b'>'), b' ', line @ ..]) => {
                log.line(at, &format!("{} (wire)", self.name), *arrow, line, false);
            }
            _ => log.line(at, &self.name, arrow, line, noise),
        }
    }

    /// Keeps a line: of a long one, the beginning and the end.
    fn keep(&mut self, arrow: u8, line: &[u8]) {
        if arrow == b'<' {
            self.partial.clear();
        }
        let mut kept = if self.lines.len() == N_LINES {
            self.lines.pop_front().unwrap_or_default()
        } else {
            Vec::new()
        };
        kept.clear();
        kept.extend([arrow, b' ']);
        if line.len() <= LINE_BYTES {
            kept.extend_from_slice(line);
        } else {
            kept.extend_from_slice(&line[..LINE_BYTES / 2]);
            kept.extend_from_slice(b" ... ");
            kept.extend_from_slice(&line[line.len() - LINE_BYTES / 2..]);
        }
        self.lines.push_back(kept);
    }

    /// Sets the bytes received after the last complete line.
    pub(super) fn set_partial(&mut self, bytes: &[u8]) {
        self.partial.clear();
        self.partial
            .extend_from_slice(&bytes[..bytes.len().min(LINE_BYTES)]);
    }

    /// The lines, and the beginning of an incomplete one, with control characters replaced.
    pub(super) fn transcript(&self) -> Vec<String> {
        let text = |line: &Vec<u8>| masked(&String::from_utf8_lossy(line), usize::MAX);
        let mut lines: Vec<String> = self.lines.iter().map(text).collect();
        if !self.partial.is_empty() {
            lines.push(format!("< {} (no end of line)", text(&self.partial)));
        }
        lines
    }
}

/// Bytes per read.
const CHUNK: usize = 1 << 14;
/// Maximum number of reads in one call, for a child that writes without pause.
const MAX_CHUNKS: usize = 64;
/// Number of bytes kept.
const KEPT: usize = 1 << 16;

/// The standard error of one child, and its end.
#[derive(Debug)]
pub(super) struct ErrorOutput {
    /// `None` once it is closed, or if it is redirected to a file.
    pub(super) pipe: Option<ChildStderr>,
    tail: VecDeque<u8>,
}

impl ErrorOutput {
    pub(super) fn new(pipe: Option<ChildStderr>) -> ErrorOutput {
        let tail = VecDeque::new();
        ErrorOutput { pipe, tail }
    }

    /// Reads available output, within a bound.
    pub(super) fn fetch(&mut self) {
        (0..MAX_CHUNKS).take_while(|_| self.read()).for_each(drop);
    }

    /// The end of the output read so far.
    pub(super) fn text(&self) -> String {
        let (front, back) = self.tail.as_slices();
        String::from_utf8_lossy(&[front, back].concat()).into_owned()
    }

    fn read(&mut self) -> bool {
        let Some(pipe) = &mut self.pipe else {
            return false;
        };
        let mut chunk = [0; CHUNK];
        match pipe.read(&mut chunk) {
            Ok(n) if n > 0 => {
                let surplus = (self.tail.len() + n).saturating_sub(KEPT);
                self.tail.drain(..surplus);
                self.tail.extend(&chunk[..n]);
                true
            }
            Err(error)
                if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) =>
            {
                false
            }
            Ok(_) | Err(_) => {
                self.pipe = None;
                false
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_transcript_is_bounded_both_ways() {
        let mut trace = Trace::default();
        let now = Instant::now();
        for _ in 0..100 {
            trace.note(now, b'<', &[b'x'; 10_000], false);
        }
        trace.note(now, b'>', b"go\0", false);
        trace.note(now, b'<', b"info depth 1", true);
        trace.set_partial(b"ugio");
        let last = trace.transcript().pop();
        assert_eq!(last.as_deref(), Some("< ugio (no end of line)"));
        trace.set_partial(b"");
        let lines = trace.transcript();
        assert_eq!(lines.len(), N_LINES);
        assert!(lines.iter().all(|line| line.len() < LINE_BYTES + 10));
        assert_eq!(lines[N_LINES - 1], "> go?");
    }
}
