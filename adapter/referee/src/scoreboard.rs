//! The single receiver of a match's events: counts finished games and forwards every event.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crossbeam_channel::Receiver;
use record::event::{Event, Recorder};
use record::game::GameRecord;
use record::stats::{Standing, Summary};

use crate::broadcast::Broadcast;
use crate::match_error::MatchError;
use crate::process::Log;
use crate::stop::Stop;

/// Maximum number of events that are recorded together.
const MAX_TOGETHER: usize = 255;

/// Result of a match.
#[derive(Debug)]
pub struct Conclusion {
    /// The final standing.
    pub standing: Standing,
    /// The statistics of all games.
    pub summary: Summary,
    /// All games of the schedule were played, or a test has decided the match.
    pub is_complete: bool,
}

/// Counts finished games, and forwards the events of all workers to recorders and watchers.
pub(crate) struct Scoreboard<'a> {
    recorders: &'a mut [Box<dyn Recorder>],
    watchers: &'a Broadcast,
    summary: Summary,
    /// Number of games of the match.
    n_planned: usize,
    stop: Stop,
    /// Set when the sequential test has decided the match.
    enough: &'a AtomicBool,
    error: Option<io::Error>,
    log: Option<Arc<Log>>,
}

impl<'a> Scoreboard<'a> {
    /// Creates a scoreboard that has counted the games in `summary`.
    pub(crate) fn new(
        n_planned: usize,
        summary: Summary,
        recorders: &'a mut [Box<dyn Recorder>],
        watchers: &'a Broadcast,
        stop: Stop,
        enough: &'a AtomicBool,
    ) -> Scoreboard<'a> {
        let scoreboard = Scoreboard {
            recorders,
            watchers,
            summary,
            n_planned,
            stop,
            enough,
            error: None,
            log: None,
        };
        scoreboard.note_decision();
        scoreboard
    }

    /// Also writes events to a log.
    pub(crate) fn with_log(self, log: Option<Arc<Log>>) -> Scoreboard<'a> {
        Scoreboard { log, ..self }
    }

    /// Forwards events until all workers have finished. Those that have arrived meanwhile are recorded together.
    pub(crate) fn run(&mut self, events: &Receiver<Event>) {
        while let Ok(first) = events.recv() {
            let later = events.try_iter().take(MAX_TOGETHER);
            self.take(std::iter::once(first).chain(later).collect());
        }
    }

    /// Records the finished games among the events, then counts them and sends all to the watchers. After a failed record,
    /// events are discarded.
    pub(crate) fn take(&mut self, events: Vec<Event>) {
        if self.error.is_some() {
            return;
        }
        let games = events.iter().filter_map(|event| match event {
            Event::GameOver { record } => Some(record.as_ref()),
            _ => None,
        });
        let games: Vec<&GameRecord> = games.collect();
        let mut recorders = self.recorders.iter_mut();
        let recorded = match games.is_empty() {
            true => Ok(()),
            false => recorders.try_for_each(|recorder| recorder.record_all(&games)),
        };
        if let Err(error) = recorded {
            self.stop.now();
            self.error = Some(error);
            return;
        }
        for event in events {
            let is_game = matches!(event, Event::GameOver { .. });
            if let Event::GameOver { record } = &event {
                self.count(record);
            }
            if let Some(log) = &self.log {
                log.event(&event);
            }
            self.watchers.tell(event);
            if is_game {
                let standing = self.standing();
                self.watchers.tell(Event::Standing { standing });
            }
        }
    }

    /// The conclusion of the match, or the error that stopped it.
    pub(crate) fn close(self) -> Result<Conclusion, MatchError> {
        let standing = self.standing();
        if let Some(error) = self.error {
            return Err(MatchError::Record(error));
        }
        if let Some(why) = self.stop.failure() {
            return Err(MatchError::Trouble(why.to_owned()));
        }
        Ok(Conclusion {
            is_complete: standing.games >= self.n_planned || self.enough.load(Ordering::Relaxed),
            standing,
            summary: self.summary,
        })
    }

    fn count(&mut self, game: &GameRecord) {
        self.summary.count(game);
        self.note_decision();
    }

    fn note_decision(&self) {
        let status = self.summary.sprt();
        if status.is_some_and(|status| status.decision.is_some()) {
            self.enough.store(true, Ordering::Relaxed);
        }
    }

    /// The current standing.
    pub(crate) fn standing(&self) -> Standing {
        self.summary.standing(self.n_planned)
    }
}
