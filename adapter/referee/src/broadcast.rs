//! Sends the events of a match to its watchers.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use record::event::{Event, RunningGame};
use record::plan::Plan;
use record::stats::Standing;

use crate::feed::{Feed, Watcher, feed};

/// Queue length of each watcher, in events.
const CAPACITY: usize = 1024;

/// Sends the events of a match to all watchers. Clones share the watchers.
#[derive(Debug, Clone, Default)]
pub struct Broadcast {
    sends_moves: bool,
    shared: Arc<Mutex<Watchers>>,
}

#[derive(Debug, Default)]
struct Watchers {
    feeds: Vec<Feed>,
    state: MatchState,
    is_closed: bool,
}

/// The data of a snapshot.
#[derive(Debug, Default)]
struct MatchState {
    plan: Option<Box<Plan>>,
    running: BTreeMap<usize, RunningGame>,
    standing: Option<Standing>,
}

impl Broadcast {
    /// Creates a broadcast without watchers. With `sends_moves`, it also sends every move.
    pub fn new(sends_moves: bool) -> Broadcast {
        Broadcast {
            sends_moves,
            shared: Arc::default(),
        }
    }

    /// `true` if [`Event::MovePlayed`] is sent; otherwise it need not be built.
    pub fn sends_moves(&self) -> bool {
        self.sends_moves
    }

    /// Adds a watcher. Its first event is a snapshot if the match has begun; after the end of the match it is the only
    /// one.
    pub fn watch(&self) -> Watcher {
        let (mut feed, watcher) = feed(CAPACITY);
        let mut shared = self.shared.lock();
        if let Some(snapshot) = shared.state.snapshot() {
            feed.send(&snapshot);
        }
        if !shared.is_closed {
            shared.feeds.push(feed);
        }
        watcher
    }

    /// Sends an event to every watcher without blocking. Disconnected watchers are removed.
    pub fn tell(&self, event: Event) {
        let mut shared = self.shared.lock();
        let Watchers { feeds, state, .. } = &mut *shared;
        if feeds.iter().any(Feed::is_behind)
            && let Some(snapshot) = state.snapshot()
        {
            let behind = feeds.iter_mut().filter(|feed| feed.is_behind());
            behind.for_each(|feed| feed.catch_up(&snapshot));
        }
        state.apply(&event);
        let event = Arc::new(event);
        feeds.retain_mut(|feed| feed.send(&event));
    }

    /// Closes the broadcast. Watchers still receive the events already sent.
    pub fn close(&self) {
        let mut shared = self.shared.lock();
        shared.is_closed = true;
        shared.feeds.clear();
    }
}

impl MatchState {
    fn apply(&mut self, event: &Event) {
        match event {
            Event::MatchStarted { plan, standing } => {
                self.plan = Some(plan.clone());
                self.standing = Some(standing.clone());
            }
            Event::Standing { standing } => self.standing = Some(standing.clone()),
            Event::GameStarted(start) => {
                let (start, moves) = (start.clone(), Vec::new());
                let running = RunningGame { start, moves };
                self.running.insert(running.start.game, running);
            }
            Event::MovePlayed { game, code, .. } => {
                if let Some(running) = self.running.get_mut(game) {
                    running.moves.push(code.clone());
                }
            }
            Event::GameOver { record } => drop(self.running.remove(&record.game)),
            _ => {}
        }
    }

    fn snapshot(&self) -> Option<Arc<Event>> {
        Some(Arc::new(Event::MatchSnapshot {
            plan: self.plan.clone()?,
            running: self.running.values().cloned().collect(),
            standing: self.standing.clone()?,
        }))
    }
}

#[cfg(test)]
mod tests {
    use record::event::StartedGame;
    use record::ledger::parse_ledger;
    use record::opening::Opening;
    use record::stats::Summary;

    use super::*;

    fn started(game: usize) -> Event {
        Event::GameStarted(StartedGame {
            game,
            pair: 1,
            p1: "A".to_owned(),
            p2: "B".to_owned(),
            opening: Opening::default(),
        })
    }

    #[test]
    fn watchers_hear_the_same_and_one_that_goes_disturbs_nobody() {
        let broadcast = Broadcast::new(false);
        let (first, second) = (broadcast.watch(), broadcast.watch());
        broadcast.tell(started(1));
        drop(first);
        broadcast.tell(started(2));
        broadcast.close();
        let heard: Vec<_> = second.map(|event| (*event).clone()).collect();
        assert_eq!(heard, [started(1), started(2)]);
    }

    #[test]
    fn a_watcher_that_comes_after_the_end_hears_the_last_state_alone() {
        let broadcast = Broadcast::new(false);
        broadcast.close();
        assert_eq!(broadcast.watch().count(), 0);
        let ledger = include_bytes!("../../../tests/data/old-match.jsonl");
        let plan = Box::new(parse_ledger(ledger).expect("a ledger").plan);
        let standing = Summary::of(&plan).standing(4);
        let broadcast = Broadcast::new(false);
        broadcast.tell(Event::MatchStarted { plan, standing });
        broadcast.close();
        let heard: Vec<_> = broadcast.watch().collect();
        assert!(
            matches!(*heard[0], Event::MatchSnapshot { .. }),
            "{heard:?}"
        );
        assert_eq!(heard.len(), 1);
    }
}
