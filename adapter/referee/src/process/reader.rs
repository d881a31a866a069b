//! Who reads a child's output, when, and on which thread.
//!
//! In a match, the thread of a game reads the engine that it waits for, without a thread in between: a ply costs no more
//! switches than two pipes do. What an engine writes while nobody waits for it is read by one thread for all of them, now
//! and then, so that it does not block on a full pipe. A table waits for several engines and for people, so each of its
//! engines has a thread that reads it into a channel.

use std::io;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;

use super::filter::Batch;
use super::intake::Intake;

/// How many batches may wait in a channel. A batch comes from one read, so it takes less than a megabyte.
const CHANNEL: usize = 4;
const STACK: usize = 1 << 17;
/// The pause between two rounds of reading what nobody waits for, where there is something and where there is not. A
/// pipe holds 64 KiB.
const SHORT_PAUSE: Duration = Duration::from_millis(1);
const LONG_PAUSE: Duration = Duration::from_millis(10);
/// How many engines are looked at in a round that takes no longer than the long pause.
const ENGINES_A_PAUSE: u32 = 40;
/// How often a thread looks whether anyone still wants what it reads.
const CHECK: Duration = Duration::from_secs(1);

/// Reads a child's output on a thread of its own. The channel is closed when the output is.
pub(super) fn read_into_channel<M: Send + 'static>(
    intake: Arc<Mutex<Intake<M>>>,
) -> io::Result<Receiver<Batch<M>>> {
    let (sender, receiver) = bounded(CHANNEL);
    spawn("engine output", move || pass_on(&intake, sender))?;
    Ok(receiver)
}

fn pass_on<M: Send + 'static>(intake: &Arc<Mutex<Intake<M>>>, sender: Sender<Batch<M>>) {
    let mut sender = Some(sender);
    while Arc::strong_count(intake) > 1 {
        let mut guard = intake.lock();
        guard.wait(Instant::now() + CHECK);
        let batch: Batch<M> = guard.received().drain(..).collect();
        let (is_closed, is_silent) = (guard.is_closed(), guard.is_silent());
        drop(guard);
        let is_wanted = batch.is_empty()
            || sender
                .as_ref()
                .is_some_and(|sender| sender.send(batch).is_ok());
        if is_closed {
            sender = None;
        }
        if is_silent || !is_wanted {
            return;
        }
    }
}

/// An intake that is read now and then.
pub(super) trait Idle: Send {
    /// Reads what is there, unless somebody waits for it. Whether there was anything; `None` once all is closed.
    fn fetch(&self) -> Option<bool>;
}

impl<M: Send + 'static> Idle for Mutex<Intake<M>> {
    fn fetch(&self) -> Option<bool> {
        match self.try_lock() {
            Some(mut intake) => (!intake.is_silent()).then(|| intake.fetch()),
            None => Some(false),
        }
    }
}

/// All intakes that are read now and then.
static IDLE: Mutex<Vec<Weak<dyn Idle + Sync>>> = Mutex::new(Vec::new());

/// Has the output of a child read now and then, while nobody waits for it.
pub(super) fn read_while_idle<M: Send + 'static>(intake: &Arc<Mutex<Intake<M>>>) -> io::Result<()> {
    let weak: Weak<Mutex<Intake<M>>> = Arc::downgrade(intake);
    let mut idle = IDLE.lock();
    if idle.is_empty() {
        spawn("idle engines", read_idle)?;
    }
    idle.push(weak);
    Ok(())
}

/// Runs until no intake is left.
fn read_idle() {
    loop {
        let mut has_read = false;
        let n_idle = {
            let mut idle = IDLE.lock();
            idle.retain(
                |intake| match intake.upgrade().map(|intake| intake.fetch()) {
                    Some(Some(found)) => {
                        has_read |= found;
                        true
                    }
                    Some(None) | None => false,
                },
            );
            if idle.is_empty() {
                return;
            }
            idle.len() as u32
        };
        let pause = if has_read { SHORT_PAUSE } else { LONG_PAUSE };
        thread::sleep(pause * n_idle.div_ceil(ENGINES_A_PAUSE));
    }
}

fn spawn(name: &str, run: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let thread = thread::Builder::new().name(name.to_owned());
    thread.stack_size(STACK).spawn(run)?;
    Ok(())
}
