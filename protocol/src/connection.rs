//! Input and output of a program that speaks the protocol, as lines.
//!
//! [`Connection::stdio`] uses standard input and output. At the end of the input, the channel of lines is disconnected.
//! A closed output is an error of kind [`BrokenPipe`](io::ErrorKind::BrokenPipe). This module does not interpret the
//! lines.

use std::fmt::{self, Write as _};
use std::io::{self, IsTerminal, Read, Write};
use std::thread;

use crossbeam_channel::{Receiver, bounded};

use crate::text::printable;
use crate::{Line, LineReader};

/// Number of unread lines after which the reader stops reading. The pipe then fills, and the writer at its other end
/// blocks.
const BACKLOG: usize = 16;

/// Stack size of the reader in bytes. Its buffer is on the heap. The size is below the default, so that the thread also
/// starts when memory is short.
const READER_STACK: usize = 256 << 10;

/// The input and output of an engine.
#[derive(Debug)]
pub struct Connection {
    /// Lines of the input, in order; disconnected at its end.
    pub lines: Receiver<Line>,
    /// The output, for replies.
    pub output: Output,
}

impl Connection {
    /// Standard input and standard output.
    ///
    /// # Errors
    /// As [`new`](Connection::new).
    pub fn stdio() -> io::Result<Connection> {
        Connection::new(io::stdin(), ProtocolOutput::default())
    }

    /// Connects any input, read on a separate thread, and any output. Lines without a word are dropped.
    ///
    /// The thread is never joined, since a blocked read cannot be interrupted. It ends with the input, or with the
    /// first line after `lines` was dropped. A read error counts as the end of the input.
    ///
    /// # Errors
    /// The thread cannot be started.
    pub fn new(
        input: impl Read + Send + 'static,
        output: impl Write + Send + 'static,
    ) -> io::Result<Connection> {
        let (sender, lines) = bounded(BACKLOG);
        thread::Builder::new()
            .name("input".to_owned())
            .stack_size(READER_STACK)
            .spawn(move || {
                let mut input = LineReader::new(input);
                while let Ok(Some(line)) = input.read() {
                    if !line.is_blank() && sender.send(line.to_line()).is_err() {
                        return;
                    }
                }
            })?;
        let output = Output::new(output);
        Ok(Connection { lines, output })
    }
}

/// Standard output for the lines of a protocol. A terminal gets them printable, any other program as they are.
#[derive(Debug)]
pub struct ProtocolOutput {
    stdout: io::Stdout,
    is_terminal: bool,
}

impl Default for ProtocolOutput {
    fn default() -> ProtocolOutput {
        let stdout = io::stdout();
        let is_terminal = stdout.is_terminal();
        ProtocolOutput {
            stdout,
            is_terminal,
        }
    }
}

impl Write for ProtocolOutput {
    fn write(&mut self, buffer: &[u8]) -> io::Result<usize> {
        match self.is_terminal.then(|| std::str::from_utf8(buffer)) {
            Some(Ok(text)) => self.stdout.write_all(printable(text).as_bytes())?,
            _ => self.stdout.write_all(buffer)?,
        }
        Ok(buffer.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

/// An output for lines.
pub struct Output {
    sink: Box<dyn Write + Send>,
    /// Text of one batch. The field is kept to reuse its memory.
    batch: String,
}

impl Output {
    /// Writes to this sink, which need not be buffered.
    pub fn new(sink: impl Write + Send + 'static) -> Output {
        Output {
            sink: Box::new(sink),
            batch: String::new(),
        }
    }

    /// Writes lines, such as [`Reply`](crate::Reply)s, each with a line break: in one write, followed by one flush.
    /// Blocks while the reader at the other end is slow.
    ///
    /// # Errors
    /// Errors of the sink. `BrokenPipe` means that the reader closed its end, which is a normal end.
    pub fn send<T: fmt::Display>(&mut self, lines: impl IntoIterator<Item = T>) -> io::Result<()> {
        self.batch.clear();
        for line in lines {
            writeln!(self.batch, "{line}").map_err(io::Error::other)?;
        }
        if self.batch.is_empty() {
            return Ok(());
        }
        self.sink.write_all(self.batch.as_bytes())?;
        self.sink.flush()
    }
}

impl fmt::Debug for Output {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Output").finish_non_exhaustive()
    }
}
