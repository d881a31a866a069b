//! Selects the thread that reads a child's output.
//!
//! In a match, the game's thread reads the engine whose move it waits for. No other thread is in between, so a ply
//! needs only the context switches of two pipes. Output written at other times is polled by one thread for all engines,
//! so that an engine does not block on a full pipe. That thread also reads standard error. A table waits for several
//! engines and people at once, so each of its engines has a thread that reads its output into a channel.

use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use std::{io, thread};

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;

use super::output_reader::OutputReader;
use super::tail::ErrorOutput;
use super::transport::Batch;

/// Capacity of a channel in batches. A batch holds the result of one read, which is less than a megabyte.
const CHANNEL: usize = 4;
const STACK: usize = 1 << 17;
/// Pauses between two polls of the idle pipes, after a poll with output and after one without. A pipe holds 64 KiB.
const SHORT_PAUSE: Duration = Duration::from_millis(1);
const LONG_PAUSE: Duration = Duration::from_millis(10);
/// Number of idle pipes for which the pause applies; more pipes lengthen it in proportion.
const PIPES_A_PAUSE: u32 = 80;
/// Interval at which a reader thread checks that its output is still in use.
const CHECK: Duration = Duration::from_secs(1);

/// Reads a child's output on a separate thread. The channel closes when the output does.
pub(super) fn read_into_channel<M: Send + 'static>(
    intake: Arc<Mutex<OutputReader<M>>>,
) -> io::Result<Receiver<Batch<M>>> {
    let (sender, receiver) = bounded(CHANNEL);
    spawn("engine output", move || pass_on(&intake, &sender))?;
    Ok(receiver)
}

fn pass_on<M: Send + 'static>(intake: &Arc<Mutex<OutputReader<M>>>, sender: &Sender<Batch<M>>) {
    while Arc::strong_count(intake) > 1 {
        let mut guard = intake.lock();
        guard.wait(Instant::now() + CHECK);
        let batch: Batch<M> = guard.received().drain(..).collect();
        let is_closed = guard.is_closed();
        drop(guard);
        let is_wanted = batch.is_empty() || sender.send(batch).is_ok();
        if is_closed || !is_wanted {
            return;
        }
    }
}

/// A pipe that is polled while no thread waits for it.
trait ReadIdle: Send {
    /// Reads available output. Returns `true` if there was any, and `None` once the pipe is closed.
    fn fetch_if_open(&mut self) -> Option<bool>;
}

impl<M: Send + 'static> ReadIdle for OutputReader<M> {
    fn fetch_if_open(&mut self) -> Option<bool> {
        (!self.is_closed()).then(|| self.fetch())
    }
}

impl ReadIdle for ErrorOutput {
    fn fetch_if_open(&mut self) -> Option<bool> {
        (!self.is_closed()).then(|| self.fetch())
    }
}

/// All pipes that are polled.
static IDLE: Mutex<Vec<Weak<Mutex<dyn ReadIdle>>>> = Mutex::new(Vec::new());

/// Polls the output of a child while no thread waits for it.
pub(super) fn read_while_idle<M: Send + 'static>(
    intake: &Arc<Mutex<OutputReader<M>>>,
) -> io::Result<()> {
    let weak: Weak<Mutex<OutputReader<M>>> = Arc::downgrade(intake);
    read_now_and_then(weak)
}

/// Polls the standard error of a child.
pub(super) fn read_errors(errors: &Arc<Mutex<ErrorOutput>>) -> io::Result<()> {
    let weak: Weak<Mutex<ErrorOutput>> = Arc::downgrade(errors);
    read_now_and_then(weak)
}

fn read_now_and_then(pipe: Weak<Mutex<dyn ReadIdle>>) -> io::Result<()> {
    let mut idle = IDLE.lock();
    if idle.is_empty() {
        spawn("idle engines", read_idle)?;
    }
    idle.push(pipe);
    Ok(())
}

/// Reads a pipe unless a thread is waiting for it. Returns `true` if there was output, and `None` if the pipe is closed
/// or no longer in use.
fn fetch(pipe: &Weak<Mutex<dyn ReadIdle>>) -> Option<bool> {
    let pipe = pipe.upgrade()?;
    match pipe.try_lock() {
        Some(mut pipe) => pipe.fetch_if_open(),
        None => Some(false),
    }
}

/// Polls until no pipe is left.
fn read_idle() {
    loop {
        let mut has_read = false;
        let n_pipes = {
            let mut idle = IDLE.lock();
            idle.retain(|pipe| {
                let found = fetch(pipe);
                has_read |= found == Some(true);
                found.is_some()
            });
            if idle.is_empty() {
                return;
            }
            idle.len() as u32
        };
        let pause = if has_read { SHORT_PAUSE } else { LONG_PAUSE };
        thread::sleep(pause * n_pipes.div_ceil(PIPES_A_PAUSE));
    }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let thread = thread::Builder::new().name(name.to_owned());
    thread.stack_size(STACK).spawn(run)?;
    Ok(())
}
