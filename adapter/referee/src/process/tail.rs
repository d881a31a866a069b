//! The most recent output of a process, kept within a bound for fault reports.

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read};
use std::process::ChildStderr;

use protocol::text::masked;

use crate::platform;

/// The last bytes of a stream.
#[derive(Debug)]
pub(super) struct Tail {
    bytes: VecDeque<u8>,
    capacity: usize,
}

impl Tail {
    pub(super) fn new(capacity: usize) -> Tail {
        Tail {
            bytes: VecDeque::new(),
            capacity,
        }
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(self.capacity)..];
        let surplus = (self.bytes.len() + bytes.len()).saturating_sub(self.capacity);
        self.bytes.drain(..surplus);
        self.bytes.extend(bytes);
    }

    pub(super) fn text(&self) -> String {
        let (front, back) = self.bytes.as_slices();
        String::from_utf8_lossy(&[front, back].concat()).into_owned()
    }
}

/// Number of lines kept by a [`Transcript`], and of bytes kept of each line.
const N_LINES: usize = 16;
const LINE_BYTES: usize = 200;

/// The last lines exchanged, prefixed with `> ` if sent to the engine and `< ` if received from it.
#[derive(Debug, Default)]
pub(super) struct Transcript {
    lines: VecDeque<Vec<u8>>,
    /// The beginning of a line that has no line break yet.
    partial: Vec<u8>,
}

impl Transcript {
    /// Adds a line. Only the beginning and the end of a long line are kept.
    pub(super) fn push(&mut self, arrow: u8, line: &[u8]) {
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

    /// The lines, and the beginning of an incomplete one.
    pub(super) fn text(&self) -> Vec<String> {
        let text = |line: &Vec<u8>| masked(&String::from_utf8_lossy(line), usize::MAX);
        let mut lines: Vec<String> = self.lines.iter().map(text).collect();
        if !self.partial.is_empty() {
            lines.push(format!("< {} (no end of line)", text(&self.partial)));
        }
        lines
    }
}

/// The last line received, in the lines of a transcript.
pub(super) fn last_heard(lines: &[String]) -> Option<String> {
    let heard = lines.iter().rev().find_map(|line| line.strip_prefix("< "));
    heard.map(str::to_owned)
}

/// Bytes per read.
const CHUNK: usize = 1 << 14;
/// Maximum number of reads in one call, for a child that writes without pause.
const MAX_CHUNKS: usize = 64;
/// Number of bytes kept.
const KEPT: usize = 1 << 16;

/// The standard error of one child.
#[derive(Debug)]
pub(super) struct ErrorOutput {
    /// `None` once it is closed.
    pipe: Option<ChildStderr>,
    tail: Tail,
}

impl ErrorOutput {
    /// Creates the reader; `pipe` is `None` if standard error is redirected to a file.
    pub(super) fn new(pipe: Option<ChildStderr>) -> ErrorOutput {
        let tail = Tail::new(KEPT);
        ErrorOutput { pipe, tail }
    }

    /// Makes later reads non-blocking.
    pub(super) fn set_nonblocking(&self) -> io::Result<()> {
        self.pipe.as_ref().map_or(Ok(()), platform::set_nonblocking)
    }

    /// The pipe, until it is closed.
    pub(super) fn pipe(&self) -> Option<&ChildStderr> {
        self.pipe.as_ref()
    }

    /// Reads available output, within a bound.
    pub(super) fn fetch(&mut self) {
        (0..MAX_CHUNKS).take_while(|_| self.read()).for_each(drop);
    }

    /// The end of the output read so far.
    pub(super) fn text(&self) -> String {
        self.tail.text()
    }

    fn read(&mut self) -> bool {
        let Some(pipe) = &mut self.pipe else {
            return false;
        };
        let mut chunk = [0; CHUNK];
        match pipe.read(&mut chunk) {
            Ok(n) if n > 0 => {
                self.tail.push(&chunk[..n]);
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
    fn a_tail_keeps_the_end() {
        let mut tail = Tail::new(4);
        tail.push(b"ab");
        assert_eq!(tail.text(), "ab");
        tail.push(b"cde");
        assert_eq!(tail.text(), "bcde");
        tail.push(b"0123456789");
        assert_eq!(tail.text(), "6789");
    }

    #[test]
    fn a_transcript_is_bounded_both_ways() {
        let mut transcript = Transcript::default();
        for _ in 0..100 {
            transcript.push(b'<', &[b'x'; 10_000]);
        }
        transcript.push(b'>', b"go\0");
        transcript.set_partial(b"ugio");
        assert_eq!(
            last_heard(&transcript.text()).as_deref(),
            Some("ugio (no end of line)")
        );
        transcript.set_partial(b"");
        let lines = transcript.text();
        assert_eq!(lines.len(), N_LINES);
        assert!(lines.iter().all(|line| line.len() < LINE_BYTES + 10));
        assert_eq!(lines[N_LINES - 1], "> go?");
    }
}
