//! Sends the events of a match to its watchers, each through a bounded queue.

use std::collections::BTreeMap;
use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use parking_lot::Mutex;
use record::event::{Event, RunningGame};
use record::plan::Plan;
use record::stats::Standing;

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

/// Creates a queue for one watcher that holds at most `capacity` events, at least 2.
fn feed(capacity: usize) -> (Feed, Watcher) {
    let (sender, receiver) = bounded(capacity);
    let loss = Arc::new(Mutex::new(Loss::default()));
    let feed = Feed {
        sender,
        loss: Arc::clone(&loss),
    };
    (feed, Watcher { receiver, loss })
}

/// The dropped events that have not been reported to the watcher.
#[derive(Debug, Default)]
struct Loss {
    dropped: u64,
    games: Vec<usize>,
}

impl Loss {
    fn add(&mut self, event: &Event) {
        self.dropped += 1;
        if let Event::GameOver { record } = event {
            self.games.push(record.game);
        }
    }

    /// Returns the report of the loss, if any, and resets the counts.
    fn take(&mut self) -> Option<Event> {
        let Loss { dropped, games } = std::mem::take(self);
        (dropped > 0).then_some(Event::Lagged { dropped, games })
    }
}

/// The sending end. Sending never blocks: events that do not fit are dropped and counted.
#[derive(Debug)]
struct Feed {
    sender: Sender<Arc<Event>>,
    loss: Arc<Mutex<Loss>>,
}

impl Feed {
    /// Sends an event, or drops and counts it if the queue is full or the watcher is behind. Returns `false` if the
    /// watcher was dropped.
    fn send(&mut self, event: &Arc<Event>) -> bool {
        let mut loss = self.loss.lock();
        if loss.dropped > 0 {
            loss.add(event);
            return true;
        }
        match self.sender.try_send(Arc::clone(event)) {
            Ok(()) => true,
            Err(TrySendError::Full(event)) => {
                loss.add(&event);
                true
            }
            Err(TrySendError::Disconnected(_)) => false,
        }
    }

    /// `true` if the watcher has lost events and has not received the report.
    fn is_behind(&self) -> bool {
        self.loss.lock().dropped > 0
    }

    /// Sends a watcher that is behind the report of its loss and a snapshot, as soon as there is room for both.
    fn catch_up(&mut self, snapshot: &Arc<Event>) {
        // Only this end adds to the queue, so the room cannot shrink between the check and the sending.
        if self.sender.len() + 2 > self.sender.capacity().unwrap_or(usize::MAX) {
            return;
        }
        let lagged = self.loss.lock().take();
        if let Some(lagged) = lagged {
            let _ = self.sender.try_send(Arc::new(lagged));
            let _ = self.sender.try_send(Arc::clone(snapshot));
        }
    }
}

/// The receiving end. It yields everything that was sent, then ends when the sending end is dropped.
#[derive(Debug)]
pub struct Watcher {
    receiver: Receiver<Arc<Event>>,
    loss: Arc<Mutex<Loss>>,
}

impl Watcher {
    /// The queue, for selecting on it together with others. Only the iterator reports events lost at the very end.
    pub fn receiver(&self) -> &Receiver<Arc<Event>> {
        &self.receiver
    }
}

/// Blocks until the next event; `None` at the end.
impl Iterator for Watcher {
    type Item = Arc<Event>;

    fn next(&mut self) -> Option<Arc<Event>> {
        if let Ok(event) = self.receiver.recv() {
            return Some(event);
        }
        self.loss.lock().take().map(Arc::new)
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

    fn note(number: usize) -> Arc<Event> {
        Arc::new(Event::Note {
            engine: "A".to_owned(),
            text: number.to_string(),
        })
    }

    #[test]
    fn a_slow_watcher_loses_events_and_is_told_how_many() {
        let (mut feed, mut watcher) = feed(2);
        for number in 1..=5 {
            assert!(feed.send(&note(number)));
        }
        assert!(feed.is_behind());
        assert_eq!(watcher.next(), Some(note(1)));
        feed.catch_up(&note(0));
        assert!(feed.is_behind(), "one free place is not enough");
        assert_eq!(watcher.next(), Some(note(2)));
        feed.catch_up(&note(0));
        let lagged = Event::Lagged {
            dropped: 3,
            games: Vec::new(),
        };
        assert_eq!(watcher.next().as_deref(), Some(&lagged));
        assert_eq!(watcher.next(), Some(note(0)));
    }

    #[test]
    fn a_loss_at_the_end_is_told() {
        let (mut feed, watcher) = feed(2);
        for number in 1..=3 {
            feed.send(&note(number));
        }
        drop(feed);
        let lagged = Event::Lagged {
            dropped: 1,
            games: Vec::new(),
        };
        let told: Vec<_> = watcher.collect();
        assert_eq!(told, [note(1), note(2), Arc::new(lagged)]);
    }

    #[test]
    fn a_watcher_that_has_gone_is_noticed() {
        let (mut feed, watcher) = feed(2);
        drop(watcher);
        assert!(!feed.send(&note(1)));
    }
}
