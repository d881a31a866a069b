//! What a child says, as it arrives: a detached thread that stamps, cuts and sifts its lines.
//!
//! `info` lines come by the thousand, so they are dropped here but for the last that holds a score: it goes along
//! with the `bestmove` that it explains. Junk is dropped too. The channel is bounded: a child that talks faster
//! than it is listened to blocks on its own pipe.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;
use std::sync::{Arc, Mutex, MutexGuard};
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};
use protocol::line::RawLine;
use protocol::{Line, LineReader};

use super::Log;
use super::tail::{Tail, Transcript};
use crate::sync::unpoisoned;

/// How many batches of lines wait to be heard before their author has to wait. A batch comes from one read, so it
/// takes less than a megabyte.
const CHANNEL: usize = 4;
const CHUNK: usize = 1 << 14;
const STACK: usize = 1 << 17;
/// What stands for a line over the limit.
const TOO_LONG: &str = "(a line too long to be read)";

/// Something that a child said, and when its bytes were there.
#[derive(Debug)]
pub struct Received {
    /// When the bytes were there, not when anyone looked.
    pub at: Instant,
    /// What it was.
    pub said: ReceivedLine,
}

/// What a child said.
#[derive(Debug)]
pub enum ReceivedLine {
    /// A line that matters to the dialogue.
    Line(String),
    /// A `bestmove` line.
    BestMove {
        /// The line itself.
        line: String,
        /// The last `info` line with a score since the `bestmove` before.
        info: Option<String>,
    },
    /// Nothing more will come: its output was closed.
    Closed,
}

/// Which lines of a child are passed on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum LineFilter {
    /// Those that matter to the dialogue of a game.
    #[default]
    Sifting,
    /// Every line as it is, a [`ReceivedLine::Line`] each.
    Open,
}

/// What is kept of a child's lines for a report, shared between the reader and the process.
#[derive(Debug, Default)]
pub(super) struct Memory {
    transcript: Mutex<Transcript>,
    /// The name in the log.
    pub(super) who: Mutex<String>,
}

impl Memory {
    pub(super) fn transcript(&self) -> MutexGuard<'_, Transcript> {
        unpoisoned(&self.transcript)
    }
}

/// Where the lines of one child are kept and logged.
#[derive(Debug, Clone)]
pub(super) struct Witness {
    pub(super) memory: Arc<Memory>,
    pub(super) log: Option<Arc<Log>>,
}

impl Witness {
    /// Notes a line in either direction; `info` lines only in the log.
    pub(super) fn note(&self, at: Instant, arrow: u8, line: &[u8]) {
        if !line.starts_with(b"info ") {
            self.memory.transcript().push(arrow, line);
        }
        if let Some(log) = &self.log {
            log.line(at, &unpoisoned(&self.memory.who), arrow, line);
        }
    }
}

/// Hears a child's standard output on a thread of its own.
pub(super) fn listen(
    stdout: impl Read + Send + 'static,
    witness: Witness,
    ear: LineFilter,
) -> io::Result<Receiver<Vec<Received>>> {
    let (sender, receiver) = bounded(CHANNEL);
    thread::Builder::new()
        .name("stdout".to_owned())
        .stack_size(STACK)
        .spawn(move || Reader::new(witness, sender, ear).run(stdout))?;
    Ok(receiver)
}

/// Keeps the end of a child's standard error on a thread of its own.
pub(super) fn remember(
    mut stderr: impl Read + Send + 'static,
    tail: Arc<Mutex<Tail>>,
) -> io::Result<()> {
    let run = move || {
        let mut chunk = vec![0; CHUNK];
        while let Ok(n) = stderr.read(&mut chunk) {
            if n == 0 {
                break;
            }
            unpoisoned(&tail).push(&chunk[..n]);
        }
    };
    thread::Builder::new()
        .name("stderr".to_owned())
        .stack_size(STACK)
        .spawn(run)?;
    Ok(())
}

/// What came with one read: the listener is woken once for all of it.
struct Batch {
    at: Instant,
    heard: Vec<Received>,
    sender: Sender<Vec<Received>>,
}

impl Batch {
    fn push(&mut self, said: ReceivedLine) {
        self.heard.push(Received { at: self.at, said });
    }

    /// Passes on what was heard so far; whether anyone still listens.
    fn flush(&mut self) -> bool {
        self.heard.is_empty() || self.sender.send(std::mem::take(&mut self.heard)).is_ok()
    }
}

/// A stream that passes on the last batch before it waits for more, and stamps the next when its bytes are there.
struct Batched<R> {
    stream: R,
    batch: Rc<RefCell<Batch>>,
}

impl<R: Read> Read for Batched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.batch.borrow_mut().flush() {
            return Ok(0);
        }
        let n_bytes = self.stream.read(buffer)?;
        self.batch.borrow_mut().at = Instant::now();
        Ok(n_bytes)
    }
}

struct Reader {
    witness: Witness,
    ear: LineFilter,
    batch: Rc<RefCell<Batch>>,
    scored: Vec<u8>,
}

impl Reader {
    fn new(witness: Witness, sender: Sender<Vec<Received>>, ear: LineFilter) -> Reader {
        let batch = Batch {
            at: Instant::now(),
            heard: Vec::new(),
            sender,
        };
        Reader {
            witness,
            ear,
            batch: Rc::new(RefCell::new(batch)),
            scored: Vec::new(),
        }
    }

    fn run(mut self, stream: impl Read) {
        let batch = Rc::clone(&self.batch);
        let mut lines = LineReader::new(Batched { stream, batch });
        while let Ok(Some(line)) = lines.read() {
            self.hear(line);
        }
        self.push(ReceivedLine::Closed);
        self.batch.borrow_mut().flush();
    }

    fn hear(&mut self, line: RawLine<'_>) {
        let at = self.batch.borrow().at;
        let RawLine::Bytes(bytes) = line else {
            return self.skip(at);
        };
        self.witness.note(at, b'<', bytes);
        if self.ear == LineFilter::Open {
            return self.push_text(line);
        }
        if line.is("info") {
            return self.keep_score(bytes);
        }
        let Line::Text(text) = line.to_line() else {
            return;
        };
        match text.split_whitespace().next() {
            Some("bestmove") => self.push_best_move(text),
            Some("id" | "option" | "ugiok" | "uciok" | "readyok" | "response") => {
                self.push(ReceivedLine::Line(text));
            }
            _ => {}
        }
    }

    fn skip(&mut self, at: Instant) {
        self.witness.note(at, b'<', TOO_LONG.as_bytes());
        if self.ear == LineFilter::Open {
            self.push(ReceivedLine::Line(TOO_LONG.to_owned()));
        }
    }

    fn push_text(&mut self, line: RawLine<'_>) {
        if let Line::Text(text) = line.to_line() {
            self.push(ReceivedLine::Line(text));
        }
    }

    /// The second and later lines of a multi-variation search are other moves' scores.
    fn keep_score(&mut self, line: &[u8]) {
        let holds = |word: &[u8]| memchr::memmem::find(line, word).is_some();
        if holds(b" score ") && (!holds(b" multipv ") || holds(b" multipv 1 ")) {
            self.scored.clear();
            self.scored.extend_from_slice(line);
        }
    }

    fn push_best_move(&mut self, line: String) {
        let info =
            (!self.scored.is_empty()).then(|| String::from_utf8_lossy(&self.scored).into_owned());
        self.scored.clear();
        self.push(ReceivedLine::BestMove { line, info });
    }

    fn push(&mut self, said: ReceivedLine) {
        self.batch.borrow_mut().push(said);
    }
}
