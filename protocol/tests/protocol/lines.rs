//! Tests that any bytes become lines of bounded length.

use std::io::{self, Read};

use protocol::line::{LIMIT, RawLine};
use protocol::{Line, LineReader};

/// An input that returns its pieces one read at a time.
struct Pieces(&'static [&'static [u8]]);

impl Read for Pieces {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let Some((piece, rest)) = self.0.split_first() else {
            return Ok(0);
        };
        buffer[..piece.len()].copy_from_slice(piece);
        self.0 = rest;
        Ok(piece.len())
    }
}

fn lines(input: impl Read) -> Vec<Line> {
    let lines: io::Result<Vec<Line>> = LineReader::new(input).collect();
    lines.expect("memory can be read")
}

fn texts(lines: &[&str]) -> Vec<Line> {
    let text = |&line: &&str| Line::Text(line.to_owned());
    lines.iter().map(text).collect()
}

#[test]
fn any_bytes_are_lines() {
    let check = |bytes: &[u8], expected: &[&str]| assert_eq!(lines(bytes), texts(expected));
    check(
        b"ugi\r\nisready\n\n\r\na\rb\n",
        &["ugi", "isready", "", "", "a b"],
    );
    check(b"ugi\nquit", &["ugi", "quit"]);
    check(b"", &[]);
    check(b"a\0b\n\xff\xc3\nok", &["a b", "\u{fffd}\u{fffd}", "ok"]);
}

#[test]
fn lines_may_come_in_pieces() {
    let input = Pieces(&[b"is", b"ready\nst", b"op\r", b"\nquit\nugi"]);
    assert_eq!(lines(input), texts(&["isready", "stop", "quit", "ugi"]));
}

#[test]
fn a_long_line_is_told_once_and_the_next_is_read() {
    // An empty text stands for a line that is too long.
    let check = |input: &'static [&'static [u8]], expected: &[&str]| {
        let found = LineReader::with_limit(Pieces(input), 4).map(Result::unwrap);
        let found: Vec<Line> = found.collect();
        let long = |&line: &&str| match line {
            "" => Line::TooLong(4),
            line => Line::Text(line.to_owned()),
        };
        assert_eq!(found, expected.iter().map(long).collect::<Vec<_>>());
    };
    check(
        &[b"1234\n12345\n1234\r\n12345\r\n1234"],
        &["1234", "", "1234", "", "1234"],
    );
    check(&[b"1234567890"], &[""]);
    check(&[b"12345\n1\n"], &["", "1"]);
    check(
        &[b"1234", b"\r", b"\n1234", b"\r", b"5", b"67", b"8\nok\n"],
        &["1234", "", "ok"],
    );
}

#[test]
fn the_longest_line_taken_is_1_mib() {
    let longest = "x".repeat(LIMIT);
    let input = format!("{longest}\n{longest}y\nok\n");
    let expected = [
        Line::Text(longest),
        Line::TooLong(LIMIT),
        Line::Text("ok".to_owned()),
    ];
    assert_eq!(lines(input.as_bytes()), expected);
}

#[test]
fn lines_are_skipped_by_their_first_word() {
    let mut reader = LineReader::new(&b"info depth 1\n  info\ninformation\nbestmove e5\n"[..]);
    let mut wanted = Vec::new();
    while let Some(line) = reader.read().expect("memory can be read") {
        if !line.is("info") {
            wanted.push(line.to_line());
        }
    }
    assert_eq!(wanted, texts(&["information", "bestmove e5"]));
    assert!(!RawLine::TooLong(4).is("info"));
}

/// A hundred million bytes without a line break, followed by a line. Records the largest buffer passed to it.
struct Endless {
    left: usize,
    largest: usize,
}

impl Read for Endless {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.largest = self.largest.max(buffer.len());
        if self.left == 0 {
            return Ok(0);
        }
        let count = self.left.min(buffer.len());
        buffer[..count].fill(b'x');
        self.left -= count;
        if self.left == 0 {
            buffer[count - 4..count].copy_from_slice(b"\nok\n");
        }
        Ok(count)
    }
}

#[test]
fn a_line_of_100_mb_is_passed_over_in_bounded_memory() {
    const LEFT: usize = 100_000_000;
    // One line and one read.
    const BOUND: usize = LIMIT + (1 << 16);
    let mut endless = Endless {
        left: LEFT,
        largest: 0,
    };
    let mut reader = LineReader::new(&mut endless);
    assert_eq!(reader.read().unwrap(), Some(RawLine::TooLong(LIMIT)));
    assert_eq!(reader.read().unwrap(), Some(RawLine::Bytes(b"ok")));
    assert_eq!(reader.read().unwrap(), None);
    // While it skips the line, the reader keeps nothing and passes its whole buffer.
    assert!(endless.largest <= BOUND, "{}", endless.largest);
}

/// An input that is interrupted before each byte, and finally fails.
struct Failing {
    bytes: &'static [u8],
    is_interrupted: bool,
}

impl Read for Failing {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.is_interrupted = !self.is_interrupted;
        match self.bytes {
            _ if self.is_interrupted => Err(io::ErrorKind::Interrupted.into()),
            [] => Err(io::ErrorKind::ConnectionReset.into()),
            [first, rest @ ..] => {
                buffer[0] = *first;
                self.bytes = rest;
                Ok(1)
            }
        }
    }
}

#[test]
fn interruptions_are_no_errors_and_errors_are_told() {
    let mut reader = LineReader::new(Failing {
        bytes: b"ok\nhalf",
        is_interrupted: false,
    });
    assert_eq!(reader.read().unwrap(), Some(RawLine::Bytes(b"ok")));
    let error = reader.read().unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
}

#[test]
fn a_line_that_is_too_long_has_no_text() {
    assert_eq!(Line::Text("isready".to_owned()).text(), Ok("isready"));
    let error = Line::TooLong(9).text().unwrap_err();
    assert_eq!(error.to_string(), "line too long: expected at most 9 bytes");
}
