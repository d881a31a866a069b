//! Any bytes, as bounded lines.
//!
//! [`LineReader`] cuts what another program writes into lines and never holds more of it than one line may be
//! long. [`RawLine`] is a line still in the reader's buffer, to be skipped at no cost; [`Line`] is one of its own.

use std::io::{self, Read};

use crate::command::Parsed;
use crate::{Command, Reply, SyntaxError};

/// The most bytes a line may have, unless its reader is told otherwise: 1 MiB.
pub const LIMIT: usize = 1 << 20;

/// How many bytes are asked for at once: what a pipe holds.
const CHUNK: usize = 1 << 16;

/// A line that someone else wrote.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// Its text, without the line break; what was no UTF-8 is replaced, and a NUL or a stray CR is a blank.
    Text(String),
    /// It was longer than this many bytes, and is gone.
    TooLong(usize),
}

impl Line {
    /// The command that the line is.
    ///
    /// # Errors
    /// Those of [`Command::parse`], and that the line is too long.
    pub fn command(&self) -> Result<Parsed, SyntaxError> {
        Command::parse(self.text()?)
    }

    /// The reply that the line is.
    ///
    /// # Errors
    /// Those of [`Reply::parse`], and that the line is too long.
    pub fn reply(&self) -> Result<Reply, SyntaxError> {
        Reply::parse(self.text()?)
    }

    /// How many bytes its text has; 0 if it was too long.
    pub fn n_bytes(&self) -> usize {
        self.text().map_or(0, str::len)
    }

    fn text(&self) -> Result<&str, SyntaxError> {
        match self {
            Line::Text(text) => Ok(text),
            &Line::TooLong(limit) => Err(SyntaxError::TooLong { limit }),
        }
    }
}

/// A line in its reader's buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RawLine<'a> {
    /// Its bytes, without the line break.
    Bytes(&'a [u8]),
    /// It is longer than this many bytes; they are skipped.
    TooLong(usize),
}

impl RawLine<'_> {
    /// Whether the first word of the line is this one, in this letter case. Looks at no more than that word.
    pub fn is(&self, word: &str) -> bool {
        let RawLine::Bytes(bytes) = self else {
            return false;
        };
        let rest = bytes.trim_ascii_start().strip_prefix(word.as_bytes());
        rest.is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
    }

    /// Whether the line holds no word.
    pub fn is_blank(&self) -> bool {
        let is_blank = |byte: &u8| byte.is_ascii_whitespace() || matches!(byte, 0 | 0x0b);
        matches!(self, RawLine::Bytes(bytes) if bytes.iter().all(is_blank))
    }

    /// The line as one of its own.
    pub fn to_line(&self) -> Line {
        match *self {
            RawLine::Bytes(bytes) => Line::Text(to_text(bytes)),
            RawLine::TooLong(limit) => Line::TooLong(limit),
        }
    }
}

fn to_text(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    match memchr::memchr2(0, b'\r', bytes) {
        Some(_) => text.replace(['\0', '\r'], " "),
        None => text.into_owned(),
    }
}

/// Cuts bytes into lines: at LF or CR LF, and at the end of the input, where half a line is a line too.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    limit: usize,
    /// What was read; of it, `start..end` is still to be given out, and `start..scanned` holds no line break.
    buffer: Vec<u8>,
    start: usize,
    scanned: usize,
    end: usize,
    /// Within a line that was too long: the rest of it is to be thrown away.
    is_skipping: bool,
}

impl<R: Read> LineReader<R> {
    /// Lines of at most [`LIMIT`] bytes.
    pub fn new(input: R) -> LineReader<R> {
        LineReader::with_limit(input, LIMIT)
    }

    /// Lines of at most so many bytes, the line break not counted.
    pub fn with_limit(input: R, limit: usize) -> LineReader<R> {
        LineReader {
            input,
            limit,
            buffer: Vec::new(),
            start: 0,
            scanned: 0,
            end: 0,
            is_skipping: false,
        }
    }

    /// What the lines are read from.
    pub fn get_ref(&self) -> &R {
        &self.input
    }

    /// What the lines are read from. Bytes that were read already are not read again.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.input
    }

    /// The next line; `None` at the end of the input. A line that is too long is told as soon as it is, once.
    ///
    /// # Errors
    /// Those of the input, but for interruptions. After one, reading may be tried again.
    pub fn read(&mut self) -> io::Result<Option<RawLine<'_>>> {
        Ok(match self.advance()? {
            None => None,
            Some(Cut::TooLong) => Some(RawLine::TooLong(self.limit)),
            Some(Cut::At(start, end)) => Some(RawLine::Bytes(strip_cr(&self.buffer[start..end]))),
        })
    }

    /// Moves past the next line and says where it lies.
    fn advance(&mut self) -> io::Result<Option<Cut>> {
        loop {
            if let Some(cut) = self.cut() {
                return Ok(Some(cut));
            }
            if self.fill()? == 0 {
                return Ok(self.cut_rest());
            }
        }
    }

    /// The next line of what was read; `None` where more must be read first.
    fn cut(&mut self) -> Option<Cut> {
        while let Some(length) = memchr::memchr(b'\n', &self.buffer[self.scanned..self.end]) {
            let (start, end) = (self.start, self.scanned + length);
            self.start = end + 1;
            self.scanned = self.start;
            if !std::mem::take(&mut self.is_skipping) {
                return Some(self.judge(start, end));
            }
        }
        self.scanned = self.end;
        if self.is_skipping {
            self.start = self.end;
            return None;
        }
        self.is_skipping = matches!(self.judge(self.start, self.end), Cut::TooLong);
        self.is_skipping.then_some(Cut::TooLong)
    }

    /// The half line that the input ended with.
    fn cut_rest(&mut self) -> Option<Cut> {
        let (start, end) = (self.start, self.end);
        self.start = end;
        (start < end).then_some(Cut::At(start, end))
    }

    fn judge(&self, start: usize, end: usize) -> Cut {
        match strip_cr(&self.buffer[start..end]).len() > self.limit {
            true => Cut::TooLong,
            false => Cut::At(start, end),
        }
    }

    /// Reads on behind what is still to be given out, and returns how many bytes came; none at the end.
    fn fill(&mut self) -> io::Result<usize> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.scanned -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            let most = self.limit.saturating_add(CHUNK);
            let size = (2 * self.end).clamp(CHUNK, most);
            self.buffer.resize(size, 0);
        }
        loop {
            match self.input.read(&mut self.buffer[self.end..]) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
                Ok(count) => {
                    self.end += count;
                    return Ok(count);
                }
            }
        }
    }
}

/// All lines, each one of its own.
impl<R: Read> Iterator for LineReader<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<io::Result<Line>> {
        let line = self.read().transpose()?;
        Some(line.map(|line| line.to_line()))
    }
}

/// Where a line lies in the buffer, its line break left out.
enum Cut {
    At(usize, usize),
    TooLong,
}

fn strip_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}
