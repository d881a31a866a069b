//! The coordinator of a match: puts its pairs into the queue and records their results.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Request;
use async_nats::client::RequestErrorKind;
use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::context::{PublishError, PublishErrorKind};
use async_nats::jetstream::message::PublishMessage;
use futures_util::StreamExt;
use linesman::output::count;
use linesman::usage::Failure;
use parking_lot::Mutex;
use record::plan::Plan;
use record::schedule::Schedule;
use referee::remote::RemoteMatch;
use referee::stop::Stop;
use tokio::time::timeout;

use crate::dispatch::{Dispatch, PairOrder};
use crate::link::{Link, text};
use crate::reports::Workers;
use crate::streams::{self, WINDOW, subject};
use crate::wire::{
    self, Announcement, CoordinatorState, FORMAT, MAX_RESULT, MatchSettings, MatchState, Outcome,
    PairResult, portable,
};
use crate::{platform, store};

/// Pause before the server is asked again for results, if it has none.
const WAIT: Duration = Duration::from_millis(100);

/// Maximum number of results in one answer of the server.
const BATCH: usize = 64;

/// Interval for comparing the offered pairs with the contents of the queue.
const RECONCILE_EVERY: Duration = Duration::from_secs(2);

/// Time in which a coordinator answers. Another subscriber may receive the question and be silent.
const ANSWER_TIME: Duration = Duration::from_secs(2);

/// Number of rejected results of one pair that stops the match: the next one would be rejected too.
const MAX_REJECTED: usize = 3;

/// A match that was announced to the workers.
pub(crate) struct FleetControl {
    link: Link,
    announcement: Announcement,
    results: PullConsumer,
    /// Results that were received and not handled yet.
    received: VecDeque<Message>,
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
    /// The machines that have handed each pair back.
    handed_back: BTreeMap<usize, BTreeSet<String>>,
    /// Time at which the workers were told that the match has ended.
    ended: Option<Instant>,
    is_unreachable: bool,
}

impl Drop for FleetControl {
    fn drop(&mut self) {
        self.link.close();
    }
}

impl FleetControl {
    /// Announces a match whose engines have their names, or resumes one that was announced before.
    ///
    /// # Errors
    /// The match already has a coordinator, the ledger has no id for a fleet, or the server fails.
    pub(crate) fn open(
        link: Link,
        plan: &Plan,
        settings: MatchSettings,
    ) -> Result<FleetControl, Failure> {
        let id = &plan.id;
        if !streams::is_match_id(id) {
            let why = "this ledger was created by a version without fleets: begin a new match";
            return Err(Failure::Usage(format!("--fleet: {why}")));
        }
        let announcement = Announcement {
            format: FORMAT,
            version: env!("CARGO_PKG_VERSION").to_owned(),
            host: platform::host_name(),
            coordinator: format!("{:016x}", fastrand::u64(..)),
            state: MatchState::Open,
            plan: portable(plan),
            settings,
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
            received: VecDeque::new(),
            workers,
            state,
            began: Instant::now(),
            connections: link.connections(),
            refused: BTreeSet::new(),
            missing: BTreeSet::new(),
            reconciled: Instant::now(),
            rejected: BTreeMap::new(),
            handed_back: BTreeMap::new(),
            ended: None,
            is_unreachable: false,
            link,
        })
    }

    /// Runs until the match has ended or is stopped.
    pub(crate) fn run(mut self, games: &mut RemoteMatch<'_, '_>, schedule: Schedule) {
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
                self.end(games);
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
        let n_missing = WINDOW.saturating_sub(dispatch.n_offered());
        // Several at once cost less than each by itself.
        if n_missing <= WINDOW / 8 || !self.link.is_connected() {
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
                // The queue may hold the pair already.
                Err(error) if !text(&error).contains("maximum messages per subject exceeded") => {
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

    /// Tells the workers that no more pairs are to be played. Those being played are finished.
    fn end(&mut self, games: &mut RemoteMatch<'_, '_>) {
        self.announcement.state = MatchState::Paused;
        match self.announce_again(games.stop) {
            Ok(()) => self.ended = Some(Instant::now()),
            Err(why) => self.note_unreachable(&why, games),
        }
    }

    /// `true` if a worker is still playing a pair, as far as is known.
    fn is_playing(&self) -> bool {
        let id = &self.announcement.plan.id;
        // A worker may have taken a pair and not reported it yet, or may have failed and not be detected yet.
        let lost_after = Duration::from_millis(self.announcement.settings.lost_after_ms);
        let is_recent = self.ended.is_none_or(|at| at.elapsed() < lost_after);
        let is_reported = || {
            let mut workers = self.workers.present().into_iter();
            workers.any(|worker| worker.match_id == *id && !worker.playing.is_empty())
        };
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
        let (mut is_game, mut stored) = (false, None);
        match serde_json::from_slice::<PairResult>(&message.payload) {
            Ok(PairResult {
                pair,
                worker,
                outcome,
            }) => {
                let outcome = match outcome {
                    Outcome::Stored(hash, n_bytes) => {
                        let outcome = self.load(&hash, n_bytes, games.stop);
                        stored = Some(hash);
                        outcome
                    }
                    outcome => Ok(outcome),
                };
                is_game = matches!(outcome, Ok(Outcome::Played(_)));
                self.take(pair, &worker, outcome, dispatch, games);
            }
            Err(error) => games.note(
                "fleet",
                format!("rejected a message: not a result: {error}"),
            ),
        }
        // A game that could not be recorded is delivered again when the match is resumed.
        if !(is_game && games.stop.is_now()) {
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
        if self.received.is_empty() && self.link.is_connected() {
            let fetched = self.link.wait(async {
                let batch = self.results.fetch().max_messages(BATCH).messages().await;
                let batch = batch.ok()?.filter_map(async |message| message.ok());
                timeout(ANSWER_TIME, batch.collect()).await.ok()
            });
            self.received = fetched.unwrap_or_default();
        }
        let next = self.received.pop_front();
        if next.is_none() {
            std::thread::sleep(WAIT);
        }
        next
    }

    /// Reads the outcome that an object holds.
    fn load(&self, hash: &str, n_bytes: u64, stop: &Stop) -> Result<Outcome, String> {
        if n_bytes > MAX_RESULT {
            return Err(format!(
                "a result of {n_bytes} bytes: expected at most {MAX_RESULT}"
            ));
        }
        let id = &self.announcement.plan.id;
        let bytes = store::get(&self.link, id, hash, n_bytes, stop)?;
        let result = serde_json::from_slice::<PairResult>(&bytes);
        result
            .map(|result| result.outcome)
            .map_err(|error| format!("not a result: {error}"))
    }

    fn take(
        &mut self,
        pair: usize,
        worker: &str,
        outcome: Result<Outcome, String>,
        dispatch: &mut Dispatch<'_>,
        games: &mut RemoteMatch<'_, '_>,
    ) {
        let finished = outcome.and_then(|outcome| match outcome {
            Outcome::Played(played) => dispatch.finish(pair, &played),
            Outcome::HandedBack { machine, reason } => {
                let text = format!("worker {worker} handed pair {pair} back: {reason}");
                games.note("fleet", text);
                let machines = self.handed_back.entry(pair).or_default();
                machines.insert(machine);
                let n_machines = machines.len();
                if n_machines >= self.announcement.settings.attempts && dispatch.is_open(pair) {
                    let machines = count(n_machines, "machine");
                    let why = format!(
                        "{machines} handed pair {pair} back, the last one because of {reason}"
                    );
                    self.give_up(why, games);
                }
                Ok(Vec::new())
            }
            Outcome::Stored(..) => Err("an object in an object".to_owned()),
        });
        match finished {
            Ok(finished) => finished.into_iter().for_each(|record| games.record(record)),
            Err(why) => {
                let text = format!("rejected a result from worker {worker}: {why}");
                games.note("fleet", text);
                if !dispatch.is_open(pair) {
                    return;
                }
                let n_rejected = self.rejected.entry(pair).or_default();
                *n_rejected += 1;
                if *n_rejected == MAX_REJECTED {
                    let why = format!(
                        "{MAX_REJECTED} results of pair {pair} were rejected, the last one because of {why}"
                    );
                    self.give_up(why, games);
                }
            }
        }
    }

    /// Stops the match because of a pair that cannot be played. It is played when the match is resumed.
    fn give_up(&mut self, why: String, games: &mut RemoteMatch<'_, '_>) {
        self.end(games);
        games.stop.fail(why);
    }

    fn publish_state(&self, games: &RemoteMatch<'_, '_>, first: usize) {
        let standing = games.standing();
        let rows = standing.tally.rows.iter();
        let rows = rows.map(|row| format!("{} {}", row.name, row.total().score()));
        let hours = self.began.elapsed().as_secs_f64() / 3600.0;
        let mut state = self.state.lock();
        (state.games, state.total) = (standing.games, standing.total);
        state.games_an_hour = (standing.games - first) as f64 / hours;
        state.score = rows.collect::<Vec<_>>().join(", ");
    }

    /// Reports problems of the connection, and the workers that refuse the match.
    fn poll_workers(&mut self, games: &mut RemoteMatch<'_, '_>) {
        if let Some(problem) = self.link.new_problem("") {
            games.note("fleet", problem);
        }
        let id = &self.announcement.plan.id;
        for state in self.workers.present() {
            let worker = &state.worker;
            if let Some(why) = state.refused.filter(|_| state.match_id == *id)
                && self.refused.insert(worker.clone())
            {
                games.note("fleet", format!("worker {worker} was rejected: {why}"));
            }
        }
    }

    /// Stops the match if too many workers were lost with one pair.
    fn check_lost(&mut self, dispatch: &mut Dispatch<'_>, games: &mut RemoteMatch<'_, '_>) {
        let Announcement { plan, settings, .. } = &self.announcement;
        let lost = self.workers.lost(&plan.id, settings.attempts);
        if let Some((pair, workers)) = lost.into_iter().find(|(pair, _)| dispatch.is_open(*pair)) {
            let (n_lost, names) = (count(workers.len(), "worker"), workers.join(", "));
            let why = format!("{n_lost} lost while playing pair {pair}: {names}");
            self.give_up(why, games);
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
        self.check_lost(dispatch, games);
        if !self.link.is_connected() {
            return;
        }
        if let Err(why) = self.compare(is_reconnected, dispatch, games.stop) {
            return self.note_unreachable(&why, games);
        }
        if is_reconnected {
            self.connections = self.link.connections();
            let text = format!("{} is connected again", self.link.shown);
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
        self.announce_again(stop)?;
        if is_reconnected && !stop.is_now() {
            self.received.clear();
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

    /// Announces the match if its last announcement differs. One of another coordinator stops this one.
    ///
    /// # Errors
    /// The server does not store the message.
    fn announce_again(&mut self, stop: &Stop) -> Result<(), String> {
        let id = &self.announcement.plan.id;
        let last = self.link.wait(streams::last_announced(&self.link, id))?;
        let sequence = last.as_ref().map_or(0, |last| last.sequence);
        let message = wire::format(&self.announcement);
        if last.as_ref().is_some_and(|last| last.payload == message) {
            return Ok(());
        }
        let last = last.and_then(|last| wire::parse::<Announcement>(&last.payload).ok());
        let own = &self.announcement.coordinator;
        if last.is_some_and(|last| last.coordinator != *own) {
            let expected = "this one, but another has begun";
            stop.fail(has_coordinator(&self.link, id, expected).text());
            return Ok(());
        }
        let announced = announce(&self.link, &self.announcement, sequence);
        announced.map_err(text)
    }

    /// Reports that the server is unreachable, once until it is reachable again.
    fn note_unreachable(&mut self, why: &str, games: &mut RemoteMatch<'_, '_>) {
        if !std::mem::replace(&mut self.is_unreachable, true) {
            games.note("fleet", format!("waits: {}: {why}", self.link.shown));
        }
    }
}

/// Creates what the match needs on the server and does not exist yet: its streams, and the programs it sends.
fn make(link: &Link, announcement: &Announcement) -> Result<(), String> {
    let id = &announcement.plan.id;
    let lost_after = Duration::from_millis(announcement.settings.lost_after_ms);
    link.wait(async {
        streams::make(link, id, lost_after).await?;
        let MatchSettings { engines, rules, .. } = &announcement.settings;
        for content in engines.iter().flatten().chain(rules) {
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
    let subject = subject("match", &announcement.plan.id);
    link.wait(link.store(subject, message)).map(drop)
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
        let questions = link.client.subscribe(subject("coordinator", id)).await;
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
pub(crate) fn ask(link: &Link, id: &str) -> Result<Option<CoordinatorState>, Failure> {
    let request = Request::new().timeout(Some(ANSWER_TIME));
    let asked = link
        .client
        .send_request(subject("coordinator", id), request);
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
pub(crate) fn refuse_second(link: &Link, id: &str, expected: &str) -> Result<(), Failure> {
    ask(link, id)?.map_or(Ok(()), |state| {
        let id = format!("{id} on {}", state.host);
        Err(has_coordinator(link, &id, expected))
    })
}

fn has_coordinator(link: &Link, id: &str, expected: &str) -> Failure {
    link.failed(format!("match {id} has a coordinator: expected {expected}"))
}

fn no_streams(link: &Link, why: &str) -> Failure {
    // A missing permission is only reported by the connection; the request is not answered.
    let problem = link.new_problem(why);
    problem.map_or_else(|| link.failed(why), Failure::Trouble)
}
