//! Keeps a match that workers play: puts its pairs into a queue, and records what comes back.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::{Dispatch, Ending, Incoming, MAX_WINDOW, PairReport, QueueControl};
use crate::event::Event;
use crate::scoreboard::Scoreboard;
use crate::stop::Stop;

/// How long it waits for what comes in before it looks for anything else.
const WAIT: Duration = Duration::from_millis(100);

/// How often it compares what it has put into the queue with what is there.
const RECONCILE_EVERY: Duration = Duration::from_secs(60);

/// How soon it does so after a result that it has rejected.
const RECONCILE_AFTER_REJECTION: Duration = Duration::from_secs(3);

/// The coordinator of a match.
pub(crate) struct Coordinator<'c, 'm> {
    dispatch: Dispatch,
    queue: &'c mut dyn QueueControl,
    scoreboard: &'c mut Scoreboard<'m>,
    stop: &'c Stop,
    /// Raised when a test has decided the match.
    enough: &'c AtomicBool,
    /// Pairs that were in the queue, and were not when it was looked at last. Their results may be on their way.
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

    /// Runs until the match has ended, or is told to stop.
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

    /// Why no more pairs are to be played, if so.
    fn ending(&mut self) -> Option<Ending> {
        if self.enough.load(Ordering::Relaxed) || self.dispatch.is_done() {
            Some(Ending::Over)
        } else if self.stop.is_asked() {
            Some(Ending::Paused)
        } else {
            None
        }
    }

    /// Learns what an earlier coordinator of this match has left in the queue. The pairs there are looked at first, so that a
    /// pair that is played meanwhile is known when its result comes.
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

    /// Fills the window.
    fn offer(&mut self) {
        let window = self.queue.window().min(MAX_WINDOW);
        while self.dispatch.n_offered() < window
            && let Some(order) = self.dispatch.take_next()
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
                self.take_report(report);
                // What could not be recorded is delivered again to who resumes the match.
                if !self.stop.is_now() {
                    self.queue.settle(receipt);
                }
            }
            Incoming::Note { about, text } => self.note(about, text),
            Incoming::Reconnected => self.reconcile(),
            Incoming::Changed => {}
        }
    }

    fn take_report(&mut self, report: PairReport) {
        let records = match report {
            PairReport::Played(played) => {
                let notes = played.notes.clone();
                match self.dispatch.finish(played) {
                    Ok(records) if records.is_empty() => return,
                    Ok(records) => {
                        let notes = notes.into_iter();
                        notes.for_each(|note| self.note(note.engine, note.text));
                        records
                    }
                    Err(why) => return self.reject(&why),
                }
            }
            PairReport::HandedBack { pair, attempt } => {
                return self.dispatch.hand_back(pair, attempt);
            }
            PairReport::Failed { pair, reason } => self.dispatch.fail(pair, &reason),
        };
        for record in records {
            let record = Box::new(record);
            self.scoreboard.take(Event::GameOver { record });
        }
    }

    /// The pair of a rejected result may be lost, if its worker has taken it off the queue.
    fn reject(&mut self, why: &str) {
        let soon = Instant::now() - (RECONCILE_EVERY - RECONCILE_AFTER_REJECTION);
        self.reconciled = self.reconciled.min(soon);
        self.note("fleet".to_owned(), format!("rejected: {why}"));
    }

    fn note(&mut self, engine: String, text: String) {
        self.scoreboard.emit(Event::Note { engine, text });
    }

    /// Tells once that the queue is out of reach.
    fn note_unreachable(&mut self, why: &str) {
        if !std::mem::replace(&mut self.is_unreachable, true) {
            self.note("fleet".to_owned(), format!("waits: {why}"));
        }
    }

    /// Finds out which pairs the queue has lost, as after a power cut. Their results may have come in and not been read yet.
    fn reconcile(&mut self) {
        self.reconciled = Instant::now();
        let held: BTreeSet<usize> = match self.queue.held() {
            Ok(held) => held,
            Err(error) => return self.note_unreachable(&error.0),
        };
        self.missing = self.dispatch.missing(&held);
    }

    /// All results that were there when the queue was looked at are read: what is still missing is put there again.
    fn offer_missing(&mut self) {
        for pair in std::mem::take(&mut self.missing) {
            self.dispatch.offer_again(pair);
        }
    }
}
