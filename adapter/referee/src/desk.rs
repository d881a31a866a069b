//! Where all news of a match comes in, is counted and passed on.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::Receiver;

use crate::event::{Event, Subscriber};
use crate::plan::Plan;
use crate::record::GameRecord;
use crate::stats::{Counter, Sprt, Standing};
use crate::stop::Stop;
use crate::tournament::{Conclusion, MatchError};

/// The one reader of all workers' news.
pub(crate) struct Scoreboard<'a> {
    subscribers: &'a mut [Box<dyn Subscriber>],
    counter: Counter,
    sprt: Option<Sprt>,
    n_games: usize,
    n_total: usize,
    stop: Stop,
    /// Raised when a test has decided the match.
    enough: &'a AtomicBool,
    error: Option<io::Error>,
}

impl<'a> Scoreboard<'a> {
    /// A desk that has counted the games that are `done` already.
    pub(crate) fn new(
        plan: &Plan,
        n_total: usize,
        done: &[GameRecord],
        subscribers: &'a mut [Box<dyn Subscriber>],
        stop: Stop,
        enough: &'a AtomicBool,
    ) -> Scoreboard<'a> {
        let names = plan.engines.iter().filter_map(|engine| engine.name.clone());
        let mut desk = Scoreboard {
            subscribers,
            counter: Counter::new(names, plan.swaps),
            sprt: plan.sprt,
            n_games: 0,
            n_total,
            stop,
            enough,
            error: None,
        };
        done.iter().for_each(|record| desk.count(record));
        desk
    }

    /// Whether anyone wants to know of each move.
    pub(crate) fn wants_moves(&self) -> bool {
        self.subscribers
            .iter()
            .any(|subscriber| subscriber.wants_moves())
    }

    /// Passes everything on until all workers are done.
    pub(crate) fn attend(&mut self, events: &Receiver<Event>) {
        for event in events {
            self.tell(&event);
            if let Event::GameOver { record } = &event {
                self.count(record);
                let standing = self.standing();
                self.tell(&Event::Standing { standing });
            }
        }
    }

    /// Tells the subscribers, until one fails: then nobody is told any more.
    pub(crate) fn tell(&mut self, event: &Event) {
        if self.error.is_some() {
            return;
        }
        let told = self
            .subscribers
            .iter_mut()
            .try_for_each(|subscriber| subscriber.notice(event));
        if let Err(error) = told {
            self.stop.now();
            self.error = Some(error);
        }
    }

    /// How the match ended, or why it could not go on.
    pub(crate) fn close(self) -> Result<Conclusion, MatchError> {
        let standing = self.standing();
        match self.error {
            Some(error) => Err(MatchError::Subscriber(error)),
            None => Ok(Conclusion {
                is_complete: self.n_games >= self.n_total || self.enough.load(Ordering::Relaxed),
                standing,
            }),
        }
    }

    fn count(&mut self, record: &GameRecord) {
        self.n_games += 1;
        self.counter.count(record);
        let status = self.sprt.map(|sprt| sprt.status(&self.counter.sample()));
        if status.is_some_and(|status| status.decision.is_some()) {
            self.enough.store(true, Ordering::Relaxed);
        }
    }

    fn standing(&self) -> Standing {
        self.counter.standing(self.n_games, self.n_total, self.sprt)
    }
}
