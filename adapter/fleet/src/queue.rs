//! The worker's end of the queue.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use crossbeam_channel::{Receiver, Sender, unbounded};
use futures_util::StreamExt;
use parking_lot::Mutex;
use record::game::Machine;
use referee::queue::{Lease, PairOrder, PairReport, PlayedPair, Queue, is_same_worker};
use referee::stop::Stop;
use tokio::time::timeout;

use crate::choice::{Avoided, choose};
use crate::inbox::{KEY, PART, RESULT, SIGNATURE};
use crate::link::Link;
use crate::overload::LoadWatch;
use crate::presence::Presence;
use crate::signing::WorkerKey;
use crate::wire::{self, Announcement, MAX_RESULT, MatchState, Playing};
use crate::{names, platform, streams};

/// Time that a request for a pair waits at the server, and so the longest delay before a worker that shall stop notices
/// it.
const PULL: Duration = Duration::from_secs(1);

/// Pause before a failed operation is repeated.
const PAUSE: Duration = Duration::from_millis(200);

/// Time without a pair after which the worker looks for other matches.
const OTHERS_AFTER: Duration = Duration::from_secs(3);

/// Time for which a worker plays one of several matches with the same priority.
const TURN: Duration = Duration::from_secs(30);

/// Minimum time between two questions whether the match continues.
const ASK_EVERY: Duration = Duration::from_millis(200);

/// Time for which the pairs of one request last, and minimum time between two messages with results. So short pairs
/// travel together, and long ones alone.
const BATCH_TIME: Duration = Duration::from_millis(100);

/// Maximum number of pairs in one request, and of results in one message.
const MAX_BATCH: usize = 64;

/// Size of results in one message, in bytes, beyond which no further one is added.
const BATCH_BYTES: usize = 1 << 18;

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
    /// It is the turn of another match.
    Turn,
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
    pub(crate) key: &'a WorkerKey,
    pub(crate) leases: Mutex<BTreeMap<u64, Held>>,
    pub(crate) last_lease: AtomicU64,
    /// Pairs from the server that no game has taken yet.
    pub(crate) fetched: Mutex<Fetched>,
    /// Results that wait to be sent.
    pub(crate) outbox: Outbox,
    /// Time of the last question whether the match continues.
    pub(crate) asked: Mutex<Option<Instant>>,
    /// Time at which a pair was last received or ended.
    pub(crate) active: Mutex<Instant>,
    /// Time of the last search for other matches.
    pub(crate) looked: Mutex<Instant>,
    pub(crate) left: Mutex<Option<Left>>,
    /// `false` for a match that this worker refuses.
    pub(crate) is_playable: &'a (dyn Fn(&Announcement) -> bool + Sync),
    pub(crate) avoided: &'a Avoided,
    pub(crate) load: &'a LoadWatch,
    /// Set while this worker plays nothing because of other programs.
    pub(crate) gives_way: AtomicBool,
    /// Id of the match whose turn it is, after [`Left::Turn`].
    pub(crate) next: Mutex<Option<String>>,
    /// Time of the last comparison with other matches.
    pub(crate) compared: Mutex<Instant>,
    /// Time at which the turn of this match began.
    pub(crate) turn: Mutex<Instant>,
}

/// A pair that this worker is playing.
#[derive(Debug)]
pub(crate) struct Held {
    message: Message,
    pair: usize,
    began: Instant,
}

/// Pairs from the server that no game has taken yet.
#[derive(Debug)]
pub(crate) struct Fetched {
    messages: VecDeque<Message>,
    /// Number of pairs of the last request.
    n_last: usize,
    at: Instant,
}

impl Default for Fetched {
    fn default() -> Fetched {
        Fetched {
            messages: VecDeque::new(),
            n_last: 0,
            at: Instant::now(),
        }
    }
}

impl Fetched {
    /// Number of pairs that last for [`BATCH_TIME`], as those of the last request did. It grows by doubling.
    fn n_wanted(&self) -> usize {
        let pace = self.n_last as f64 / self.at.elapsed().as_secs_f64().max(1e-6);
        let n_wanted = (pace * BATCH_TIME.as_secs_f64()) as usize;
        n_wanted.clamp(1, (2 * self.n_last).clamp(1, MAX_BATCH))
    }
}

/// Results that wait to be sent, with the leases and orders of their pairs.
#[derive(Debug)]
pub(crate) struct Outbox {
    sender: Sender<(u64, PairOrder, PairReport)>,
    receiver: Receiver<(u64, PairOrder, PairReport)>,
}

impl Default for Outbox {
    fn default() -> Outbox {
        let (sender, receiver) = unbounded();
        Outbox { sender, receiver }
    }
}

impl FleetQueue<'_> {
    /// Returns why this worker must leave the match, if it must. The answer may be older than [`ASK_EVERY`].
    ///
    /// # Errors
    /// The server does not answer, or the announcement is invalid, which the coordinator replaces.
    fn recent_ending(&self) -> Result<Option<Left>, String> {
        let mut asked = self.asked.lock();
        if asked.is_some_and(|at| at.elapsed() < ASK_EVERY) {
            return Ok(None);
        }
        let ending = self.ending()?;
        *asked = Some(Instant::now());
        Ok(ending)
    }

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

    /// `true` while other programs keep the machine busy and the match has clocks.
    fn must_give_way(&self) -> bool {
        let is_busy = self.until.is_some() && self.load.is_overloaded();
        if self.gives_way.swap(is_busy, Ordering::Relaxed) != is_busy && is_busy {
            (self.note)(
                "plays no games against the clock while the machine is overloaded".to_owned(),
            );
        }
        is_busy
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
        if !is_due(&self.looked) {
            return false;
        }
        let others = self.link.wait(streams::open_matches(self.link));
        others.iter().any(|found| found.id != self.id)
    }

    /// `true` if it is the turn of another match: one with a higher priority, or after [`TURN`] one of the same
    /// priority, by their shares. Asks the server at intervals only.
    fn is_turn_of_another(&self) -> bool {
        if !is_due(&self.compared) {
            return false;
        }
        let open = self.link.wait(streams::open_matches(self.link));
        let Some(own) = open.iter().find(|found| found.id == self.id) else {
            return false;
        };
        let mut turn = self.turn.lock();
        let is_over = turn.elapsed() >= TURN;
        let rivals = open.iter().filter(|found| {
            let is_first = found.priority > own.priority;
            let is_equal = is_over && found.priority == own.priority;
            found.id == self.id || ((is_first || is_equal) && (self.is_playable)(found))
        });
        let rivals: Vec<&Announcement> = rivals.collect();
        let chosen = choose(&rivals, self.avoided).map(|found| found.id.clone());
        if is_over {
            *turn = Instant::now();
        }
        let chosen = chosen.filter(|id| id != self.id);
        let is_other = chosen.is_some();
        *self.next.lock() = chosen;
        is_other
    }

    /// Returns the next pair, and requests several at once if they are short. Other threads wait meanwhile.
    fn fetch(&self) -> Option<Message> {
        let mut fetched = self.fetched.lock();
        if let Some(message) = fetched.messages.pop_front() {
            return Some(message);
        }
        let n_wanted = fetched.n_wanted();
        let mut found = VecDeque::new();
        if n_wanted > 1 {
            found = self.request(n_wanted);
        }
        if found.is_empty() {
            found.extend(self.wait_for_one());
        }
        if found.is_empty() && !self.link.is_connected() {
            std::thread::sleep(PAUSE);
        }
        *fetched = Fetched {
            n_last: found.len(),
            messages: found,
            at: Instant::now(),
        };
        fetched.messages.pop_front()
    }

    /// Requests pairs, at most as many as the server has.
    fn request(&self, n_wanted: usize) -> VecDeque<Message> {
        let mut found = VecDeque::new();
        let requested = async {
            let request = self.consumer.fetch().max_messages(n_wanted);
            let mut messages = request.messages().await.ok()?;
            while let Some(Ok(message)) = messages.next().await {
                found.push_back(message);
            }
            Some(())
        };
        // A server that was restarted does not answer.
        let _ = self.link.wait(async { timeout(PULL, requested).await });
        found
    }

    /// Waits for a pair.
    fn wait_for_one(&self) -> Option<Message> {
        let requested = async {
            let request = self.consumer.batch().max_messages(1).expires(PULL);
            request.messages().await.ok()?.next().await?.ok()
        };
        // A server without the queue does not answer. Twice the time of the request lets a late answer arrive.
        self.link
            .wait(async { timeout(2 * PULL, requested).await.ok()? })
    }

    /// Hands the pairs back that no game has taken.
    pub(crate) fn hand_back_fetched(&self) {
        let messages = std::mem::take(&mut self.fetched.lock().messages);
        for message in messages {
            if let Some(lease) = self.accept(message) {
                self.hand_back(lease);
            }
        }
    }

    fn accept(&self, message: Message) -> Option<Lease> {
        let order = match wire::parse::<PairOrder>(&message.payload) {
            Ok(order) => order,
            Err(why) => {
                self.drop_message(&message, &why);
                return None;
            }
        };
        let name = self.presence.name();
        let is_verified = order.not.iter().any(|other| is_same_worker(other, &name));
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

    /// Extends the time after which the server offers these pairs to another worker.
    fn renew(&self, messages: impl IntoIterator<Item = Message>) {
        for message in messages {
            let _ = self.link.wait(message.ack_with(AckKind::Progress));
        }
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

    /// Stores results under a key, and retries while the server is unreachable. Returns `false` if they could not be
    /// stored because the match is over, or the worker must stop at once.
    fn store(&self, key: &str, results: &[u8]) -> bool {
        let max = self
            .link
            .client
            .max_payload()
            .saturating_sub(HEADERS)
            .max(HEADERS);
        let parts: Vec<&[u8]> = results.chunks(max).collect();
        let signature = self.key.sign(self.id, results);
        let mut headers = HeaderMap::new();
        headers.insert(KEY, self.key.public().as_str());
        headers.insert(SIGNATURE, signature.as_str());
        (1..)
            .zip(&parts)
            .all(|(number, part)| self.store_part(key, &headers, number, parts.len(), part))
    }

    fn store_part(
        &self,
        key: &str,
        headers: &HeaderMap,
        number: usize,
        of: usize,
        part: &[u8],
    ) -> bool {
        loop {
            let mut headers = headers.clone();
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
            let held: Vec<Message> = self
                .leases
                .lock()
                .values()
                .map(|held| held.message.clone())
                .collect();
            self.renew(held);
            std::thread::sleep(PAUSE);
        }
    }

    /// Sends results until the outbox is closed: at once, or together with others if the last message was sent less
    /// than [`BATCH_TIME`] ago.
    pub(crate) fn send_results(&self, closed: &Receiver<()>) {
        let mut sent_at: Option<Instant> = None;
        loop {
            let Some(first) = self.next_result(closed) else {
                return;
            };
            let mut batch = Batch::default();
            batch.add(first, &self.presence.name());
            let wait_until = sent_at.map_or_else(Instant::now, |at| at + BATCH_TIME);
            while batch.has_room()
                && let Ok(next) = self.outbox.receiver.recv_deadline(wait_until)
            {
                batch.add(next, &self.presence.name());
            }
            self.send(batch);
            sent_at = Some(Instant::now());
        }
    }

    /// The next result; `None` if the outbox is closed and empty.
    fn next_result(&self, closed: &Receiver<()>) -> Option<(u64, PairOrder, PairReport)> {
        crossbeam_channel::select! {
            recv(self.outbox.receiver) -> next => next.ok(),
            recv(closed) -> _ => self.outbox.receiver.try_recv().ok(),
        }
    }

    /// Stores results and removes their pairs from the queue. If one of them fails, another worker plays the pair again,
    /// and the ledger counts it once.
    fn send(&self, batch: Batch) {
        let key = format!("{}/{}", self.id, batch.key);
        let is_stored = self.store(&key, &batch.bytes());
        for (lease, is_played) in batch.leases {
            if let Some(held) = self.leases.lock().remove(&lease)
                && is_stored
            {
                // If this is lost, another worker plays the pair again.
                let _ = self.link.wait(held.message.ack());
            }
            if is_stored && is_played {
                self.presence.update(|state| state.pairs += 1);
            }
        }
        self.tell();
    }

    /// Puts a result into the outbox.
    fn settle(&self, lease: Lease, result: PairReport) {
        *self.active.lock() = Instant::now();
        let sent = self.outbox.sender.send((lease.id, lease.order, result));
        debug_assert!(sent.is_ok(), "the receiver is kept beside the sender");
    }
}

/// `true` once in [`OTHERS_AFTER`].
fn is_due(last: &Mutex<Instant>) -> bool {
    let mut last = last.lock();
    let is_due = last.elapsed() >= OTHERS_AFTER;
    if is_due {
        *last = Instant::now();
    }
    is_due
}

/// Results for one message.
#[derive(Debug, Default)]
struct Batch {
    /// Each result as JSON.
    results: Vec<Vec<u8>>,
    n_bytes: usize,
    /// Identifies the message: the pair, attempt, worker and lease of the first result.
    key: String,
    /// The leases of the results; `true` for pairs that were played.
    leases: Vec<(u64, bool)>,
}

impl Batch {
    fn add(&mut self, (lease, order, result): (u64, PairOrder, PairReport), worker: &str) {
        let bytes = result_bytes(&order, &result, worker);
        if self.results.is_empty() {
            self.key = format!("{}/{}/{worker}.{lease}", order.pair, order.attempt);
        }
        self.n_bytes += bytes.len();
        self.results.push(bytes);
        self.leases
            .push((lease, matches!(result, PairReport::Played(_))));
    }

    fn has_room(&self) -> bool {
        self.results.len() < MAX_BATCH && self.n_bytes < BATCH_BYTES
    }

    /// The results as a list in JSON.
    fn bytes(&self) -> Vec<u8> {
        [b"[", &*self.results.join(&b","[..]), b"]"].concat()
    }
}

/// A result as JSON. One that no message can hold is replaced by the reason.
fn result_bytes(order: &PairOrder, result: &PairReport, worker: &str) -> Vec<u8> {
    /// Size of the brackets of a list, and of a batch without this result.
    const REST: usize = 2 + BATCH_BYTES;
    let bytes = wire::format(result);
    match bytes.len() + REST {
        ..=MAX_RESULT => bytes,
        n_bytes => wire::format(&PairReport::HandedBack {
            pair: order.pair,
            attempt: order.attempt,
            why: Some(format!(
                "a result of {} bytes: expected at most {}",
                n_bytes - REST,
                MAX_RESULT - REST
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
            if self.last_lease.load(Ordering::Relaxed) > 0 && self.is_turn_of_another() {
                return self.leave(Left::Turn);
            }
            match self.recent_ending() {
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
            if self.must_give_way() {
                self.hand_back_fetched();
                if self.is_inactive() {
                    return self.leave(Left::Idle);
                }
                std::thread::sleep(PAUSE);
                continue;
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
        let Some(message) = acker else {
            return;
        };
        // Those that wait here are renewed with each that is played.
        let waiting = self
            .fetched
            .try_lock()
            .map(|fetched| fetched.messages.clone());
        self.renew(waiting.into_iter().flatten().chain([message]));
    }

    fn finish(&self, lease: Lease, mut played: PlayedPair) {
        let began = self.leases.lock().get(&lease.id).map(|held| held.began);
        let is_timed = self.until.is_some();
        if is_timed && began.is_some_and(|began| self.load.was_overloaded_since(began)) {
            (self.note)(format!(
                "pair {} is discarded: the machine was overloaded",
                played.pair
            ));
            return self.hand_back(lease);
        }
        let machine = Machine {
            name: self.presence.machine(),
            worker: self.presence.name(),
            cpu: self.presence.cpu(),
            scale: self.scale,
            load: platform::load(),
        };
        for game in &mut played.games {
            game.machine = Some(machine.clone());
        }
        self.settle(lease, PairReport::Played(played));
    }

    fn hand_back(&self, lease: Lease) {
        let PairOrder { pair, attempt, .. } = lease.order;
        self.settle(lease, PairReport::without_result(pair, attempt));
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
    use record::game::GameRecord;
    use record::opening::Opening;

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
            values: Vec::new(),
        };
        let game = |n_bytes: usize| GameRecord {
            reason: "x".repeat(n_bytes),
            ..GameRecord::default()
        };
        let played = |n_bytes| {
            PairReport::Played(PlayedPair {
                pair: 7,
                attempt: 2,
                games: vec![game(n_bytes)],
            })
        };
        let small = played(MAX_RESULT - BATCH_BYTES - 1000);
        assert_eq!(result_bytes(&order, &small, "w"), wire::format(&small));
        let replaced = result_bytes(&order, &played(MAX_RESULT), "w");
        let told: PairReport = wire::parse(&replaced).expect("a message");
        let PairReport::HandedBack {
            pair,
            attempt,
            why,
            worker,
        } = told
        else {
            panic!("{told:?}");
        };
        assert_eq!((pair, attempt, worker.as_str()), (7, 2, "w"));
        assert!(why.is_some_and(|why| why.ends_with("expected at most 16515070")));
    }

    #[test]
    fn short_pairs_are_requested_together() {
        let fetched = |n_last: usize, millis: u64| Fetched {
            n_last,
            at: Instant::now()
                .checked_sub(Duration::from_millis(millis))
                .expect("the system runs for longer"),
            ..Fetched::default()
        };
        assert_eq!(Fetched::default().n_wanted(), 1);
        assert_eq!(fetched(1, 1).n_wanted(), 2);
        assert_eq!(fetched(16, 160).n_wanted(), 9);
        assert_eq!(fetched(64, 1).n_wanted(), MAX_BATCH);
        assert_eq!(fetched(8, 60_000).n_wanted(), 1);
    }
}
