//! Lines from and to other programs.
//!
//! [`LineReader`] splits the output of another program into lines. Its memory is bounded by the maximum line length.
//! [`RawLine`] is a line in the reader's buffer, which can be skipped without a copy; [`Line`] owns its text.
//! [`ProtocolOutput`] is standard output for lines.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Read, Write};
use std::ops::Range;

use crate::SyntaxError;
use crate::text::{is_blank_byte, printable};

/// Default limit of the line length: 1 MiB.
pub const LIMIT: usize = 1 << 20;

/// Size of one read in bytes: the capacity of a pipe.
const CHUNK: usize = 1 << 16;

/// A line from another program.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// The text, without the line break. Invalid UTF-8 is replaced; a NUL, or a CR within the line, becomes a blank.
    Text(String),
    /// A line longer than this number of bytes, which was dropped.
    TooLong(usize),
}

impl Line {
    /// The text.
    ///
    /// # Errors
    /// The line is too long.
    pub fn text(&self) -> Result<&str, SyntaxError> {
        match self {
            Line::Text(text) => Ok(text),
            &Line::TooLong(limit) => Err(SyntaxError::too_long(limit)),
        }
    }
}

/// A line in its reader's buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RawLine<'a> {
    /// The bytes, without the line break.
    Bytes(&'a [u8]),
    /// A line longer than this number of bytes, which is skipped.
    TooLong(usize),
}

impl<'a> RawLine<'a> {
    /// The first word of the line and the bytes after it. Both are empty if the line is too long.
    pub fn split(&self) -> (&'a [u8], &'a [u8]) {
        let RawLine::Bytes(bytes) = *self else {
            return (b"", b"");
        };
        let is_word = |byte: &u8| !is_blank_byte(byte);
        let bytes = &bytes[bytes.iter().position(is_word).unwrap_or(bytes.len())..];
        bytes.split_at(bytes.iter().position(is_blank_byte).unwrap_or(bytes.len()))
    }

    /// `true` if the first word of the line is `word`. Upper and lower case differ.
    pub fn is(&self, word: &str) -> bool {
        self.split().0 == word.as_bytes()
    }

    /// Length of the line in bytes; of one that is too long, the limit.
    pub fn n_bytes(&self) -> usize {
        match self {
            RawLine::Bytes(bytes) => bytes.len(),
            RawLine::TooLong(limit) => *limit,
        }
    }

    /// `true` if the line contains no word.
    pub fn is_blank(&self) -> bool {
        matches!(self, RawLine::Bytes(bytes) if bytes.iter().all(is_blank_byte))
    }

    /// Copies the line.
    pub fn to_line(&self) -> Line {
        match *self {
            RawLine::Bytes(bytes) => Line::Text(to_text(bytes).into_owned()),
            RawLine::TooLong(limit) => Line::TooLong(limit),
        }
    }

    /// The text, as in [`Line::Text`].
    ///
    /// # Errors
    /// The line is too long.
    pub fn text(&self) -> Result<Cow<'a, str>, SyntaxError> {
        match *self {
            RawLine::Bytes(bytes) => Ok(to_text(bytes)),
            RawLine::TooLong(limit) => Err(SyntaxError::too_long(limit)),
        }
    }
}

/// The text of a part of a line, as in [`Line::Text`], without blanks around it.
pub fn trimmed(part: &[u8]) -> Cow<'_, str> {
    let is_word = |byte: &u8| !is_blank_byte(byte);
    let start = part.iter().position(is_word).unwrap_or(part.len());
    let end = part
        .iter()
        .rposition(is_word)
        .map_or(start, |last| last + 1);
    to_text(&part[start..end])
}

fn to_text(bytes: &[u8]) -> Cow<'_, str> {
    let valid = str::from_utf8(bytes).map(Cow::Borrowed);
    let text = valid.unwrap_or_else(|_| String::from_utf8_lossy(bytes));
    match bytes.iter().any(|byte| matches!(byte, 0 | b'\r')) {
        true => Cow::Owned(text.replace(['\0', '\r'], " ")),
        false => text,
    }
}

/// Splits bytes into lines at LF or CR LF. The last line of the input need not end with a line break.
#[derive(Debug)]
pub struct LineReader<R> {
    input: R,
    limit: usize,
    /// The bytes read. `start..end` has not been returned yet, and `start..scanned` contains no line break.
    buffer: Vec<u8>,
    start: usize,
    scanned: usize,
    end: usize,
    /// Set while the rest of a line that is too long is being skipped.
    is_skipping: bool,
}

impl<R: Read> LineReader<R> {
    /// Creates a reader of lines of at most [`LIMIT`] bytes.
    pub fn new(input: R) -> LineReader<R> {
        LineReader::with_limit(input, LIMIT)
    }

    /// Creates a reader of lines of at most `limit` bytes, excluding the line break.
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

    /// The underlying input.
    pub fn get_ref(&self) -> &R {
        &self.input
    }

    /// The underlying input. Bytes that have been read are not read again.
    pub fn get_mut(&mut self) -> &mut R {
        &mut self.input
    }

    /// The bytes read after the last line break that have not been returned yet.
    pub fn partial(&self) -> &[u8] {
        &self.buffer[self.start..self.end]
    }

    /// Returns the next line; `None` at the end of the input. A line that is too long is returned once, as soon as its
    /// length is known.
    ///
    /// # Errors
    /// Those of the input, except interruptions. Reading can be retried.
    pub fn read(&mut self) -> io::Result<Option<RawLine<'_>>> {
        Ok(match self.advance()? {
            None => None,
            Some(None) => Some(RawLine::TooLong(self.limit)),
            Some(Some(at)) => Some(RawLine::Bytes(strip_cr(&self.buffer[at]))),
        })
    }

    /// Moves past the next line and returns its location.
    fn advance(&mut self) -> io::Result<Option<Cut>> {
        loop {
            if let Some(cut) = self.cut() {
                return Ok(Some(cut));
            }
            if self.fill()? == 0 {
                // The last line of an input that does not end with a line break.
                let rest = self.start..self.end;
                self.start = self.end;
                return Ok((!rest.is_empty()).then_some(Some(rest)));
            }
        }
    }

    /// The next line of the buffered bytes; `None` if more must be read first.
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
        self.is_skipping = self.judge(self.start, self.end).is_none();
        self.is_skipping.then_some(None)
    }

    fn judge(&self, start: usize, end: usize) -> Cut {
        let is_short = strip_cr(&self.buffer[start..end]).len() <= self.limit;
        is_short.then_some(start..end)
    }

    /// Reads more bytes behind those not yet returned. Returns their number, 0 at the end of the input.
    fn fill(&mut self) -> io::Result<usize> {
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.scanned -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            let most = self.limit.saturating_add(CHUNK);
            let size = (2 * self.end).clamp(CHUNK, most);
            // `resize` would write byte by byte in a build without optimisation.
            let mut larger = vec![0; size];
            larger[..self.end].copy_from_slice(&self.buffer);
            self.buffer = larger;
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

/// Iterates over copies of all lines.
impl<R: Read> Iterator for LineReader<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<io::Result<Line>> {
        let line = self.read().transpose()?;
        Some(line.map(|line| line.to_line()))
    }
}

/// Location of a line in the buffer, without its line break; `None` if it is too long.
type Cut = Option<Range<usize>>;

#[inline]
fn strip_cr(line: &[u8]) -> &[u8] {
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Standard output for the lines of a protocol. A terminal gets them printable, any other program as they are.
#[derive(Debug)]
pub struct ProtocolOutput(io::Stdout);

impl Default for ProtocolOutput {
    fn default() -> ProtocolOutput {
        ProtocolOutput(io::stdout())
    }
}

impl Write for ProtocolOutput {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.0.is_terminal().then(|| std::str::from_utf8(buffer)) {
            Some(Ok(text)) => self.0.write_all(printable(text).as_bytes())?,
            _ => self.0.write_all(buffer)?,
        }
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
