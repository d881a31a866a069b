//! The coordinator of a match: puts its pairs into the queue and records their results.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Request;
use async_nats::client::RequestErrorKind;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::consumer::pull::Batch;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use futures_util::StreamExt;
use parking_lot::Mutex;
use record::plan::Plan;
use record::schedule::Schedule;
use referee::stop::Stop;
use referee::tournament::{PairOrder, RemoteMatch};
use tokio::time::timeout;

use crate::dispatch::Dispatch;
use crate::link::{FleetError, Link, text};
use crate::reports::Workers;
use crate::streams::{self, MAX_WINDOW, announcement_subject, coordinator_subject};
use crate::wire::{
    self, Announcement, Content, CoordinatorState, FORMAT, MAX_RESULT, MatchState, Outcome,
    PairResult, WireBench, WorkerState, portable,
};
use crate::{platform, store};

/// Minimum number of pairs in the queue, so that new workers find some.
const MIN_WINDOW: usize = 128;

/// Maximum wait for results before other work is checked.
const WAIT: Duration = Duration::from_millis(100);

/// Time that the server may wait for results before it answers a request, and the maximum number in one answer.
const PULL: Duration = Duration::from_secs(5);
const BATCH: usize = 64;

/// Interval for comparing the offered pairs with the contents of the queue.
const RECONCILE_EVERY: Duration = Duration::from_secs(2);

/// Time in which a coordinator answers. Another subscriber may receive the question and be silent.
const ANSWER_TIME: Duration = Duration::from_secs(2);

/// Number of rejected results of one pair that stops the match: the next one would be rejected too.
const MAX_REJECTED: usize = 3;

/// Settings of a fleet match in addition to its plan.
#[derive(Debug, Clone)]
pub struct ControlSettings {
    /// Silence after which a worker counts as lost and its pair is redelivered.
    pub lost_after: Duration,
    /// Number of deliveries of a pair before it is recorded as failed.
    pub attempts: u64,
    /// Benchmark that measures the machines.
    pub bench: Option<WireBench>,
    /// Content of each engine of the plan; `None` for built-in engines.
    pub engines: Vec<Option<Content>>,
    /// Content of the program that knows the rules of the game, if there is one.
    pub rules: Option<Content>,
}

/// A match that was announced to the workers.
pub struct FleetControl {
    link: Link,
    announcement: Announcement,
    results: PullConsumer,
    batch: Option<Batch>,
    workers: Workers,
    /// What queries are answered with.
    state: Arc<Mutex<CoordinatorState>>,
    began: Instant,
    connections: u64,
    /// Workers whose refusal was reported.
    refused: BTreeSet<String>,
    /// Offered pairs that the queue did not hold at the last comparison. Their results may still arrive.
    missing: BTreeSet<usize>,
    reconciled: Instant,
    /// Number of rejected results of each pair.
    rejected: BTreeMap<usize, usize>,
    /// Time at which the workers were told that the match has ended.
    ended: Option<Instant>,
    is_unreachable: bool,
}

impl Drop for FleetControl {
    fn drop(&mut self) {
        self.drop_batch();
        self.link.close();
    }
}

impl FleetControl {
    /// Announces a match whose engines have their names, or resumes one that was announced before.
    ///
    /// # Errors
    /// The match already has a coordinator, the ledger has no id for a fleet, or the server fails.
    pub fn open(
        link: Link,
        plan: &Plan,
        settings: ControlSettings,
    ) -> Result<FleetControl, FleetError> {
        let id = &plan.id;
        if !streams::is_match_id(id) {
            let why =
                "this ledger was created by a version without fleets: expected a newer ledger";
            return Err(FleetError::Usage(format!("--fleet: {why}")));
        }
        let announcement = Announcement {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            host: platform::host_name(),
            coordinator: format!("{:016x}", fastrand::u64(..)),
            state: MatchState::Open,
            plan: portable(plan),
            engines: settings.engines,
            rules: settings.rules,
            lost_after_ms: u64::try_from(settings.lost_after.as_millis()).unwrap_or(u64::MAX),
            attempts: settings.attempts,
            bench: settings.bench,
        };
        let failed = |why: String| no_streams(&link, &why);
        make(&link, &announcement).map_err(failed)?;
        let workers = Workers::listen(&link).map_err(failed)?;
        let last = link.wait(streams::last_announced(&link, id));
        let sequence = last.map_err(failed)?.map_or(0, |last| last.sequence);
        refuse_second(&link, id, "one at a time")?;
        // Queries are answered before the match is announced, so of two coordinators that start at the same time, the
        // later one detects the earlier one.
        let state = answer(&link, id).map_err(failed)?;
        announce(&link, &announcement, sequence).map_err(|error| match error.kind() {
            PublishErrorKind::WrongLastSequence => has_coordinator(&link, id, "one at a time"),
            _ => link.failed(error),
        })?;
        let results = link.wait(streams::results(&link, id, &announcement.coordinator));
        Ok(FleetControl {
            announcement,
            results: results.map_err(failed)?,
            batch: None,
            workers,
            state,
            began: Instant::now(),
            connections: link.connections(),
            refused: BTreeSet::new(),
            missing: BTreeSet::new(),
            reconciled: Instant::now(),
            rejected: BTreeMap::new(),
            ended: None,
            is_unreachable: false,
            link,
        })
    }

    /// Runs until the match has ended or is stopped.
    pub fn run(mut self, games: &mut RemoteMatch<'_, '_>, schedule: Schedule) {
        let (plan, rules, stop) = (games.plan, games.rules, games.stop);
        let mut dispatch = Dispatch::new(plan, rules, schedule);
        let first = games.standing().games;
        // The pairs of results that have arrived are not offered again.
        while !stop.is_asked() && self.receive(&mut dispatch, games) {}
        self.publish_state(games, first);
        let mut was_idle = false;
        while !stop.is_now() {
            let is_over = games.is_decided() || dispatch.is_done();
            let is_ending = is_over || stop.is_asked();
            if !is_ending {
                self.offer(&mut dispatch, games);
            } else if self.ended.is_none() {
                self.end(is_over, games);
            }
            if stop.is_asked() && self.is_unreachable && self.ended.is_none() {
                // The queue keeps the pairs and their results until the match is resumed.
                return;
            }
            let is_received = self.receive(&mut dispatch, games);
            match is_received {
                true => self.publish_state(games, first),
                false => self.poll_workers(games),
            }
            self.reconcile(&mut dispatch, games);
            if stop.is_now() {
                return;
            }
            if is_received || self.ended.is_none() {
                was_idle = false;
                continue;
            }
            // A worker stores a result before it removes the pair from the queue.
            if dispatch.is_done() || was_idle {
                if is_over {
                    let (link, id) = (&self.link, &self.announcement.plan.id);
                    link.wait(streams::delete_match(link, id));
                }
                return;
            }
            was_idle = !self.is_playing();
        }
    }

    /// Offers pairs until the window is full.
    fn offer(&mut self, dispatch: &mut Dispatch<'_>, games: &mut RemoteMatch<'_, '_>) {
        let window = self.window();
        let n_missing = window.saturating_sub(dispatch.n_offered());
        // Several at once cost less than each by itself.
        if n_missing <= window / 8 && n_missing < window || !self.link.is_connected() {
            return;
        }
        let orders: Vec<PairOrder> = std::iter::from_fn(|| dispatch.remove_next())
            .take(n_missing)
            .collect();
        let id = &self.announcement.plan.id;
        let message = |order: &PairOrder| {
            let payload = wire::format(order).into();
            let message = PublishMessage::build().payload(payload);
            (streams::pair_subject(id, order.pair), message)
        };
        let stored = self.link.store_all(orders.iter().map(message).collect());
        for (order, stored) in orders.into_iter().zip(stored) {
            match stored {
                Err(error) if !is_held(&error) => {
                    dispatch.not_offered(order);
                    self.note_unreachable(&error.to_string(), games);
                }
                _ => {
                    self.is_unreachable = false;
                    dispatch.offered(order);
                }
            }
        }
    }

    /// Maximum number of pairs in the queue: two for each game that the workers play at once.
    fn window(&self) -> usize {
        let id = &self.announcement.plan.id;
        let places = self.workers.sum(id, |state| state.concurrency);
        (2 * places).clamp(MIN_WINDOW, MAX_WINDOW)
    }

    /// Tells the workers that no more pairs are to be played. Those being played are finished.
    fn end(&mut self, is_over: bool, games: &mut RemoteMatch<'_, '_>) {
        self.announcement.state = match is_over {
            true => MatchState::Over,
            false => MatchState::Paused,
        };
        match self.announce_again(games.stop) {
            Ok(()) => self.ended = Some(Instant::now()),
            Err(why) => self.note_unreachable(&why, games),
        }
    }

    /// `true` if a worker is still playing a pair, as far as is known.
    fn is_playing(&self) -> bool {
        let id = &self.announcement.plan.id;
        // A worker may have taken a pair and not reported it yet, or may have failed and not be detected yet.
        let lost_after = Duration::from_millis(self.announcement.lost_after_ms);
        let is_recent = self.ended.is_none_or(|at| at.elapsed() < lost_after);
        let is_reported = || self.workers.sum(id, |state| state.playing.len()) > 0;
        let n_leased = async {
            let stream = self.link.stream(&streams::work_stream(id)).await.ok()?;
            let info = stream.consumer_info(streams::WORKERS).await.ok()?;
            Some(info.num_ack_pending)
        };
        (is_recent || is_reported())
            && self
                .link
                .wait(n_leased)
                .is_some_and(|n_leased| n_leased > 0)
    }

    /// Handles the next result. Returns `false` if none arrives for a while.
    fn receive(&mut self, dispatch: &mut Dispatch<'_>, games: &mut RemoteMatch<'_, '_>) -> bool {
        let Some(message) = self.next_message() else {
            return false;
        };
        let stored = match self.decode(&message.payload, games.stop) {
            Ok((result, stored)) => {
                self.take(&result, dispatch, games);
                stored
            }
            Err(why) => {
                games.note("fleet", format!("rejected a message: {why}"));
                None
            }
        };
        // A result that could not be recorded is delivered again when the match is resumed.
        if !games.stop.is_now() {
            self.link.wait(async {
                let _ = message.ack().await;
                if let Some(hash) = stored {
                    store::delete(&self.link, &self.announcement.plan.id, &hash).await;
                }
            });
        }
        true
    }

    fn next_message(&mut self) -> Option<Message> {
        if !self.link.is_connected() {
            std::thread::sleep(WAIT);
            return None;
        }
        if self.batch.is_none() {
            let batch = self.results.batch().max_messages(BATCH).expires(PULL);
            self.batch = self.link.wait(batch.messages()).ok();
        }
        let Some(batch) = &mut self.batch else {
            std::thread::sleep(WAIT);
            return None;
        };
        match self.link.wait(async { timeout(WAIT, batch.next()).await }) {
            Ok(Some(Ok(message))) => Some(message),
            Err(_) => None,
            Ok(ended) => {
                if ended.is_some() {
                    // This consumer was deleted.
                    std::thread::sleep(WAIT);
                }
                self.drop_batch();
                None
            }
        }
    }

    /// Drops the current request. Its destructor starts a task, so it must run in the runtime.
    fn drop_batch(&mut self) {
        let batch = self.batch.take();
        self.link.wait(async move { drop(batch) });
    }

    /// Reads a result, with the name of the object that holds it, if one does.
    fn decode(&self, payload: &[u8], stop: &Stop) -> Result<(PairResult, Option<String>), String> {
        let parse = |bytes: &[u8]| {
            let result = serde_json::from_slice::<PairResult>(bytes);
            result.map_err(|error| format!("not a result: {error}"))
        };
        let result = parse(payload)?;
        let Outcome::Stored(hash, n_bytes) = &result.outcome else {
            return Ok((result, None));
        };
        if *n_bytes > MAX_RESULT as u64 {
            return Err(format!(
                "a result of {n_bytes} bytes: expected at most {MAX_RESULT}"
            ));
        }
        let id = &self.announcement.plan.id;
        let bytes = store::get(&self.link, id, hash, *n_bytes, stop)?;
        Ok((parse(&bytes)?, Some(hash.clone())))
    }

    fn take(
        &mut self,
        result: &PairResult,
        dispatch: &mut Dispatch<'_>,
        games: &mut RemoteMatch<'_, '_>,
    ) {
        let PairResult { pair, worker, .. } = result;
        let finished = match &result.outcome {
            Outcome::Played(played) => dispatch.finish(*pair, played),
            Outcome::Failed(reason) => dispatch.fail(*pair, reason),
            Outcome::Stored(..) => Err("an object in an object".to_owned()),
        };
        match finished {
            Ok(finished) => {
                self.rejected.remove(pair);
                finished.into_iter().for_each(|record| games.record(record));
            }
            Err(why) => {
                let n_rejected = self.rejected.entry(*pair).or_default();
                *n_rejected += 1;
                let text = format!("rejected a result from worker {worker}: {why}");
                games.note("fleet", text);
                if *n_rejected == MAX_REJECTED {
                    self.end(false, games);
                    games.stop.fail(format!(
                        "{MAX_REJECTED} results of pair {pair} were rejected, the last one because of {why}"
                    ));
                }
            }
        }
    }

    fn publish_state(&self, games: &RemoteMatch<'_, '_>, first: usize) {
        let standing = games.standing();
        let rows = standing.tally.rows.iter();
        let rows = rows.map(|row| format!("{} {}", row.name, row.total().score()));
        let mut state = self.state.lock();
        state.recent = standing.games - first;
        (state.games, state.total) = (standing.games, standing.total);
        state.seconds = self.began.elapsed().as_secs_f64();
        state.score = rows.collect::<Vec<_>>().join(", ");
    }

    /// Reports problems of the connection, and the workers that refuse the match.
    fn poll_workers(&mut self, games: &mut RemoteMatch<'_, '_>) {
        if let Some(problem) = self.link.new_problem("") {
            games.note("fleet", problem);
        }
        let id = &self.announcement.plan.id;
        for WorkerState {
            worker,
            match_id,
            refused,
            ..
        } in self.workers.present()
        {
            if let Some(why) = refused.filter(|_| match_id == *id)
                && self.refused.insert(worker.clone())
            {
                games.note("fleet", format!("worker {worker} was rejected: {why}"));
            }
        }
    }

    /// Compares the server with what it should hold, at intervals and after each reconnection: it may have lost files,
    /// for example in a power failure, or pairs by an invalid result. A pair is offered again if it is missing twice: by
    /// then, the results that had arrived at the first comparison have been read.
    fn reconcile(&mut self, dispatch: &mut Dispatch<'_>, games: &mut RemoteMatch<'_, '_>) {
        let is_reconnected = self.link.connections() != self.connections;
        if !is_reconnected && self.reconciled.elapsed() < RECONCILE_EVERY {
            return;
        }
        self.reconciled = Instant::now();
        self.poll_workers(games);
        if !self.link.is_connected() {
            return;
        }
        if let Err(why) = self.compare(is_reconnected, dispatch, games.stop) {
            return self.note_unreachable(&why, games);
        }
        if is_reconnected {
            self.connections = self.link.connections();
            let text = format!("{} is connected again", self.link.server());
            games.note("fleet", text);
        }
    }

    fn compare(
        &mut self,
        is_reconnected: bool,
        dispatch: &mut Dispatch<'_>,
        stop: &Stop,
    ) -> Result<(), String> {
        let id = self.announcement.plan.id.clone();
        if is_reconnected {
            make(&self.link, &self.announcement)?;
        }
        let last = self.link.wait(streams::last_announced(&self.link, &id))?;
        if last.is_none_or(|last| last.payload != wire::format(&self.announcement)) {
            self.announce_again(stop)?;
        }
        if is_reconnected && !stop.is_now() {
            self.drop_batch();
            let coordinator = &self.announcement.coordinator;
            let results = streams::results(&self.link, &id, coordinator);
            self.results = self.link.wait(results)?;
        }
        let held: BTreeSet<usize> = self.link.wait(async {
            let stream = self.link.stream(&streams::work_stream(&id)).await?;
            let pairs = streams::last_words(&stream).await?;
            Ok::<_, String>(pairs.iter().flat_map(|pair| pair.parse()).collect())
        })?;
        let missing = dispatch.missing(&held);
        for pair in missing.intersection(&self.missing) {
            dispatch.offer_again(*pair);
        }
        self.missing = missing;
        Ok(())
    }

    /// Announces the match again, unless another coordinator has announced it, which stops this one.
    ///
    /// # Errors
    /// The server does not store the message.
    fn announce_again(&mut self, stop: &Stop) -> Result<(), String> {
        let id = &self.announcement.plan.id;
        let last = self.link.wait(streams::last_announced(&self.link, id))?;
        let sequence = last.as_ref().map_or(0, |last| last.sequence);
        let last = last.and_then(|last| wire::parse::<Announcement>(&last.payload).ok());
        let own = &self.announcement.coordinator;
        if last.is_some_and(|last| last.coordinator != *own) {
            let expected = "this one, but another has begun";
            stop.fail(has_coordinator(&self.link, id, expected).to_string());
            return Ok(());
        }
        let announced = announce(&self.link, &self.announcement, sequence);
        announced.map_err(text)
    }

    /// Reports that the server is unreachable, once until it is reachable again.
    fn note_unreachable(&mut self, why: &str, games: &mut RemoteMatch<'_, '_>) {
        if !std::mem::replace(&mut self.is_unreachable, true) {
            games.note("fleet", format!("waits: {}: {why}", self.link.server()));
        }
    }
}

/// Creates what the match needs on the server and does not exist yet: its streams, and the programs it sends.
fn make(link: &Link, announcement: &Announcement) -> Result<(), String> {
    let id = &announcement.plan.id;
    let lost_after = Duration::from_millis(announcement.lost_after_ms);
    link.wait(async {
        streams::make(link, id, lost_after).await?;
        let contents = announcement.engines.iter().flatten();
        for content in contents.chain(&announcement.rules) {
            if let Some(archive) = &content.archive {
                store::put(link, id, &archive.bytes).await?;
            }
        }
        Ok(())
    })
}

/// Announces a match, if the sequence number of its last announcement is still this one.
fn announce(link: &Link, announcement: &Announcement, last: u64) -> Result<(), PublishError> {
    let message = PublishMessage::build()
        .payload(wire::format(announcement).into())
        .expected_last_subject_sequence(last);
    let subject = announcement_subject(&announcement.plan.id);
    link.wait(link.store(subject, message)).map(drop)
}

/// `true` if the server rejects a pair because the queue holds it already.
fn is_held(error: &PublishError) -> bool {
    let text = error.to_string();
    text.contains("maximum messages per subject exceeded")
}

/// Starts to answer queries about a match, with the returned state.
///
/// # Errors
/// The server does not answer.
fn answer(link: &Link, id: &str) -> Result<Arc<Mutex<CoordinatorState>>, String> {
    let state = Arc::new(Mutex::new(CoordinatorState {
        host: platform::host_name(),
        ..CoordinatorState::default()
    }));
    let mut questions = link.wait(async {
        let questions = link.client.subscribe(coordinator_subject(id)).await;
        link.client.flush().await.map_err(text)?;
        questions.map_err(text)
    })?;
    let (client, shared) = (link.client.clone(), Arc::clone(&state));
    link.spawn(async move {
        while let Some(question) = questions.next().await {
            if let Some(reply) = question.reply {
                let answer = wire::format(&*shared.lock());
                let _ = client.publish(reply, answer.into()).await;
            }
        }
    });
    Ok(state)
}

/// Asks the coordinator of a match for its state; `None` if the match has no coordinator.
///
/// # Errors
/// The server does not answer.
pub(crate) fn ask(link: &Link, id: &str) -> Result<Option<CoordinatorState>, FleetError> {
    let request = Request::new().timeout(Some(ANSWER_TIME));
    let asked = link.client.send_request(coordinator_subject(id), request);
    match link.wait(asked) {
        // A subscriber to all subjects, or a coordinator that is stopped. The latter notices a second one.
        Err(error) if error.kind() == RequestErrorKind::TimedOut && link.is_connected() => Ok(None),
        Ok(answer) => Ok(Some(wire::parse(&answer.payload).unwrap_or_default())),
        Err(error) if error.kind() == RequestErrorKind::NoResponders => Ok(None),
        Err(error) => Err(link.failed(error)),
    }
}

/// Fails if a match already has a coordinator, because it has one ledger. `expected` ends the error text.
///
/// # Errors
/// There is one, or the server does not answer.
pub(crate) fn refuse_second(link: &Link, id: &str, expected: &str) -> Result<(), FleetError> {
    ask(link, id)?.map_or(Ok(()), |state| {
        let id = format!("{id} on {}", state.host);
        Err(has_coordinator(link, &id, expected))
    })
}

fn has_coordinator(link: &Link, id: &str, expected: &str) -> FleetError {
    link.failed(format!("match {id} has a coordinator: expected {expected}"))
}

fn no_streams(link: &Link, why: &str) -> FleetError {
    // A missing permission is only reported by the connection; the request is not answered.
    let problem = link.new_problem(why);
    problem.map_or_else(|| link.failed(why), FleetError::Failed)
}
