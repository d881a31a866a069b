//! Coordinates a match played by workers: puts its pairs into a queue and records the results.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use record::event::Event;

use super::dispatch::{Dispatch, MAX_WINDOW};
use super::{Ending, Incoming, PairReport, QueueControl};
use crate::scoreboard::Scoreboard;
use crate::stop::Stop;

/// Maximum wait for incoming messages before other work is checked.
const WAIT: Duration = Duration::from_millis(100);

/// Interval for comparing the offered pairs with the contents of the queue.
const RECONCILE_EVERY: Duration = Duration::from_secs(60);

/// Number of rejected results of one pair that stops the match: its next result would be rejected too.
const MAX_REJECTED: u32 = 3;

/// The coordinator of a match.
pub(crate) struct Coordinator<'c, 'm> {
    dispatch: Dispatch,
    queue: &'c mut dyn QueueControl,
    scoreboard: &'c mut Scoreboard<'m>,
    stop: &'c Stop,
    /// Set when a test has decided the match.
    enough: &'c AtomicBool,
    /// Offered pairs that the queue did not hold at the last comparison. Their results may still arrive.
    missing: Vec<usize>,
    reconciled: Instant,
    has_stopped: bool,
    is_unreachable: bool,
}

impl<'c, 'm> Coordinator<'c, 'm> {
    pub(crate) fn new(
        dispatch: Dispatch,
        queue: &'c mut dyn QueueControl,
        scoreboard: &'c mut Scoreboard<'m>,
        stop: &'c Stop,
        enough: &'c AtomicBool,
    ) -> Coordinator<'c, 'm> {
        Coordinator {
            dispatch,
            queue,
            scoreboard,
            stop,
            enough,
            missing: Vec::new(),
            reconciled: Instant::now(),
            has_stopped: false,
            is_unreachable: false,
        }
    }

    /// Runs until the match has ended or is stopped.
    pub(crate) fn run(mut self) {
        self.adopt();
        while !self.stop.is_now() {
            let ending = self.ending();
            match ending {
                Some(ending) => self.stop_workers(ending),
                None => self.offer(),
            }
            let incoming = self.queue.receive(WAIT);
            let is_quiet = incoming.is_none();
            incoming
                .into_iter()
                .for_each(|incoming| self.take(incoming));
            if !is_quiet {
                continue;
            }
            self.offer_missing();
            if self.reconciled.elapsed() > RECONCILE_EVERY {
                self.reconcile();
            }
            let Some(ending) = ending else {
                continue;
            };
            if self.has_stopped && (self.dispatch.is_done() || !self.queue.is_playing()) {
                if ending == Ending::Over {
                    self.queue.close();
                }
                return;
            }
        }
    }

    /// Returns the ending of the match if no more pairs are to be played.
    fn ending(&mut self) -> Option<Ending> {
        if self.enough.load(Ordering::Relaxed) || self.dispatch.is_done() {
            Some(Ending::Over)
        } else if self.stop.is_asked() {
            Some(Ending::Paused)
        } else {
            None
        }
    }

    /// Takes over the pairs that an earlier coordinator of this match has left in the queue. The pairs are listed
    /// before results are read, so that a pair finished in the meantime is already known when its result arrives.
    fn adopt(&mut self) {
        while !self.stop.is_now() {
            match self.queue.held() {
                Ok(held) => {
                    self.dispatch.adopt(&held);
                    break;
                }
                Err(error) => self.note_unreachable(&error.0),
            }
        }
        while !self.stop.is_now()
            && let Some(incoming) = self.queue.receive(WAIT)
        {
            self.take(incoming);
        }
        self.dispatch.end_adoption();
    }

    /// Offers pairs until the window is full.
    fn offer(&mut self) {
        let window = self.queue.window().min(MAX_WINDOW);
        while self.dispatch.n_offered() < window
            && let Some(order) = self.dispatch.remove_next()
        {
            match self.queue.offer(&order) {
                Ok(()) => {
                    self.is_unreachable = false;
                    self.dispatch.offered(order);
                }
                Err(error) => {
                    self.dispatch.not_offered(order);
                    return self.note_unreachable(&error.0);
                }
            }
        }
    }

    fn stop_workers(&mut self, ending: Ending) {
        if self.has_stopped {
            return;
        }
        match self.queue.stop(ending) {
            Ok(()) => self.has_stopped = true,
            Err(error) => self.note_unreachable(&error.0),
        }
    }

    fn take(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Report { receipt, report } => {
                self.receive_report(report);
                // A report that could not be recorded is delivered again when the match is resumed.
                if !self.stop.is_now() {
                    self.queue.settle(receipt);
                }
            }
            Incoming::Note { about, text } => self.note(about, text),
            Incoming::Reconnected => self.reconcile(),
            Incoming::Changed => {}
        }
    }

    fn receive_report(&mut self, report: PairReport) {
        let records = match report {
            PairReport::Played(played) => {
                let notes = played.notes.clone();
                let (pair, attempt) = (played.pair, played.attempt);
                match self.dispatch.finish(played) {
                    Ok(records) if records.is_empty() => return,
                    Ok(records) => {
                        let notes = notes.into_iter();
                        notes.for_each(|note| self.note(note.engine, note.text));
                        records
                    }
                    Err(why) => return self.reject(pair, attempt, &why),
                }
            }
            PairReport::HandedBack { pair, attempt, why } => {
                return match why {
                    Some(why) => self.reject(pair, attempt, &why),
                    None => drop(self.dispatch.hand_back(pair, attempt)),
                };
            }
            PairReport::Failed { pair, reason } => self.dispatch.fail(pair, &reason),
        };
        for record in records {
            let record = Box::new(record);
            self.scoreboard.take(Event::GameOver { record });
        }
    }

    /// Logs a rejected result. Its pair is offered again, since the worker has removed it from the queue.
    fn reject(&mut self, pair: usize, attempt: u32, why: &str) {
        self.note("fleet".to_owned(), format!("rejected: {why}"));
        let n_rejected = self.dispatch.reject(pair, attempt);
        if n_rejected >= MAX_REJECTED {
            self.stop_workers(Ending::Paused);
            let why = format!(
                "{n_rejected} results of pair {pair} were rejected, the last one because of {why}"
            );
            self.stop.fail(why);
        }
    }

    fn note(&mut self, engine: String, text: String) {
        self.scoreboard.emit(Event::Note { engine, text });
    }

    /// Reports that the queue is unreachable, once until it is reachable again.
    fn note_unreachable(&mut self, why: &str) {
        if !std::mem::replace(&mut self.is_unreachable, true) {
            self.note("fleet".to_owned(), format!("waits: {why}"));
        }
    }

    /// Finds pairs that the queue has lost, for example after a power failure. Their results may have arrived but not
    /// been read yet.
    fn reconcile(&mut self) {
        self.reconciled = Instant::now();
        let held: BTreeSet<usize> = match self.queue.held() {
            Ok(held) => held,
            Err(error) => return self.note_unreachable(&error.0),
        };
        self.missing = self.dispatch.missing(&held);
    }

    /// Offers the pairs that are still missing again. By now, all results that had arrived at the time of the
    /// comparison have been read.
    fn offer_missing(&mut self) {
        for pair in std::mem::take(&mut self.missing) {
            self.dispatch.offer_again(pair);
        }
    }
}
