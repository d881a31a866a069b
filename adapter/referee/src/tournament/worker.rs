//! A worker: plays pairs from the queue of another coordinator's match.

use std::collections::BTreeSet;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, bounded};
use parking_lot::Mutex;
use record::event::Event;

use super::games::{ConcurrentGame, GameRunner};
use super::spawn;
use crate::queue::{Lease, PlayedPair, Queue};

/// Plays at all places until the queue is finished. The lease of each pair is renewed every `keep_every`.
pub(super) fn serve(
    runner: &GameRunner,
    queue: &dyn Queue,
    keep_every: Duration,
    tell: &(dyn Fn(Event) + Sync),
) {
    let queue = &KeptQueue {
        runner,
        queue,
        leases: Mutex::default(),
        tell,
    };
    let (alive, ended) = bounded::<()>(0);
    thread::scope(|scope| {
        for number in 0..runner.plan.concurrency {
            let alive = alive.clone();
            let work = move || {
                let place = ConcurrentGame {
                    number,
                    tell: &|event| tell(event),
                    wants_moves: false,
                };
                runner.work(queue, &place);
                drop(alive);
            };
            if !spawn(scope, &runner.stop, work) {
                break;
            }
        }
        drop(alive);
        queue.keep_all(&ended, keep_every);
    });
}

/// A queue that tracks the leases of pairs being played, and rejects pairs that cannot be played.
struct KeptQueue<'a> {
    runner: &'a GameRunner,
    queue: &'a dyn Queue,
    leases: Mutex<BTreeSet<u64>>,
    tell: &'a (dyn Fn(Event) + Sync),
}

impl KeptQueue<'_> {
    /// Renews all current leases until all places have ended.
    fn keep_all(&self, ended: &Receiver<()>, every: Duration) {
        while let Err(RecvTimeoutError::Timeout) = ended.recv_timeout(every) {
            let leases = self.leases.lock().clone();
            leases.into_iter().for_each(|lease| self.queue.keep(lease));
        }
    }
}

impl Queue for KeptQueue<'_> {
    fn lease(&self) -> Option<Lease> {
        loop {
            let lease = self.queue.lease()?;
            match self.runner.check_order(&lease.order) {
                Ok(()) => {
                    self.leases.lock().insert(lease.id);
                    return Some(lease);
                }
                Err(why) => self.queue.reject(lease, &why),
            }
        }
    }

    fn keep(&self, lease: u64) {
        self.queue.keep(lease);
    }

    fn finish(&self, lease: Lease, played: PlayedPair) {
        let id = lease.id;
        let games = played.games.clone();
        self.queue.finish(lease, played);
        self.leases.lock().remove(&id);
        for record in games {
            let record = Box::new(record);
            (self.tell)(Event::GameOver { record });
        }
    }

    fn hand_back(&self, lease: Lease) {
        self.leases.lock().remove(&lease.id);
        self.queue.hand_back(lease);
    }

    fn reject(&self, lease: Lease, why: &str) {
        self.queue.reject(lease, why);
    }
}
