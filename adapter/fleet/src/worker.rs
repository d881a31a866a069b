//! A worker, which plays pairs of any open match.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use linesman::usage::Failure;
use parking_lot::Mutex;
use record::engine_spec::EngineSpec;
use record::event::Event;
use record::game::{GameRecord, Machine};
use referee::host::Host;
use referee::match_error::MatchError;
use referee::tournament::{PairOrder, PairPlayer, Tournament};
use tokio::time::timeout;

use crate::bench::Benches;
use crate::join::{Joined, join};
use crate::link::{Link, text};
use crate::reports::Reporter;
use crate::streams::{self, WORKERS};
use crate::wire::{self, Announcement, MAX_RESULT, MatchState, Outcome, PairResult};
use crate::{platform, store};

/// Interval at which a worker without a match looks for one.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Time that a request for a pair waits at the server, and so the longest delay before a worker that shall stop notices
/// it.
const PULL: Duration = Duration::from_secs(1);

/// Pause before a failed operation is repeated, or a waiting worker checks again for a stop request.
const PAUSE: Duration = Duration::from_millis(100);

/// Time without a pair after which the worker looks for other matches.
const OTHERS_AFTER: Duration = Duration::from_secs(3);

/// Minimum time between two questions whether the match continues.
const ASK_EVERY: Duration = Duration::from_millis(200);

/// Settings of a worker.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkerSettings {
    /// Maximum number of simultaneous games; limited by the cores by default.
    pub(crate) concurrency: Option<usize>,
    /// Time without anything to play after which the worker ends; unlimited by default.
    pub(crate) idle: Option<Duration>,
    /// Runs programs that coordinators send, and sets string options from the network.
    pub(crate) accepts_engines: bool,
    /// Engines of this machine, with their names in the engines file.
    pub(crate) engines: Vec<EngineSpec>,
    /// Path of the engines file, for messages.
    pub(crate) engines_file: String,
    /// Cache folder for programs from coordinators.
    pub(crate) cache: PathBuf,
}

/// Event of a worker.
#[derive(Debug, Clone)]
pub(crate) enum WorkerNews {
    /// Message for the user.
    Line(String),
    /// Event of a game.
    Game(Box<Event>),
}

/// Plays until the host requests a stop, or there was nothing to play for the time of `settings.idle`.
///
/// # Errors
/// There was nothing to play because all open matches were refused, or the server or this system fails.
pub(crate) fn run(
    link: &Link,
    settings: &WorkerSettings,
    host: &Host,
    tell: &(dyn Fn(WorkerNews) + Sync),
) -> Result<(), Failure> {
    let mut worker = Worker {
        link,
        settings,
        host,
        tell,
        reporter: Reporter::begin(link),
        benches: Benches::default(),
        refused: BTreeMap::new(),
        last: String::new(),
        active: Mutex::new(Instant::now()),
    };
    let ended = worker.run();
    worker.reporter.update(|state| {
        // The last report still names the match that was refused.
        if state.refused.is_none() {
            state.match_id.clear();
        }
        state.playing.clear();
    });
    worker.reporter.send_now();
    ended
}

struct Worker<'a> {
    link: &'a Link,
    settings: &'a WorkerSettings,
    host: &'a Host,
    tell: &'a (dyn Fn(WorkerNews) + Sync),
    reporter: Reporter,
    benches: Benches,
    /// Refused matches by their ids, with the reasons. One that is announced otherwise is tried again.
    refused: BTreeMap<String, (Announcement, String)>,
    /// Id of the last match that it left. Others are tried first.
    last: String,
    /// Time at which a pair was last received or ended.
    active: Mutex<Instant>,
}

impl Worker<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        while !self.host.stop.is_asked() {
            let mut open = self.link.wait(streams::announcements(self.link));
            open.retain(|found| found.state == MatchState::Open);
            self.refused
                .retain(|_, (refused, _)| open.contains(refused));
            open.retain(|found| !self.refused.contains_key(&found.plan.id));
            fastrand::shuffle(&mut open);
            open.sort_by_key(|found| found.plan.id == self.last);
            match open.first() {
                Some(found) => self.join(found)?,
                None => self.wait(),
            }
            self.tell_problem("");
            if self.is_idle() {
                let why = self.refused.values().next();
                return why.map_or(Ok(()), |(_, why)| Err(Failure::Trouble(why.clone())));
            }
        }
        Ok(())
    }

    /// Waits for the next search, or the end.
    fn wait(&self) {
        let began = Instant::now();
        while began.elapsed() < LOOK_EVERY && !self.host.stop.is_asked() && !self.is_idle() {
            std::thread::sleep(PAUSE);
        }
    }

    fn is_idle(&self) -> bool {
        let waited = self.active.lock().elapsed();
        self.settings.idle.is_some_and(|idle| waited >= idle)
    }

    fn tell(&self, line: String) {
        (self.tell)(WorkerNews::Line(line));
    }

    /// Reports why the server cannot be used, once for each reason.
    fn tell_problem(&self, why: &str) {
        if let Some(problem) = self.link.new_problem(why) {
            self.tell(format!("Note: {problem}"));
        }
    }

    /// Joins a match and plays it while it has pairs.
    fn join(&mut self, found: &Announcement) -> Result<(), Failure> {
        let (id, link, stop, tell) = (&found.plan.id, self.link, &self.host.stop, self.tell);
        let fetch = |hash: &str, n_bytes: u64| {
            let kib = n_bytes.div_ceil(1024);
            let line = format!("Engine {hash:.12} from the coordinator, {kib} KiB");
            tell(WorkerNews::Line(line));
            store::get(link, id, hash, n_bytes, stop)
        };
        let joined = join(found, &mut self.benches, self.settings, self.host, &fetch);
        let Joined { plan, host, scale } = match joined {
            Ok(joined) => joined,
            Err(why) => {
                self.refuse(found, &why);
                return Ok(());
            }
        };
        let concurrency = plan.concurrency;
        let tournament = match Tournament::prepare(plan, &host) {
            Ok(tournament) => tournament,
            Err(MatchError::Stopped) => return Ok(()),
            Err(error) => {
                self.refuse(found, &error.to_string());
                return Ok(());
            }
        };
        let consumer = link.wait(async {
            let stream = link.stream(&streams::work_stream(id)).await.ok()?;
            stream.get_consumer(WORKERS).await.ok()
        });
        let Some(consumer) = consumer else {
            // The match has ended in the meantime, or the server is unreachable.
            std::thread::sleep(PAUSE);
            return Ok(());
        };
        let (host, game) = (&found.host, &found.plan.game);
        let n_games = if concurrency == 1 { "game" } else { "games" };
        let line = format!("Match {id} of {host}: {game}, {concurrency} {n_games} at once");
        match scale {
            1.0 => self.tell(line),
            scale => self.tell(format!("{line}, times multiplied by {scale:.2}")),
        }
        self.reporter.update(|state| {
            state.match_id.clone_from(id);
            (state.concurrency, state.scale) = (concurrency, scale);
            (state.pairs, state.refused) = (0, None);
        });
        let sitting = Sitting {
            worker: self,
            found,
            consumer,
            scale,
            held: Arc::default(),
            asked: Mutex::new(Instant::now()),
            is_left: AtomicBool::new(false),
        };
        let every = Duration::from_millis(found.settings.lost_after_ms.clamp(300, 3_600_000)) / 3;
        let keeper = link.spawn(keep(Arc::clone(&sitting.held), every));
        let tell_game = |event| tell(WorkerNews::Game(Box::new(event)));
        let served = tournament.serve(&tell_game, &|player| sitting.work(player));
        keeper.abort();
        self.last.clone_from(id);
        self.tell(format!("Match {id}: no more games to play"));
        self.reporter.update(|state| state.match_id.clear());
        served.map_err(|error| Failure::Trouble(text(error)))
    }

    fn refuse(&mut self, found: &Announcement, why: &str) {
        if self.host.stop.is_asked() {
            return;
        }
        let id = &found.plan.id;
        self.reporter.update(|state| {
            state.match_id.clone_from(id);
            state.concurrency = 0;
            state.refused = Some(why.to_owned());
        });
        self.reporter.send_now();
        self.tell(format!("Match {id} rejected: {why}"));
        let why = format!("match {id}: {why}");
        self.refused.insert(id.clone(), (found.clone(), why));
    }
}

/// The pairs that a worker is playing, by their numbers.
type Held = Mutex<BTreeMap<usize, Message>>;

/// Extends the leases of pairs in play, so that the server offers them to no other worker.
async fn keep(held: Arc<Held>, every: Duration) {
    loop {
        tokio::time::sleep(every).await;
        let messages: Vec<Message> = held.lock().values().cloned().collect();
        for message in messages {
            let _ = message.ack_with(AckKind::Progress).await;
        }
    }
}

/// One match of a worker. Its methods are called by one thread for each game.
struct Sitting<'a> {
    worker: &'a Worker<'a>,
    found: &'a Announcement,
    consumer: PullConsumer,
    /// Factor of this machine for time limits.
    scale: f64,
    held: Arc<Held>,
    /// Time of the last question whether the match continues.
    asked: Mutex<Instant>,
    /// Set when the match is over or paused, or it is time to look for another one.
    is_left: AtomicBool,
}

impl Sitting<'_> {
    /// Plays pairs until there are no more.
    fn work(&self, player: &PairPlayer<'_>) {
        while self.goes_on() {
            let Some(message) = self.next_message() else {
                if self.is_idle() {
                    self.is_left.store(true, Ordering::Relaxed);
                }
                continue;
            };
            *self.worker.active.lock() = Instant::now();
            let order = wire::parse::<PairOrder>(&message.payload);
            match order.and_then(|order| player.check(&order).map(|()| order)) {
                Ok(order) => self.play(player, &message, &order),
                Err(why) => {
                    self.worker.tell(format!("Note: rejected a message: {why}"));
                    let _ = self.worker.link.wait(message.ack_with(AckKind::Term));
                }
            }
            *self.worker.active.lock() = Instant::now();
        }
    }

    fn play(&self, player: &PairPlayer<'_>, message: &Message, order: &PairOrder) {
        let pair = order.pair;
        let report = || {
            let playing = self.held.lock().keys().copied().collect();
            self.worker.reporter.update(|state| state.playing = playing);
        };
        self.held.lock().insert(pair, message.clone());
        report();
        if message.info().is_ok_and(|info| info.delivered > 1) {
            // This worker may be lost as well before its next report.
            self.worker.reporter.send_now();
        }
        let played = player.play(order);
        let is_played = played.is_some();
        if let Some(games) = played {
            self.finish(message, pair, games);
        }
        self.held.lock().remove(&pair);
        report();
        if !is_played {
            self.hand_back(message, pair);
        }
    }

    fn finish(&self, message: &Message, pair: usize, mut games: Vec<GameRecord>) {
        let state = self.worker.reporter.state();
        for game in &mut games {
            game.machine = Some(Machine {
                name: state.machine.clone(),
                worker: state.worker.clone(),
                scale: self.scale,
            });
        }
        if self.send(message, pair, Outcome::Played(games.clone())) {
            self.worker.reporter.update(|state| state.pairs += 1);
        }
        for record in games {
            let record = Box::new(record);
            (self.worker.tell)(WorkerNews::Game(Box::new(Event::GameOver { record })));
        }
    }

    /// Puts a pair into the queue again. If this fails, it is there after the time in which a lost worker is noticed.
    fn hand_back(&self, message: &Message, pair: usize) {
        // Another worker gets the pair only after the report that this one plays it no longer.
        self.worker.reporter.send_now();
        if let Some(reason) = self.worker.host.stop.failure() {
            let (machine, reason) = (platform::machine_id(), reason.to_owned());
            self.store(message, pair, Outcome::HandedBack { machine, reason });
        }
        let link = self.worker.link;
        let _ = link.wait(message.ack_with(AckKind::Nak(None)));
    }

    /// Stores the result of a pair, then removes the pair from the queue. If one of them fails, another worker plays the
    /// pair again, and the ledger counts it once.
    fn send(&self, message: &Message, pair: usize, outcome: Outcome) -> bool {
        let is_stored = self.store(message, pair, outcome);
        if is_stored {
            // If this is lost, another worker plays the pair again.
            let _ = self.worker.link.wait(message.ack());
        }
        is_stored
    }

    /// Sends what has become of a pair to the coordinator.
    fn store(&self, message: &Message, pair: usize, outcome: Outcome) -> bool {
        let worker = self.worker.reporter.state().worker;
        let bytes = result_bytes(pair, &worker, outcome);
        let (link, id) = (self.worker.link, &self.found.plan.id);
        let delivery = message
            .info()
            .map(|info| (info.stream_sequence, info.delivered));
        let message_id = format!("{pair}/{:?}", delivery.unwrap_or_default());
        loop {
            let stored = link.wait(async {
                let mut sent = bytes.clone();
                if bytes.len() > link.max_payload() {
                    let hash = store::put(link, id, &bytes).await?;
                    let stored = Outcome::Stored(hash, bytes.len() as u64);
                    sent = result_bytes(pair, &worker, stored);
                }
                let sent = PublishMessage::build()
                    .payload(sent.into())
                    .message_id(&message_id);
                let stored = link.store(streams::subject("result", id), sent).await;
                stored.map_err(text)
            });
            let Err(why) = stored else {
                return true;
            };
            self.worker.tell_problem(&why);
            let stop = &self.worker.host.stop;
            let is_connected = link.is_connected();
            // Another worker plays the pair again.
            if stop.is_now()
                || (stop.is_asked() && !is_connected)
                || (is_connected && self.is_open() == Ok(false))
            {
                return false;
            }
            std::thread::sleep(PAUSE);
        }
    }

    /// `false` if this worker must play no further pair. The answer may be older than [`ASK_EVERY`].
    fn goes_on(&self) -> bool {
        let is_ending = || self.is_left.load(Ordering::Relaxed) || self.worker.host.stop.is_asked();
        let mut asked = self.asked.lock();
        if !is_ending() && asked.elapsed() >= ASK_EVERY {
            match self.is_open() {
                Ok(is_open) => {
                    *asked = Instant::now();
                    self.is_left.fetch_or(!is_open, Ordering::Relaxed);
                }
                Err(why) => self.worker.tell_problem(&why),
            }
        }
        !is_ending()
    }

    /// `true` if the match is neither over nor paused.
    ///
    /// # Errors
    /// The server does not answer, or the announcement is invalid, which the coordinator replaces.
    fn is_open(&self) -> Result<bool, String> {
        let link = self.worker.link;
        let found = link.wait(streams::announcement(link, &self.found.plan.id))?;
        Ok(found.is_some_and(|found| found.state == MatchState::Open))
    }

    /// Waits for a pair.
    fn next_message(&self) -> Option<Message> {
        let link = self.worker.link;
        let request = async {
            let request = self.consumer.batch().max_messages(1).expires(PULL);
            request.messages().await.ok()?.next().await?.ok()
        };
        // A server without the queue does not answer. Twice the time of the request lets a late answer arrive.
        let message = link.wait(async { timeout(2 * PULL, request).await.ok()? });
        if message.is_none() && !link.is_connected() {
            std::thread::sleep(PAUSE);
        }
        message
    }

    /// Returns `true` if no pair is in play and it is time to end or to change to another match.
    fn is_idle(&self) -> bool {
        let worker = self.worker;
        let is_other = |found: &Announcement| {
            let id = &found.plan.id;
            found.state == MatchState::Open
                && *id != self.found.plan.id
                && !worker.refused.contains_key(id)
        };
        let has_others = || {
            let all = worker.link.wait(streams::announcements(worker.link));
            all.iter().any(is_other)
        };
        let waited = worker.active.lock().elapsed();
        self.held.lock().is_empty() && (worker.is_idle() || waited > OTHERS_AFTER && has_others())
    }
}

/// A result as JSON. One that the coordinator would not accept is replaced by the reason.
fn result_bytes(pair: usize, worker: &str, outcome: Outcome) -> Vec<u8> {
    let format = |outcome| {
        wire::format(&PairResult {
            pair,
            worker: worker.to_owned(),
            outcome,
        })
    };
    let bytes = format(outcome);
    match bytes.len() {
        ..=MAX_RESULT => bytes,
        n_bytes => format(Outcome::Failed(format!(
            "a result of {n_bytes} bytes: expected at most {MAX_RESULT}"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_result_that_is_too_large_is_replaced_by_the_reason() {
        let played = |n_bytes: usize| {
            Outcome::Played(vec![GameRecord {
                reason: "x".repeat(n_bytes),
                ..GameRecord::default()
            }])
        };
        let read = |bytes: &[u8]| serde_json::from_slice::<PairResult>(bytes).expect("a result");
        let small = read(&result_bytes(7, "w", played(MAX_RESULT - 1000)));
        assert_eq!(small.outcome, played(MAX_RESULT - 1000));
        let large = read(&result_bytes(7, "w", played(MAX_RESULT)));
        assert_eq!((large.pair, large.worker.as_str()), (7, "w"));
        let Outcome::Failed(why) = large.outcome else {
            panic!("{:?}", large.outcome);
        };
        assert!(why.ends_with("expected at most 16777216"), "{why}");
    }
}
