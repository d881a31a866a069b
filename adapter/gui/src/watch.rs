//! A match that is shown while it is played: its events for each page, and its finished games from the ledger.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use crossbeam_channel::Receiver;
use record::event::Event;
use record::game::GameRecord;
use record::ledger::GameFinder;
use referee::broadcast::Broadcast;
use referee::feed::Watcher;

/// The match that a server shows.
#[derive(Debug, Clone)]
pub struct MatchSource {
    /// Events of the match.
    pub events: Broadcast,
    /// Path of its ledger.
    pub ledger: PathBuf,
}

/// Reads a finished game from the ledger of a match.
///
/// # Errors
/// The ledger cannot be read, or the game is not finished.
pub(crate) fn replay(ledger: &Path, number: usize) -> Result<GameRecord, String> {
    let found = GameFinder::new(ledger).find(&[number]);
    let found = found.map_err(|error| format!("{}: {error}", ledger.display()))?;
    let game = found.into_iter().next();
    game.ok_or_else(|| format!("game {number} is not over: expected a finished one"))
}

/// A page's subscription to a match.
pub(crate) struct Following {
    watcher: Watcher,
    lost: GameFinder,
}

impl Following {
    pub(crate) fn new(source: &MatchSource) -> Following {
        Following {
            watcher: source.events.watch(),
            lost: GameFinder::new(&source.ledger),
        }
    }

    /// Receiver of the events. The first is a snapshot if the match is running.
    pub(crate) fn events(&self) -> &Receiver<Arc<Event>> {
        self.watcher.receiver()
    }

    /// Returns the notice of events lost at the end of the match.
    pub(crate) fn last(&mut self) -> Option<Arc<Event>> {
        self.watcher.next()
    }

    /// Reads the ends of games that were reported as lost from the ledger.
    pub(crate) fn lost_ends(&mut self, event: &Event) -> Vec<Event> {
        let Event::Lagged { games, .. } = event else {
            return Vec::new();
        };
        // If the ledger cannot be read, the standing still shows the progress.
        let found = self.lost.find(games).unwrap_or_default();
        let ends = found.into_iter().map(Box::new);
        ends.map(|record| Event::GameOver { record }).collect()
    }
}
