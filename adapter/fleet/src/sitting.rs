//! One match of a worker: it plays pairs while there are some, in one thread for each game.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use linesman::usage::Failure;
use parking_lot::Mutex;
use record::event::Event;
use record::game::{GameRecord, Machine};
use referee::live_game::Halt;
use referee::match_error::MatchError;
use referee::play::GameRunner;
use referee::tournament::Tournament;
use tokio::time::timeout;

use crate::bounds::fit;
use crate::dispatch::PairOrder;
use crate::link::text;
use crate::platform;
use crate::store;
use crate::streams::{self, WORKERS};
use crate::wire::{self, Announcement, MatchState, Outcome, PairResult};
use crate::worker::{PAUSE, Worker, say};

/// Time that a request for a pair waits at the server, and so the longest delay before a worker that shall stop notices
/// it.
const PULL: Duration = Duration::from_secs(1);

/// Time without a pair after which the worker looks for other matches.
const OTHERS_AFTER: Duration = Duration::from_secs(3);

/// Minimum time between two questions whether the match continues.
const ASK_EVERY: Duration = Duration::from_millis(200);

impl Worker<'_> {
    /// Joins a match and plays it while it has pairs.
    pub(crate) fn join(&mut self, found: &Announcement) -> Result<(), Failure> {
        let (id, link) = (&found.plan.id, self.link);
        let (plan, host, scale) = match self.accept(found) {
            Ok(accepted) => accepted,
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
            1.0 => say(&line),
            scale => say(&format!("{line}, times multiplied by {scale:.2}")),
        }
        self.reporter.update(|state| {
            state.match_id.clone_from(id);
            (state.concurrency, state.scale) = (concurrency, scale);
            (state.pairs, state.refused) = (0, None);
        });
        let state = self.reporter.state();
        let sitting = Sitting {
            worker: self,
            found,
            consumer,
            machine: Machine {
                name: state.machine,
                worker: state.worker,
                scale,
            },
            asked: Mutex::new(Instant::now()),
            is_left: AtomicBool::new(false),
        };
        let show = |event| sitting.worker.show(&event);
        let served = tournament.serve(&show, &|runner, place| sitting.work(runner, place));
        self.last.clone_from(id);
        say(&format!("Match {id}: no more games to play"));
        self.reporter.update(|state| state.match_id.clear());
        served.map_err(|error| Failure::Trouble(text(error)))
    }
}

/// Extends the lease of a pair, so that the server offers it to no other worker.
async fn keep(message: Message, every: Duration) {
    loop {
        tokio::time::sleep(every).await;
        let _ = message.ack_with(AckKind::Progress).await;
    }
}

/// One match of a worker. Its methods are called by one thread for each game.
struct Sitting<'a> {
    worker: &'a Worker<'a>,
    found: &'a Announcement,
    consumer: PullConsumer,
    /// This machine, for the records.
    machine: Machine,
    /// Time of the last question whether the match continues.
    asked: Mutex<Instant>,
    /// Set when the match is over or paused, or it is time to look for another one.
    is_left: AtomicBool,
}

impl Sitting<'_> {
    /// Plays pairs until there are no more.
    fn work(&self, runner: &GameRunner, place: usize) {
        while self.goes_on() {
            let Some(message) = self.next_message() else {
                if self.is_idle() {
                    self.is_left.store(true, Ordering::Relaxed);
                }
                continue;
            };
            *self.worker.active.lock() = Instant::now();
            let order = wire::parse::<PairOrder>(&message.payload);
            match order.and_then(|order| order.check(runner).map(|()| order)) {
                Ok(order) => self.play(runner, place, &message, &order),
                Err(why) => {
                    say(&format!("Note: rejected a message: {why}"));
                    let _ = self.worker.link.wait(message.ack_with(AckKind::Term));
                }
            }
            *self.worker.active.lock() = Instant::now();
        }
    }

    fn play(&self, runner: &GameRunner, place: usize, message: &Message, order: &PairOrder) {
        let (pair, worker) = (order.pair, self.worker);
        let lost_after = self.found.settings.lost_after_ms.clamp(300, 3_600_000);
        let every = Duration::from_millis(lost_after) / 3;
        let lease = worker.link.spawn(keep(message.clone(), every));
        worker.reporter.update(|state| state.playing.push(pair));
        if message.info().is_ok_and(|info| info.delivered > 1) {
            // This worker may be lost as well before its next report.
            worker.reporter.send_now();
        }
        let tell = |event| worker.show(&event);
        let games = order.games.iter();
        let games = games.map(|slot| runner.play(slot, order.srand, &order.opening, place, &tell));
        let played: Result<Vec<GameRecord>, Halt> = games.collect();
        let is_played = played.is_ok();
        match played {
            Ok(games) => self.finish(message, pair, games),
            Err(Halt::Trouble(why)) => runner.stop.fail(why),
            Err(Halt::Over(_) | Halt::Stopped) => {}
        }
        lease.abort();
        worker
            .reporter
            .update(|state| state.playing.retain(|played| *played != pair));
        if !is_played {
            self.hand_back(message, pair);
        }
    }

    /// Stores the result of a pair, then removes the pair from the queue. If one of them fails, another worker plays the
    /// pair again, and the ledger counts it once.
    fn finish(&self, message: &Message, pair: usize, mut games: Vec<GameRecord>) {
        let worker = self.worker;
        for game in &mut games {
            game.machine = Some(self.machine.clone());
            fit(game);
        }
        if self.store(message, pair, Outcome::Played(games.clone())) {
            let _ = worker.link.wait(message.ack());
            worker.reporter.update(|state| state.pairs += 1);
        }
        for record in games {
            let record = Box::new(record);
            worker.show(&Event::GameOver { record });
        }
    }

    /// Puts a pair into the queue again. If this fails, it is there after the time in which a lost worker is noticed.
    fn hand_back(&self, message: &Message, pair: usize) {
        // Another worker gets the pair only after the report that this one plays it no longer.
        self.worker.reporter.send_now();
        if let Some(reason) = self.worker.host.stop.failure() {
            let (machine, reason) = (platform::id(), reason.to_owned());
            self.store(message, pair, Outcome::HandedBack { machine, reason });
        }
        let link = self.worker.link;
        let _ = link.wait(message.ack_with(AckKind::Nak(None)));
    }

    /// Sends what has become of a pair to the coordinator.
    fn store(&self, message: &Message, pair: usize, outcome: Outcome) -> bool {
        let format = |outcome| {
            wire::format(&PairResult {
                pair,
                worker: self.machine.worker.clone(),
                outcome,
            })
        };
        let bytes = format(outcome);
        let (link, id) = (self.worker.link, &self.found.plan.id);
        let delivery = message
            .info()
            .map(|info| (info.stream_sequence, info.delivered));
        let message_id = format!("{pair}/{:?}", delivery.unwrap_or_default());
        // From here `--idle-s` is counted: without the server, the worker gives up after this time.
        *self.worker.active.lock() = Instant::now();
        loop {
            let stored = link.wait(async {
                let mut sent = bytes.clone();
                if bytes.len() > link.max_payload() {
                    let hash = store::put(link, id, &bytes).await?;
                    sent = format(Outcome::Stored(hash, bytes.len() as u64));
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
                || (!is_connected && (stop.is_asked() || self.worker.is_idle()))
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
            *id != self.found.plan.id && !worker.refused.contains_key(id)
        };
        let has_others = || worker.open_matches().iter().any(is_other);
        let waited = worker.active.lock().elapsed();
        worker.reporter.state().playing.is_empty()
            && (worker.is_idle() || waited > OTHERS_AFTER && has_others())
    }
}
