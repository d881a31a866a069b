//! A bounded queue of events for one watcher.

use std::sync::Arc;

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use parking_lot::Mutex;
use record::event::Event;

/// Creates a queue for one watcher that holds at most `capacity` events, but at least 2.
pub fn feed(capacity: usize) -> (Feed, Watcher) {
    let (sender, receiver) = bounded(capacity.max(2));
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
pub struct Feed {
    sender: Sender<Arc<Event>>,
    loss: Arc<Mutex<Loss>>,
}

impl Feed {
    /// Sends an event, or drops and counts it if the queue is full or the watcher is behind. Returns `false` if the
    /// watcher was dropped.
    pub fn send(&mut self, event: &Arc<Event>) -> bool {
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
    pub fn is_behind(&self) -> bool {
        self.loss.lock().dropped > 0
    }

    /// Sends a watcher that is behind the report of its loss and a snapshot, as soon as there is room for both.
    pub fn catch_up(&mut self, snapshot: &Arc<Event>) {
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
    use super::*;

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
