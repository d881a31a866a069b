//! The coordinator's end of the queue.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::HeaderMap;
use async_nats::client::RequestErrorKind;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::consumer::pull::Batch;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use parking_lot::Mutex;
use referee::event::{Event, Watcher};
use referee::plan::Plan;
use referee::queue::{
    Ending, Incoming, MAX_WINDOW, PairOrder, PairReport, QueueControl, Unreachable,
};
use referee::stats::Standing;
use tokio::time::timeout;

use crate::crew::Crew;
use crate::inbox::{Inbox, Parcel};
use crate::link::{FleetError, Link};
use crate::names;
use crate::platform;
use crate::streams;
use crate::wire::{
    self, Announcement, CoordinatorState, FORMAT, MatchState, PairResult, WireBench, WireEngine,
};

/// The fewest pairs in the queue, so that workers that come find some.
const MIN_WINDOW: usize = 16;

/// How long the server may hold back results that are not there yet.
const PULL: Duration = Duration::from_secs(5);

/// The most results that come in one answer.
const BATCH: usize = 64;

/// How soon the notice of a lost pair is looked at again if a worker seems to play the pair.
const ASK_AGAIN: Duration = Duration::from_secs(3);

/// How soon an announcement that somebody has overwritten is replaced.
const REPLACE_AFTER: Duration = Duration::from_millis(500);

/// The most workers whose refusal is told.
const MAX_REFUSED: usize = 1000;

/// What a match over a fleet needs beside its plan.
#[derive(Debug, Clone)]
pub struct ControlSettings {
    /// How long a worker may be silent before its pair goes to another.
    pub lost_after: Duration,
    /// How many workers get a pair before it is recorded as failed.
    pub max_deliver: u32,
    /// The search that machines are measured by.
    pub bench: Option<WireBench>,
    /// The content hash of each engine of the plan, the arbiter's last; `None` for built-in ones.
    pub hashes: Vec<Option<String>>,
}

/// The coordinator's end of the queue of one match.
pub struct FleetControl {
    link: Link,
    announcement: Announcement,
    max_deliver: u32,
    results: PullConsumer,
    batch: Option<Batch>,
    inbox: Inbox,
    crew: Crew,
    incoming: VecDeque<Incoming>,
    /// What came in and is not recorded.
    receipts: BTreeMap<u64, Receipt>,
    last_receipt: u64,
    /// Orders whose arrival is not known.
    doubtful: HashSet<(usize, u32)>,
    connections: u64,
    stopped: Option<Instant>,
    /// When the match was announced last.
    announced: Instant,
    /// Raised when somebody else has announced something in its place.
    is_overwritten: Arc<AtomicBool>,
    /// Workers whose refusal was told.
    refused: HashSet<String>,
    state: Arc<Mutex<CoordinatorState>>,
}

impl fmt::Debug for FleetControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FleetControl")
            .field(&self.announcement.id)
            .finish()
    }
}

#[derive(Debug)]
struct Receipt {
    messages: Vec<Message>,
    /// The place of a pair that is to be deleted from the stream of pairs.
    lost: Option<u64>,
}

impl FleetControl {
    /// Announces a match, whose engines have their names, or goes on with one that was announced before.
    ///
    /// # Errors
    /// The match has a coordinator, or the server does not do what is asked of it.
    pub fn open(
        link: Link,
        plan: &Plan,
        settings: &ControlSettings,
    ) -> Result<FleetControl, FleetError> {
        if !names::is_match_id(&plan.id) {
            let why = "this ledger was begun by a version without fleets: expected a newer one";
            return Err(FleetError::Usage(format!("--fleet: {why}")));
        }
        refuse_second(&link, &plan.id)?;
        let made = link.wait(streams::make_matches(&link.jetstream));
        made.map_err(FleetError::Server)?;
        let results = link.wait(streams::make_match(
            &link.jetstream,
            &plan.id,
            settings.lost_after,
            settings.max_deliver,
        ));
        let mut control = FleetControl {
            announcement: announcement(plan, settings),
            max_deliver: settings.max_deliver,
            results: results.map_err(FleetError::Server)?,
            batch: None,
            inbox: Inbox::default(),
            crew: Crew::listen(&link).map_err(FleetError::Server)?,
            incoming: VecDeque::new(),
            receipts: BTreeMap::new(),
            last_receipt: 0,
            doubtful: HashSet::new(),
            connections: link.connections(),
            stopped: None,
            announced: Instant::now(),
            is_overwritten: Arc::default(),
            refused: HashSet::new(),
            state: Arc::new(Mutex::new(CoordinatorState {
                coordinator: format!("{:016x}", fastrand::u64(..)),
                host: platform::host_name(),
                ..CoordinatorState::default()
            })),
            link,
        };
        control.answer().map_err(FleetError::Server)?;
        let announced = control.announce();
        announced.map_err(|error| FleetError::Server(error.0))?;
        control.guard().map_err(FleetError::Server)?;
        Ok(control)
    }

    /// Tells those who ask how the match stands, from what this watcher hears.
    pub fn follow(&self, watcher: Watcher) {
        let state = Arc::clone(&self.state);
        let began = Instant::now();
        std::thread::spawn(move || {
            let mut first = None;
            for event in watcher {
                if let Event::MatchStarted { standing, .. } | Event::Standing { standing } = &*event
                {
                    let mut state = state.lock();
                    state.recent = standing.games - *first.get_or_insert(standing.games);
                    (state.games, state.total) = (standing.games, standing.total);
                    state.seconds = began.elapsed().as_secs_f64();
                    state.score = score(standing);
                }
            }
        });
    }

    /// Answers those who ask who coordinates this match.
    fn answer(&self) -> Result<(), String> {
        let subject = names::coordinator(&self.announcement.id);
        let subscribed = self.link.wait(self.link.client.subscribe(subject));
        let mut questions = subscribed.map_err(|error| error.to_string())?;
        let (client, state) = (self.link.client.clone(), Arc::clone(&self.state));
        self.link.spawn(async move {
            while let Some(question) = questions.next().await {
                if let Some(reply) = question.reply {
                    let answer = wire::format(&*state.lock());
                    let _ = client.publish(reply, answer.into()).await;
                }
            }
        });
        Ok(())
    }

    /// Watches for announcements of this match that are somebody else's.
    fn guard(&self) -> Result<(), String> {
        let subject = names::announcement(&self.announcement.id);
        let subscribed = self.link.wait(self.link.client.subscribe(subject));
        let mut messages = subscribed.map_err(|error| error.to_string())?;
        let is_overwritten = Arc::clone(&self.is_overwritten);
        let own = Announcement {
            state: MatchState::Open,
            ..self.announcement.clone()
        };
        self.link.spawn(async move {
            while let Some(message) = messages.next().await {
                let found = wire::parse::<Announcement>(&message.payload).ok();
                let found = found.map(|found| Announcement {
                    state: MatchState::Open,
                    ..found
                });
                is_overwritten.fetch_or(found.as_ref() != Some(&own), Ordering::Relaxed);
            }
        });
        Ok(())
    }

    fn announce(&mut self) -> Result<(), Unreachable> {
        self.announced = Instant::now();
        let subject = names::announcement(&self.announcement.id);
        let message = PublishMessage::build().payload(wire::format(&self.announcement).into());
        self.publish(subject, message).map(drop)
    }

    /// Stores a message; whether it was there already.
    fn publish(&self, subject: String, message: PublishMessage) -> Result<bool, Unreachable> {
        self.check_connected()?;
        let sending = async {
            let stored = self.link.jetstream.send_publish(subject, message).await?;
            stored.await
        };
        let stored = self.link.wait(sending);
        stored
            .map(|ack| ack.duplicate)
            .map_err(|error| self.unreachable(&error.to_string()))
    }

    fn unreachable(&self, why: &str) -> Unreachable {
        Unreachable(format!("{}: {why}", self.link.server()))
    }

    fn check_connected(&self) -> Result<(), Unreachable> {
        match self.link.is_connected() {
            true => Ok(()),
            false => Err(self.unreachable("no connection")),
        }
    }

    /// The next message of the results' stream.
    fn next_message(&mut self, wait: Duration) -> Option<Message> {
        let deadline = Instant::now() + wait;
        if self.check_connected().is_err() {
            std::thread::sleep(wait);
            return None;
        }
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if self.batch.is_none() {
                let request = self
                    .results
                    .batch()
                    .max_messages(BATCH)
                    .expires(PULL)
                    .messages();
                match self.link.wait(request) {
                    Ok(batch) => self.batch = Some(batch),
                    Err(_) => {
                        std::thread::sleep(left);
                        return None;
                    }
                }
            }
            let batch = self.batch.as_mut()?;
            match self.link.wait(async { timeout(left, batch.next()).await }) {
                Ok(Some(Ok(message))) => return Some(message),
                Ok(_) => self.drop_batch(),
                Err(_) => return None,
            }
            if left.is_zero() {
                return None;
            }
        }
    }

    /// A request that ends starts a task.
    fn drop_batch(&mut self) {
        let batch = self.batch.take();
        self.link.wait(async move { drop(batch) });
    }

    fn take(&mut self, message: Message) -> Incoming {
        match self.inbox.take(message) {
            Parcel::Result(PairResult::Played(played), messages) => {
                self.report(PairReport::Played(played), messages, None)
            }
            Parcel::Result(PairResult::HandedBack { pair, attempt }, messages) => {
                self.report(PairReport::HandedBack { pair, attempt }, messages, None)
            }
            Parcel::Lost(sequence, deliveries, messages) => {
                self.lost(sequence, deliveries, messages)
            }
            Parcel::Rejected(why, messages) => {
                self.ack(&messages);
                note(format!("rejected a message: {why}"))
            }
            Parcel::Part => Incoming::Changed,
        }
    }

    fn report(
        &mut self,
        report: PairReport,
        messages: Vec<Message>,
        lost: Option<u64>,
    ) -> Incoming {
        self.last_receipt += 1;
        let receipt = self.last_receipt;
        self.receipts.insert(receipt, Receipt { messages, lost });
        Incoming::Report { receipt, report }
    }

    /// The server gives a pair to nobody any more.
    fn lost(&mut self, sequence: u64, deliveries: u64, messages: Vec<Message>) -> Incoming {
        let stream = names::work_stream(&self.announcement.id);
        let found = self.link.wait(async {
            let stream = self.link.stream(&stream).await.ok()?;
            // Only what was delivered can be given up.
            let info = stream.consumer_info(names::WORKERS).await.ok()?;
            let is_delivered = sequence <= info.delivered.stream_sequence;
            stream
                .direct_get(sequence)
                .await
                .ok()
                .filter(|_| is_delivered)
        });
        let order = found.and_then(|found| wire::parse::<PairOrder>(&found.payload).ok());
        let Some(order) = order else {
            self.ack(&messages);
            return Incoming::Changed;
        };
        let plays = |state: &wire::WorkerState| {
            let playing = state
                .playing
                .iter()
                .any(|playing| playing.pair == order.pair);
            usize::from(playing)
        };
        if self.crew.sum(&self.announcement.id, plays) > 0 {
            // Its worker may be gone, which is known after a while; or nobody but the sender has given the pair up.
            for message in &messages {
                let _ = self
                    .link
                    .wait(message.ack_with(AckKind::Nak(Some(ASK_AGAIN))));
            }
            return Incoming::Changed;
        }
        let report = PairReport::Failed {
            pair: order.pair,
            reason: match deliveries {
                1 => "lost: 1 worker was given this pair, and sent no result".to_owned(),
                n => format!("lost: {n} workers were given this pair, and none sent a result"),
            },
        };
        self.report(report, messages, Some(sequence))
    }

    fn ack(&self, messages: &[Message]) {
        for message in messages {
            // A message that cannot be acknowledged comes again.
            let _ = self.link.wait(message.ack());
        }
    }

    fn look_around(&mut self) {
        if self.announced.elapsed() > REPLACE_AFTER
            && self.is_overwritten.swap(false, Ordering::Relaxed)
        {
            self.incoming.push_back(note(
                "rejected a message in place of the announcement".to_owned(),
            ));
            // If it fails, it is done when the server is back.
            let _ = self.announce();
        }
        for (worker, why) in self.crew.refusals(&self.announcement.id) {
            if self.refused.len() < MAX_REFUSED && self.refused.insert(worker.clone()) {
                let text = format!("worker {worker} is refused: {why}");
                self.incoming.push_back(note(text));
            }
        }
        let rejected = self.crew.take_rejected();
        if rejected > 0 {
            let text = format!("rejected {rejected} messages to linesman.worker");
            self.incoming.push_back(note(text));
        }
        let connections = self.link.connections();
        if connections != self.connections {
            self.connections = connections;
            self.drop_batch();
            self.incoming
                .push_back(note(format!("{} is back", self.link.server())));
            self.incoming.push_back(Incoming::Reconnected);
        }
    }
}

impl Drop for FleetControl {
    fn drop(&mut self) {
        self.drop_batch();
    }
}

fn note(text: String) -> Incoming {
    Incoming::Note {
        about: "fleet".to_owned(),
        text,
    }
}

/// A match has one ledger, so it has one coordinator.
fn refuse_second(link: &Link, id: &str) -> Result<(), FleetError> {
    let asked = link.client.request(names::coordinator(id), "".into());
    match link.wait(asked) {
        Ok(answer) => {
            let state = wire::parse::<CoordinatorState>(&answer.payload).unwrap_or_default();
            Err(FleetError::Server(format!(
                "{}: match {id} has a coordinator, on {}: expected one at a time",
                link.server(),
                state.host
            )))
        }
        Err(error) if error.kind() == RequestErrorKind::NoResponders => Ok(()),
        Err(error) => Err(FleetError::Server(format!("{}: {error}", link.server()))),
    }
}

fn announcement(plan: &Plan, settings: &ControlSettings) -> Announcement {
    let mut hashes = settings.hashes.iter().cloned();
    let mut engine = |spec| WireEngine::new(spec, hashes.next().flatten());
    let engines = plan.engines.iter().map(&mut engine).collect();
    Announcement {
        format: FORMAT,
        id: plan.id.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        host: platform::host_name(),
        state: MatchState::Open,
        game: plan.game.clone(),
        engines,
        teams: plan.teams.clone(),
        arbiter: plan.arbiter.as_ref().map(engine),
        adjudication: plan.adjudication,
        cross_check: plan.cross_check,
        startup_ms: plan.startup_ms,
        ping_ms: plan.ping_ms,
        search_timeout_ms: plan.search_timeout_ms,
        keeps_pv: plan.outputs.pgn_comments.pv,
        lost_after_ms: u64::try_from(settings.lost_after.as_millis()).unwrap_or(u64::MAX),
        bench: settings.bench.clone(),
    }
}

fn score(standing: &Standing) -> String {
    let rows = standing.tally.rows.iter();
    let rows = rows.map(|row| format!("{} {}", row.name, row.total().score()));
    rows.collect::<Vec<_>>().join(", ")
}

impl QueueControl for FleetControl {
    fn offer(&mut self, order: &PairOrder) -> Result<(), Unreachable> {
        let id = &self.announcement.id;
        let mut order = order.clone();
        loop {
            let key = (order.pair, order.attempt);
            let mut headers = HeaderMap::new();
            let message_id = format!("{id}/{}/{}", order.pair, order.attempt);
            headers.insert("Nats-Msg-Id", message_id.as_str());
            let message = PublishMessage::build()
                .payload(wire::format(&order).into())
                .headers(headers);
            let is_doubled = self.publish(names::work(id), message);
            let was_doubtful = self.doubtful.remove(&key);
            match is_doubled {
                // An earlier coordinator has offered it, and it is not there any more.
                Ok(true) if !was_doubtful => order.attempt += 1,
                Ok(_) => {
                    self.state.lock().offered += 1;
                    return Ok(());
                }
                Err(error) => {
                    self.doubtful.insert(key);
                    return Err(error);
                }
            }
        }
    }

    fn receive(&mut self, timeout: Duration) -> Option<Incoming> {
        self.look_around();
        if let Some(incoming) = self.incoming.pop_front() {
            return Some(incoming);
        }
        let message = self.next_message(timeout)?;
        Some(self.take(message))
    }

    fn settle(&mut self, receipt: u64) {
        let Some(receipt) = self.receipts.remove(&receipt) else {
            return;
        };
        self.ack(&receipt.messages);
        if let Some(sequence) = receipt.lost {
            let stream = names::work_stream(&self.announcement.id);
            let _ = self.link.wait(async {
                let stream = self.link.stream(&stream).await?;
                let deleted = stream.delete_message(sequence).await;
                deleted.map_err(|error| error.to_string())
            });
        }
    }

    fn held(&mut self) -> Result<BTreeSet<usize>, Unreachable> {
        self.check_connected()?;
        let id = self.announcement.id.clone();
        let scanned = self.link.wait(async {
            let lost_after = Duration::from_millis(self.announcement.lost_after_ms);
            // They are gone if the server has lost its files.
            streams::make_matches(&self.link.jetstream).await?;
            let results =
                streams::make_match(&self.link.jetstream, &id, lost_after, self.max_deliver)
                    .await?;
            let stream = self.link.stream(&names::work_stream(&id)).await?;
            let held = streams::scan(&stream, &names::work(&id), 4 * MAX_WINDOW).await?;
            Ok::<_, String>((results, held))
        });
        let (results, held) = scanned.map_err(|why| self.unreachable(&why))?;
        self.results = results;
        self.announce()?;
        let orders = held
            .iter()
            .map(|held| wire::parse::<PairOrder>(&held.payload));
        let pairs: BTreeSet<usize> = orders.flatten().map(|order| order.pair).collect();
        self.state.lock().offered = pairs.len();
        Ok(pairs)
    }

    fn window(&self) -> usize {
        let places = self
            .crew
            .sum(&self.announcement.id, |state| state.concurrency);
        (2 * places).clamp(MIN_WINDOW, MAX_WINDOW)
    }

    fn stop(&mut self, ending: Ending) -> Result<(), Unreachable> {
        self.announcement.state = match ending {
            Ending::Over => MatchState::Over,
            Ending::Paused => MatchState::Paused,
        };
        self.announce()?;
        self.stopped = Some(Instant::now());
        Ok(())
    }

    fn is_playing(&mut self) -> bool {
        let id = self.announcement.id.clone();
        if self.crew.sum(&id, |state| state.playing.len()) > 0 {
            return true;
        }
        // A worker that has begun a pair and not told it yet; or one that is gone, until that is known.
        let lost_after = Duration::from_millis(self.announcement.lost_after_ms);
        let is_recent = self.stopped.is_none_or(|at| at.elapsed() < lost_after);
        is_recent
            && self
                .link
                .wait(async {
                    let stream = self.link.stream(&names::work_stream(&id)).await.ok()?;
                    let info = stream.consumer_info(names::WORKERS).await.ok()?;
                    (info.num_ack_pending > 0).then_some(())
                })
                .is_some()
    }

    fn close(&mut self) {
        let id = self.announcement.id.clone();
        self.link
            .wait(streams::delete_match(&self.link.jetstream, &id));
    }
}
