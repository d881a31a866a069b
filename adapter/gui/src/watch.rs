//! A match that is shown while it is played: its events for each page, and its finished games from the ledger.

use std::path::PathBuf;
use std::sync::Arc;

use crossbeam_channel::Receiver;
use referee::event::{Broadcast, Event, Watcher};
use referee::record::{GameFinder, GameRecord};

use crate::workers::WorkerList;

/// The match that a server shows.
#[derive(Debug, Clone)]
pub struct MatchSource {
    /// What happens in it.
    pub events: Broadcast,
    /// The file that keeps its finished games.
    pub ledger: PathBuf,
    /// Who plays it, where others do.
    pub workers: Option<WorkerList>,
}

impl MatchSource {
    /// A finished game.
    ///
    /// # Errors
    /// The ledger cannot be read, or the game is not over.
    pub(crate) fn replay(&self, number: usize) -> Result<GameRecord, String> {
        let found = GameFinder::new(&self.ledger).find(&[number]);
        let found = found.map_err(|error| format!("{}: {error}", self.ledger.display()))?;
        let game = found.into_iter().next();
        game.ok_or_else(|| format!("game {number} is not over: expected a finished one"))
    }
}

/// A page that follows a match.
#[derive(Debug)]
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

    /// Where the events arrive; the first is a snapshot if the match is under way.
    pub(crate) fn events(&self) -> &Receiver<Arc<Event>> {
        self.watcher.receiver()
    }

    /// What the page lost at the very end of the match.
    pub(crate) fn last(&mut self) -> Option<Arc<Event>> {
        self.watcher.next()
    }

    /// The state of a match that is over.
    pub(crate) fn last_state(source: &MatchSource) -> Option<Arc<Event>> {
        source.events.watch().next()
    }

    /// The ends of games that are told as lost, from the ledger.
    pub(crate) fn lost_ends(&mut self, event: &Event) -> Vec<Event> {
        let Event::Lagged { games, .. } = event else {
            return Vec::new();
        };
        // Where the ledger cannot be read, the standing still tells how the match goes.
        let found = self.lost.find(games).unwrap_or_default();
        let ends = found.into_iter().map(Box::new);
        ends.map(|record| Event::GameOver { record }).collect()
    }
}
