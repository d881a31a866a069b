//! The worker's end of the queue.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use parking_lot::Mutex;
use record::game::Machine;
use referee::queue::{Lease, PairOrder, PlayedPair, Queue};
use referee::stop::Stop;

use crate::inbox::{PART, RESULT};
use crate::link::Link;
use crate::presence::Presence;
use crate::wire::{self, MAX_RESULT, MatchState, PairResult, Playing};
use crate::{names, platform, streams};

/// Time that a request for a pair waits at the server, and so the longest delay before a worker that shall stop notices
/// it.
const PULL: Duration = Duration::from_secs(1);

/// Pause before a failed operation is repeated.
const PAUSE: Duration = Duration::from_millis(200);

/// Time without a pair after which the worker looks for other matches.
const OTHERS_AFTER: Duration = Duration::from_secs(3);

/// Size reserved for the headers of a message, in bytes.
const HEADERS: usize = 1024;

/// Reason why a worker has left its match.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Left {
    /// The match is over or paused.
    Ended,
    /// It has had no pairs for a while.
    Idle,
    /// The coordinator does not accept its results.
    SetAside,
    /// The machine is measured again, before it joins a match.
    Measure,
}

/// The worker's end of the queue of one match.
pub(crate) struct FleetQueue<'a> {
    pub(crate) link: &'a Link,
    pub(crate) id: &'a str,
    pub(crate) consumer: PullConsumer,
    pub(crate) stop: &'a Stop,
    pub(crate) presence: &'a Presence,
    /// Factor of this machine for time limits.
    pub(crate) scale: f64,
    /// Time at which the machine is measured again.
    pub(crate) until: Option<Instant>,
    /// Time without a pair after which the worker ends.
    pub(crate) idle: Option<Duration>,
    pub(crate) note: &'a (dyn Fn(String) + Sync),
    pub(crate) leases: Mutex<BTreeMap<u64, Held>>,
    pub(crate) last_lease: AtomicU64,
    /// Time at which a pair was last received or ended.
    pub(crate) active: Mutex<Instant>,
    /// Time of the last search for other matches.
    pub(crate) looked: Mutex<Instant>,
    pub(crate) left: Mutex<Option<Left>>,
}

/// A pair that this worker is playing.
#[derive(Debug)]
pub(crate) struct Held {
    message: Message,
    pair: usize,
    began: Instant,
}

impl FleetQueue<'_> {
    /// Returns why this worker must leave the match, if it must.
    ///
    /// # Errors
    /// The server does not answer, or the announcement is invalid, which the coordinator replaces.
    fn ending(&self) -> Result<Option<Left>, String> {
        let found = self.link.wait(streams::announcement(self.link, self.id))?;
        let found = found.filter(|found| found.state == MatchState::Open);
        let Some(found) = found else {
            return Ok(Some(Left::Ended));
        };
        let is_out = found.sets_aside(&self.presence.name(), &self.presence.machine());
        Ok(is_out.then_some(Left::SetAside))
    }

    /// Returns `true` if the last measurement is too old. At least one pair is played after each.
    fn is_to_measure(&self) -> bool {
        let has_played = self.last_lease.load(Ordering::Relaxed) > 0;
        has_played && self.until.is_some_and(|until| until <= Instant::now())
    }

    fn leave(&self, why: Left) -> Option<Lease> {
        self.left.lock().get_or_insert(why);
        None
    }

    /// Returns `true` if no pair is in play and it is time to end or to change to another match.
    fn is_idle(&self) -> bool {
        let is_waiting = || self.active.lock().elapsed() > OTHERS_AFTER;
        let has_none = self.leases.lock().is_empty();
        self.is_inactive() || (has_none && is_waiting() && self.has_others())
    }

    /// Returns `true` if no pair is in play and it is time to end.
    fn is_inactive(&self) -> bool {
        let waited = self.active.lock().elapsed();
        let has_none = self.leases.lock().is_empty();
        has_none && self.idle.is_some_and(|idle| waited >= idle)
    }

    /// Reports why the server cannot be used, once for each reason.
    fn note_problem(&self, why: &str) {
        if let Some(problem) = self.link.new_problem(why) {
            (self.note)(problem);
        }
    }

    /// Returns `true` if another match is open. Asks the server at intervals only.
    fn has_others(&self) -> bool {
        {
            let mut looked = self.looked.lock();
            if looked.elapsed() < OTHERS_AFTER {
                return false;
            }
            *looked = Instant::now();
        }
        let others = self.link.wait(streams::open_matches(self.link));
        others.iter().any(|found| found.id != self.id)
    }

    fn fetch(&self) -> Option<Message> {
        let fetched = self.link.wait(async {
            let request = self
                .consumer
                .batch()
                .max_messages(1)
                .expires(PULL)
                .messages();
            request.await.ok()?.next().await?.ok()
        });
        if fetched.is_none() && !self.link.is_connected() {
            std::thread::sleep(PAUSE);
        }
        fetched
    }

    fn accept(&self, message: Message) -> Option<Lease> {
        let order = match wire::parse::<PairOrder>(&message.payload) {
            Ok(order) => order,
            Err(why) => {
                self.drop_message(&message, &why);
                return None;
            }
        };
        let is_verified = order.not.contains(&self.presence.name());
        let id = self.last_lease.fetch_add(1, Ordering::Relaxed) + 1;
        let held = Held {
            message,
            pair: order.pair,
            began: Instant::now(),
        };
        self.leases.lock().insert(id, held);
        let lease = Lease { id, order };
        if is_verified {
            // The coordinator offers it again.
            self.hand_back(lease);
            std::thread::sleep(PAUSE);
            return None;
        }
        self.tell();
        Some(lease)
    }

    fn drop_message(&self, message: &Message, why: &str) {
        (self.note)(format!("rejected a message: {why}"));
        let _ = self.link.wait(message.ack_with(AckKind::Term));
    }

    /// Reports the pairs in play.
    fn tell(&self) {
        let leases = self.leases.lock();
        let playing = |held: &Held| Playing {
            pair: held.pair,
            seconds: held.began.elapsed().as_secs_f64(),
        };
        let playing = leases.values().map(playing).collect();
        drop(leases);
        self.presence.update(|state| state.playing = playing);
        self.presence.tell();
    }

    /// Stores a result, and retries while the server is unreachable. Returns `false` if it could not be stored because
    /// the match is over, or the worker must stop at once.
    fn store(&self, order: &PairOrder, lease: u64, result: &PairResult) -> bool {
        let bytes = result_bytes(order, result, &self.presence.name());
        let max = self
            .link
            .client
            .max_payload()
            .saturating_sub(HEADERS)
            .max(HEADERS);
        let parts: Vec<&[u8]> = bytes.chunks(max).collect();
        let key = format!(
            "{}/{}/{}/{}.{lease}",
            self.id,
            order.pair,
            order.attempt,
            self.presence.name()
        );
        (1..)
            .zip(&parts)
            .all(|(number, part)| self.store_part(&key, number, parts.len(), part))
    }

    fn store_part(&self, key: &str, number: usize, of: usize, part: &[u8]) -> bool {
        loop {
            let mut headers = HeaderMap::new();
            headers.insert("Nats-Msg-Id", format!("{key}/{number}").as_str());
            if of > 1 {
                headers.insert(PART, format!("{number}/{of}").as_str());
                headers.insert(RESULT, key);
            }
            let message = PublishMessage::build()
                .payload(part.to_vec().into())
                .headers(headers);
            let stored = self.link.wait(async {
                let sent = self
                    .link
                    .jetstream
                    .send_publish(names::results(self.id), message);
                sent.await?.await
            });
            let Err(why) = stored else {
                return true;
            };
            self.note_problem(&why.to_string());
            let is_connected = self.link.is_connected();
            let is_over = is_connected && self.ending() == Ok(Some(Left::Ended));
            // Another worker plays the pair again.
            let is_given_up = self.stop.is_now() || (self.stop.is_asked() && !is_connected);
            if is_given_up || is_over {
                return false;
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// Stores a result and removes its pair from the queue. If one of them fails, another worker plays the pair again,
    /// and the ledger counts it once.
    fn settle(&self, lease: &Lease, result: &PairResult) {
        let is_stored = self.store(&lease.order, lease.id, result);
        if let Some(held) = self.leases.lock().remove(&lease.id)
            && is_stored
        {
            // If this is lost, another worker plays the pair again.
            let _ = self.link.wait(held.message.ack());
        }
        if is_stored && matches!(result, PairResult::Played(_)) {
            self.presence.update(|state| state.pairs += 1);
        }
        *self.active.lock() = Instant::now();
        self.tell();
    }
}

/// A result as JSON. One that no message can hold is replaced by the reason.
fn result_bytes(order: &PairOrder, result: &PairResult, worker: &str) -> Vec<u8> {
    let bytes = wire::format(result);
    match bytes.len() {
        ..=MAX_RESULT => bytes,
        n_bytes => wire::format(&PairResult::HandedBack {
            pair: order.pair,
            attempt: order.attempt,
            why: Some(format!(
                "a result of {n_bytes} bytes: expected at most {MAX_RESULT}"
            )),
            worker: worker.to_owned(),
        }),
    }
}

impl Queue for FleetQueue<'_> {
    fn lease(&self) -> Option<Lease> {
        loop {
            if self.stop.is_asked() {
                return None;
            }
            if self.left.lock().is_some() {
                return None;
            }
            if self.is_to_measure() {
                return self.leave(Left::Measure);
            }
            match self.ending() {
                Ok(None) => {}
                Ok(Some(left)) => return self.leave(left),
                Err(why) => {
                    self.note_problem(&why);
                    if self.is_inactive() {
                        return self.leave(Left::Idle);
                    }
                    std::thread::sleep(PAUSE);
                    continue;
                }
            }
            let lease = self.fetch().and_then(|message| self.accept(message));
            if lease.is_some() {
                *self.active.lock() = Instant::now();
                return lease;
            }
            if self.is_idle() {
                return self.leave(Left::Idle);
            }
        }
    }

    fn keep(&self, lease: u64) {
        let acker = self
            .leases
            .lock()
            .get(&lease)
            .map(|held| held.message.clone());
        if let Some(message) = acker {
            let _ = self.link.wait(message.ack_with(AckKind::Progress));
        }
    }

    fn finish(&self, lease: Lease, mut played: PlayedPair) {
        let machine = Machine {
            name: self.presence.machine(),
            worker: self.presence.name(),
            cpu: platform::cpu(),
            scale: self.scale,
            load: platform::load(),
        };
        for game in &mut played.games {
            game.machine = Some(machine.clone());
        }
        self.settle(&lease, &PairResult::Played(played));
    }

    fn hand_back(&self, lease: Lease) {
        let back = PairResult::HandedBack {
            pair: lease.order.pair,
            attempt: lease.order.attempt,
            why: None,
            worker: String::new(),
        };
        self.settle(&lease, &back);
    }

    fn reject(&self, lease: Lease, why: &str) {
        if let Some(held) = self.leases.lock().remove(&lease.id) {
            self.drop_message(&held.message, &format!("pair {}: {why}", lease.order.pair));
        }
        self.tell();
    }
}

#[cfg(test)]
mod tests {
    use record::opening::Opening;
    use referee::queue::EngineNote;

    use super::*;

    #[test]
    fn a_result_that_is_too_large_is_replaced_by_the_reason() {
        let order = PairOrder {
            pair: 7,
            attempt: 2,
            srand: 0,
            opening: Opening::default(),
            games: Vec::new(),
            not: Vec::new(),
        };
        let note = |n_bytes: usize| EngineNote {
            engine: "A".to_owned(),
            text: "x".repeat(n_bytes),
        };
        let played = |n_bytes| {
            PairResult::Played(PlayedPair {
                pair: 7,
                attempt: 2,
                games: Vec::new(),
                notes: vec![note(n_bytes)],
            })
        };
        let small = played(MAX_RESULT - 1000);
        assert_eq!(result_bytes(&order, &small, "w"), wire::format(&small));
        let replaced = result_bytes(&order, &played(MAX_RESULT), "w");
        let told: PairResult = wire::parse(&replaced).expect("a message");
        let PairResult::HandedBack {
            pair,
            attempt,
            why,
            worker,
        } = told
        else {
            panic!("{told:?}");
        };
        assert_eq!((pair, attempt, worker.as_str()), (7, 2, "w"));
        assert!(why.is_some_and(|why| why.ends_with("expected at most 16777216")));
    }

    /// A coordinator of an earlier version reads what a worker hands back, and the other way round.
    #[test]
    fn a_pair_that_is_handed_back_has_the_old_form() {
        let back = PairResult::HandedBack {
            pair: 1,
            attempt: 2,
            why: None,
            worker: String::new(),
        };
        let old = br#"{"handed-back":{"pair":1,"attempt":2}}"#;
        assert_eq!(wire::format(&back), old);
        assert_eq!(wire::parse(old), Ok(back));
    }
}
