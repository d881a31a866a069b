//! A schedule shared by several threads.

use parking_lot::{Condvar, Mutex};
use record::finished::FinishedGames;
use record::game::GameResult;
use record::plan::Plan;
use record::schedule::{Next, Schedule, Slot};

/// The schedule shared by all game threads. In a format with rounds they wait for each other.
#[derive(Debug)]
pub(crate) struct SharedSchedule {
    schedule: Mutex<Schedule>,
    changed: Condvar,
}

impl SharedSchedule {
    pub(crate) fn new(plan: &Plan, done: &FinishedGames) -> SharedSchedule {
        SharedSchedule {
            schedule: Mutex::new(Schedule::new(plan, done.iter())),
            changed: Condvar::new(),
        }
    }

    /// The next game; `None` at the end of the schedule, or if the match `is_over` early. Blocks until a game can be
    /// played.
    pub(crate) fn take(&self, is_over: &dyn Fn() -> bool) -> Option<Slot> {
        let mut schedule = self.schedule.lock();
        while !is_over() {
            match schedule.take() {
                Next::Game(slot) => return Some(slot),
                Next::Wait => self.changed.wait(&mut schedule),
                Next::End => return None,
            }
        }
        None
    }

    /// The next step of the schedule. Does not block.
    pub(crate) fn try_take(&self) -> Next {
        self.schedule.lock().take()
    }

    pub(crate) fn finish(&self, slot: &Slot, result: GameResult) {
        self.schedule.lock().finish(slot, result);
        self.changed.notify_all();
    }

    /// Wakes waiting threads after a game was aborted by a stop request: it will have no result.
    pub(crate) fn give_up(&self) {
        let _lock = self.schedule.lock();
        self.changed.notify_all();
    }

    /// The total number of games as far as it is known.
    pub(crate) fn n_games(&self) -> usize {
        self.schedule.lock().n_games()
    }
}
