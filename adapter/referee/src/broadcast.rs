//! Sends the events of a match to its watchers, each through a bounded queue.

use std::collections::BTreeMap;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use record::event::{Event, RunningGame};
use record::plan::Plan;
use record::stats::Standing;

/// Queue length of each watcher, in events. Beyond it, the queue has places for a loss at the end: its report and a
/// snapshot.
const CAPACITY: usize = 1024;

/// Sends the events of a match to all watchers. Clones share the watchers.
#[derive(Debug, Clone, Default)]
pub struct Broadcast {
    /// [`Event::MovePlayed`] is sent; otherwise it need not be built.
    pub sends_moves: bool,
    shared: Arc<Mutex<Watchers>>,
}

/// The watchers, and the data of a snapshot.
#[derive(Debug, Default)]
struct Watchers {
    feeds: Vec<Feed>,
    is_closed: bool,
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

    /// Adds a watcher. Its first event is a snapshot if the match has begun; after the end of the match it is the only
    /// one. The channel is closed when everything that was sent is received and the match has ended.
    pub fn watch(&self) -> Receiver<Arc<Event>> {
        let (mut feed, watcher) = feed();
        let mut shared = self.shared.lock();
        if let Some(snapshot) = shared.snapshot() {
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
        shared.catch_up(Feed::is_due);
        shared.apply(&event);
        let event = Arc::new(event);
        shared.feeds.retain_mut(|feed| feed.send(&event));
    }

    /// Closes the broadcast. Watchers still receive the events already sent.
    pub fn close(&self) {
        let mut shared = self.shared.lock();
        shared.is_closed = true;
        shared.catch_up(|feed| feed.dropped > 0);
        shared.feeds.clear();
    }
}

impl Watchers {
    /// Sends these watchers the report of their loss, and a snapshot.
    fn catch_up(&mut self, is_due: impl Fn(&Feed) -> bool) {
        if self.feeds.iter().any(&is_due)
            && let Some(snapshot) = self.snapshot()
        {
            let behind = self.feeds.iter_mut().filter(|feed| is_due(feed));
            behind.for_each(|feed| feed.catch_up(&snapshot));
        }
    }

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

/// The sending end of a watcher's queue. Sending never blocks: events that do not fit are dropped and counted.
#[derive(Debug)]
struct Feed {
    sender: Sender<Arc<Event>>,
    /// Number of dropped events that the watcher has not been told of, and the games that ended by them.
    dropped: u64,
    games: Vec<usize>,
}

fn feed() -> (Feed, Receiver<Arc<Event>>) {
    let (sender, receiver) = bounded(CAPACITY + 2);
    let feed = Feed {
        sender,
        dropped: 0,
        games: Vec::new(),
    };
    (feed, receiver)
}

impl Feed {
    /// Sends an event, or drops and counts it if the queue is full or the watcher is behind. Returns `false` if the
    /// watcher was dropped.
    fn send(&mut self, event: &Arc<Event>) -> bool {
        // Only this end adds to the queue, so the room cannot shrink between the check and the sending.
        if self.dropped == 0 && self.sender.len() < CAPACITY {
            return self.sender.try_send(Arc::clone(event)).is_ok();
        }
        self.dropped += 1;
        if let Event::GameOver { record } = &**event {
            self.games.push(record.game);
        }
        true
    }

    /// `true` if the watcher is behind and has room for what it has missed.
    fn is_due(&self) -> bool {
        self.dropped > 0 && self.sender.len() + 2 <= CAPACITY
    }

    /// Sends a watcher that is behind the report of its loss, and a snapshot.
    fn catch_up(&mut self, snapshot: &Arc<Event>) {
        let dropped = std::mem::take(&mut self.dropped);
        let games = std::mem::take(&mut self.games);
        let lagged = Arc::new(Event::Lagged { dropped, games });
        for event in [lagged, Arc::clone(snapshot)] {
            // There is room, or the watcher has gone.
            let _ = self.sender.try_send(event);
        }
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
        let heard: Vec<_> = second.iter().map(|event| (*event).clone()).collect();
        assert_eq!(heard, [started(1), started(2)]);
    }

    fn begun() -> Broadcast {
        let ledger = include_bytes!("../../../tests/data/old-match.jsonl");
        let plan = Box::new(parse_ledger(ledger).expect("a ledger").plan);
        let standing = Summary::of(&plan).standing(4);
        let broadcast = Broadcast::new(false);
        broadcast.tell(Event::MatchStarted { plan, standing });
        broadcast
    }

    fn is_snapshot(event: &Arc<Event>) -> bool {
        matches!(**event, Event::MatchSnapshot { .. })
    }

    #[test]
    fn a_watcher_that_comes_after_the_end_hears_the_last_state_alone() {
        let broadcast = Broadcast::new(false);
        broadcast.close();
        assert_eq!(broadcast.watch().iter().count(), 0);
        let broadcast = begun();
        broadcast.close();
        let heard: Vec<_> = broadcast.watch().iter().collect();
        assert!(heard.len() == 1 && is_snapshot(&heard[0]), "{heard:?}");
    }

    fn note(number: usize) -> Arc<Event> {
        Arc::new(Event::Note {
            engine: "A".to_owned(),
            text: number.to_string(),
        })
    }

    fn lagged(dropped: u64) -> Arc<Event> {
        let games = Vec::new();
        Arc::new(Event::Lagged { dropped, games })
    }

    /// A match with a watcher to which three events more were sent than fit, after a snapshot.
    fn overrun() -> (Broadcast, Receiver<Arc<Event>>) {
        let broadcast = begun();
        let watcher = broadcast.watch();
        (1..CAPACITY + 3).for_each(|number| broadcast.tell((*note(number)).clone()));
        (broadcast, watcher)
    }

    #[test]
    fn a_slow_watcher_loses_events_and_is_told_how_many() {
        let (broadcast, watcher) = overrun();
        let again = || broadcast.tell((*note(0)).clone());
        assert!(watcher.recv().is_ok());
        again();
        assert_eq!(watcher.len(), CAPACITY - 1, "one free place is not enough");
        assert!(watcher.recv().is_ok());
        again();
        let rest: Vec<_> = watcher.try_iter().skip(CAPACITY - 2).collect();
        assert_eq!(rest[0], lagged(4));
        assert!(is_snapshot(&rest[1]), "{rest:?}");
        assert_eq!(rest.len(), 2, "there was no room for more");
    }

    #[test]
    fn a_loss_at_the_end_is_told() {
        let (broadcast, watcher) = overrun();
        broadcast.close();
        let told: Vec<_> = watcher.iter().skip(CAPACITY).collect();
        assert_eq!(told[0], lagged(3));
        assert!(told.len() == 2 && is_snapshot(&told[1]), "{told:?}");
    }

    #[test]
    fn a_watcher_that_has_gone_is_noticed() {
        let (mut feed, watcher) = feed();
        drop(watcher);
        assert!(!feed.send(&note(1)));
    }
}
