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

/// Counts finished games, and forwards the events of all games to recorders and watchers.
pub struct Scoreboard<'a> {
    pub(crate) recorders: &'a mut [Box<dyn Recorder>],
    pub(crate) watchers: &'a Broadcast,
    pub(crate) summary: Summary,
    /// Number of games of the match.
    pub(crate) n_planned: usize,
    /// Requests to end the match early.
    pub stop: Stop,
    /// Set when the sequential test has decided the match.
    pub(crate) is_decided: Arc<AtomicBool>,
    /// Why a game could not be recorded.
    pub(crate) error: Option<io::Error>,
    pub(crate) log: Option<Arc<Log>>,
}

impl Scoreboard<'_> {
    /// Records a finished game.
    pub fn record(&mut self, record: GameRecord) {
        let record = Box::new(record);
        self.take(vec![Event::GameOver { record }]);
    }

    /// Records a note about an engine, a worker or the network.
    pub fn note(&mut self, about: &str, text: String) {
        self.take(vec![Event::note(about, text)]);
    }

    /// The current standing.
    pub fn standing(&self) -> Standing {
        self.summary.standing(self.n_planned)
    }

    /// `true` if the sequential test has decided the match.
    pub fn is_decided(&self) -> bool {
        self.is_decided.load(Ordering::Relaxed)
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
                self.summary.count(record);
                self.note_decision();
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
        let error = self.error.as_ref().map(ToString::to_string);
        if let Some(why) = error.or_else(|| self.stop.failure().map(str::to_owned)) {
            return Err(MatchError::Trouble(why));
        }
        Ok(Conclusion {
            is_complete: standing.games >= self.n_planned || self.is_decided(),
            standing,
            summary: self.summary,
        })
    }

    /// Notes whether the sequential test has decided the match.
    pub(crate) fn note_decision(&self) {
        let status = self.summary.sprt();
        if status.is_some_and(|status| status.decision.is_some()) {
            self.is_decided.store(true, Ordering::Relaxed);
        }
    }
}
