//! The queue of a round of a local match, which hands out its single games.

use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::Sender;
use parking_lot::Mutex;
use record::event::Event;
use record::plan::Plan;
use record::registry::Rules;
use record::schedule::Schedule;

use crate::queue::{Lease, PairOrder, PlayedPair, Queue};
use crate::stop::Stop;

/// Hands out the games of one round one by one, so that the games of a pair can be played concurrently. Results are sent
/// to the scoreboard.
pub(super) struct LocalQueue<'a> {
    pub(super) plan: &'a Plan,
    pub(super) rules: Option<&'a Rules>,
    pub(super) schedule: &'a Mutex<Schedule>,
    /// Number of rounds when this one began: the last result of a round opens the next one.
    pub(super) n_rounds: usize,
    pub(super) stop: &'a Stop,
    /// Set when a test has decided the match.
    pub(super) enough: &'a AtomicBool,
    pub(super) events: Sender<Event>,
}

impl Queue for LocalQueue<'_> {
    fn lease(&self) -> Option<Lease> {
        let mut schedule = self.schedule.lock();
        let is_over = self.stop.is_asked() || self.enough.load(Ordering::Relaxed);
        if is_over || schedule.rounds().len() != self.n_rounds {
            return None;
        }
        let slot = schedule.take()?;
        drop(schedule);
        Some(Lease {
            id: slot.game as u64,
            order: PairOrder {
                pair: slot.pair,
                attempt: 1,
                srand: self.plan.srand,
                opening: self.plan.opening_of(slot.opening, self.rules).into_owned(),
                games: vec![slot],
                not: Vec::new(),
                values: Vec::new(),
            },
        })
    }

    fn keep(&self, _: u64) {}

    fn finish(&self, lease: Lease, played: PlayedPair) {
        for (slot, record) in lease.order.games.iter().zip(played.games) {
            self.schedule.lock().finish(slot, record.result);
            let record = Box::new(record);
            // Sending fails only after the match is over, when the receiver has been dropped.
            let _ = self.events.send(Event::GameOver { record });
        }
    }

    fn hand_back(&self, _: Lease) {}

    fn reject(&self, _: Lease, _: &str) {}
}
