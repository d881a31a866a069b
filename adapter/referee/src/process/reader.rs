//! What a child writes, as it arrives: a detached thread that stamps lines with their time and filters them.
//!
//! The channel is bounded: a child that writes faster than it is read blocks on its own pipe.

use std::cell::RefCell;
use std::io::{self, Read};
use std::rc::Rc;
use std::sync::Arc;
use std::thread;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use protocol::LineReader;
use protocol::line::RawLine;

use super::tail::Tail;
use super::trace::Trace;

/// How many batches may wait in the channel. A batch comes from one read, so it takes less than a megabyte.
const CHANNEL: usize = 4;
const CHUNK: usize = 1 << 14;
const STACK: usize = 1 << 17;
/// What stands in the log for a line over the limit.
const TOO_LONG: &[u8] = b"(a line too long to be read)";

/// What a filter made of a line, and when the line arrived.
#[derive(Debug)]
pub struct Received<M> {
    /// When the bytes were there, not when anyone looked.
    pub at: Instant,
    /// What the filter made of the line.
    pub message: M,
}

/// The messages of one read, which arrived together; never empty.
pub type Batch<M> = Vec<Received<M>>;

/// What becomes of a line.
#[derive(Debug)]
pub struct Filtered<M> {
    /// What is passed on, if anything is.
    pub message: Option<M>,
    /// Whether the line is left out of [`Process::transcript`](super::Process::transcript).
    pub is_noise: bool,
}

/// Decides what becomes of each line of a child, on the thread that reads them.
pub trait LineFilter: Send + 'static {
    /// What is passed on of a line.
    type Message: Send + 'static;

    /// Judges the next line.
    fn filter(&mut self, line: RawLine<'_>) -> Filtered<Self::Message>;
}

/// Reads a child's standard output on a thread of its own. The channel is closed when the output is.
pub(super) fn read_lines<F: LineFilter>(
    stdout: impl Read + Send + 'static,
    trace: Arc<Trace>,
    filter: F,
) -> io::Result<Receiver<Batch<F::Message>>> {
    let (sender, receiver) = bounded(CHANNEL);
    let run = move || Reader::new(trace, sender, filter).run(stdout);
    spawn("stdout", run)?;
    Ok(receiver)
}

/// Keeps the end of a child's standard error, on a thread of its own.
pub(super) fn keep_tail(
    mut stderr: impl Read + Send + 'static,
    tail: Arc<Mutex<Tail>>,
) -> io::Result<()> {
    spawn("stderr", move || {
        let mut chunk = vec![0; CHUNK];
        while let Ok(n) = stderr.read(&mut chunk) {
            if n == 0 {
                break;
            }
            tail.lock().push(&chunk[..n]);
        }
    })
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let thread = thread::Builder::new().name(name.to_owned());
    thread.stack_size(STACK).spawn(run)?;
    Ok(())
}

/// What came with one read: the receiver is woken once for all of it.
struct Outbox<M> {
    at: Instant,
    batch: Batch<M>,
    sender: Sender<Batch<M>>,
}

impl<M> Outbox<M> {
    /// Passes on what has come so far; false if nobody receives any more.
    fn flush(&mut self) -> bool {
        self.batch.is_empty() || self.sender.send(std::mem::take(&mut self.batch)).is_ok()
    }
}

/// A stream that passes on the last batch before it waits for more, and stamps the next one when its bytes are there.
struct Batched<R, M> {
    stream: R,
    outbox: Rc<RefCell<Outbox<M>>>,
}

impl<R: Read, M> Read for Batched<R, M> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if !self.outbox.borrow_mut().flush() {
            return Ok(0);
        }
        let n_bytes = self.stream.read(buffer)?;
        self.outbox.borrow_mut().at = Instant::now();
        Ok(n_bytes)
    }
}

struct Reader<F: LineFilter> {
    trace: Arc<Trace>,
    filter: F,
    outbox: Rc<RefCell<Outbox<F::Message>>>,
}

impl<F: LineFilter> Reader<F> {
    fn new(trace: Arc<Trace>, sender: Sender<Batch<F::Message>>, filter: F) -> Reader<F> {
        let outbox = Outbox {
            at: Instant::now(),
            batch: Vec::new(),
            sender,
        };
        Reader {
            trace,
            filter,
            outbox: Rc::new(RefCell::new(outbox)),
        }
    }

    fn run(mut self, stream: impl Read) {
        let outbox = Rc::clone(&self.outbox);
        let mut lines = LineReader::new(Batched { stream, outbox });
        while let Ok(Some(line)) = lines.read() {
            self.pass(line);
        }
        self.outbox.borrow_mut().flush();
    }

    fn pass(&mut self, line: RawLine<'_>) {
        let filtered = self.filter.filter(line);
        let mut outbox = self.outbox.borrow_mut();
        let at = outbox.at;
        let bytes = match line {
            RawLine::Bytes(bytes) => bytes,
            RawLine::TooLong(_) => TOO_LONG,
        };
        self.trace.note(at, b'<', bytes, filtered.is_noise);
        if let Some(message) = filtered.message {
            outbox.batch.push(Received { at, message });
        }
    }
}
