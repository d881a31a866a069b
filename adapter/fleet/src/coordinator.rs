//! `linesman-fleet match`: the coordinator of a match puts its pairs into the queue and records their results. This machine
//! does everything except play the games.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use futures_util::StreamExt;
use kit::fen::counted;
use linesman::engines::words::quote;
use linesman::matches::{Coordinate, Machines};
use linesman::usage::{Failure, OrFail};
use parking_lot::Mutex;
use record::engine_spec::{EngineSpec, Program};
use record::outputs::PgnComment;
use record::plan::Plan;
use record::schedule::Schedule;
use referee::host::Host;
use referee::play::GameRunner;
use referee::rules_program;
use referee::stop::Stop;
use referee::tournament::Scoreboard;
use tokio::time::timeout;

use crate::args::{ATTEMPTS, FleetArgs, LOST_AFTER};
use crate::content::content;
use crate::dispatch::{Dispatch, PairOrder};
use crate::link::{Link, text};
use crate::platform::{self, measure};
use crate::reports::{Workers, answer, has_coordinator, refuse_second};
use crate::streams::{self, WINDOW, result_stream, subject};
use crate::wire::{
    self, Announcement, CoordinatorState, FORMAT, MAX_RESULT, MatchSettings, MatchState, Outcome,
    PairResult, WireBench, portable,
};

/// Longest wait for a result, after which other work is due.
const WAIT: Duration = Duration::from_millis(100);

/// Interval for comparing the offered pairs with the contents of the queue.
const RECONCILE_EVERY: Duration = Duration::from_secs(2);

/// Number of rejected results of one pair that stops the match: the next one would be rejected too.
const MAX_REJECTED: usize = 3;

/// A match that was announced to the workers.
pub(crate) struct FleetControl {
    link: Link,
    announcement: Announcement,
    results: pull::Stream,
    workers: Workers,
    /// The data with which queries are answered.
    state: Arc<Mutex<CoordinatorState>>,
    began: Instant,
    /// Number of connections to the server when the results were asked for.
    connections: u64,
    /// Workers whose refusal was reported.
    refused: BTreeSet<String>,
    /// Time of the next comparison with the server.
    reconcile_at: Instant,
    /// Time of the message to the workers that the match has ended.
    ended: Option<Instant>,
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
        // A missing permission is only reported by the connection; the request is not answered.
        let failed = |why: String| match link.new_problem(&why) {
            Some(problem) => Failure::Trouble(problem),
            None => link.failed(why),
        };
        let make = || {
            link.wait(streams::make(&link, &announcement))?;
            let workers = Workers::listen(&link)?;
            Ok((workers, link.wait(streams::last_announced(&link, id))?))
        };
        let (workers, last) = make().map_err(failed)?;
        refuse_second(&link, id, ". It can have one at a time")?;
        // Queries are answered before the match is announced, so of two coordinators that start at the same time, the
        // later one detects the earlier one.
        let state = answer(&link, id).map_err(failed)?;
        let announced = link.wait(streams::announce(
            &link,
            &announcement,
            last.map_or(0, |last| last.sequence),
        ));
        announced.map_err(|error| match error.kind() {
            PublishErrorKind::WrongLastSequence => {
                has_coordinator(&link, id, ". It can have one at a time")
            }
            _ => link.failed(error),
        })?;
        let results = link.wait(streams::results(&link, &announcement));
        let results = results.map_err(failed)?;
        Ok(FleetControl {
            announcement,
            results,
            workers,
            state,
            began: Instant::now(),
            connections: link.connections(),
            refused: BTreeSet::new(),
            reconcile_at: Instant::now() + RECONCILE_EVERY,
            ended: None,
            link,
        })
    }

    /// Runs until the match has ended or is stopped.
    pub(crate) fn run(
        mut self,
        runner: &GameRunner,
        games: &mut Scoreboard<'_>,
        schedule: Schedule,
    ) {
        let stop = &runner.stop;
        let mut dispatch = Dispatch::new(&runner.plan, runner.rules.as_ref(), schedule);
        let first = games.standing().games;
        // The pairs of results that have arrived are not offered again. Messages that arrive meanwhile are read later, so
        // that the match begins even if they do not end.
        let n_arrived = self.n_results();
        let _ = (0..n_arrived).all(|_| !stop.is_asked() && self.receive(&mut dispatch, games));
        self.publish_state(games, first);
        // Number of results to read before the end, once no worker plays any more.
        let mut n_left = None;
        while !stop.is_now() {
            let is_over = games.is_decided() || dispatch.is_done();
            if !is_over && !stop.is_asked() {
                self.offer(&mut dispatch, games);
            } else if self.ended.is_none() && !self.end(games) && stop.is_asked() {
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
            if self.ended.is_none() {
                continue;
            }
            let is_read = n_left.is_some_and(|n_left| n_left == 0 || !is_received);
            if is_read || dispatch.is_done() {
                if is_over {
                    let (link, id) = (&self.link, &self.announcement.plan.id);
                    link.wait(streams::delete_match(link, id));
                }
                return;
            }
            n_left = match n_left {
                Some(n_left) => Some(n_left - 1),
                // A worker stores a result before it removes the pair from the queue.
                None => (!self.is_playing()).then(|| self.n_results()),
            };
        }
    }

    /// Number of results that are not recorded yet.
    fn n_results(&self) -> u64 {
        let name = result_stream(&self.announcement.plan.id);
        let counted = self.link.wait(streams::n_messages(&self.link, &name));
        counted.unwrap_or_default()
    }

    /// Offers pairs until the window is full.
    fn offer(&mut self, dispatch: &mut Dispatch<'_>, games: &mut Scoreboard<'_>) {
        let n_missing = WINDOW.saturating_sub(dispatch.n_offered());
        // Several at once cost less than each by itself.
        if n_missing <= WINDOW / 8 || !self.link.is_connected() {
            return;
        }
        let orders = dispatch.next_orders(n_missing);
        let id = &self.announcement.plan.id;
        let store = |order: &PairOrder| {
            let message = PublishMessage::build().payload(wire::format(order).into());
            let pair = format!("{id}.{}", order.pair);
            self.link.store(subject("work", &pair), message)
        };
        let stored = futures_util::future::join_all(orders.iter().map(store));
        for (order, stored) in orders.iter().zip(self.link.wait(stored)) {
            match stored.map_err(text) {
                // The queue may hold the pair already.
                Err(why) if !why.contains("maximum messages per subject exceeded") => {
                    self.note_problem(&why, games);
                }
                _ => dispatch.offered(order.pair),
            }
        }
    }

    /// Announces the match if its last announcement differs. One of another coordinator stops this one.
    ///
    /// # Errors
    /// The server does not store the message.
    fn announce_again(&self, stop: &Stop) -> Result<(), String> {
        let (link, announcement) = (&self.link, &self.announcement);
        let id = &announcement.plan.id;
        let last = link.wait(streams::last_announced(link, id))?;
        let sequence = last.as_ref().map_or(0, |last| last.sequence);
        if last
            .as_ref()
            .is_some_and(|last| last.payload == wire::format(announcement))
        {
            return Ok(());
        }
        let last = last.and_then(|last| wire::parse::<Announcement>(&last.payload).ok());
        if last.is_some_and(|last| last.coordinator != announcement.coordinator) {
            stop.fail(has_coordinator(link, id, " that began later, so this one ends").text());
            return Ok(());
        }
        let announced = link.wait(streams::announce(link, announcement, sequence));
        announced.map_err(text)
    }

    /// Notifies the workers that no more pairs are to be played. Those being played are finished. Returns `false` if the
    /// server does not answer.
    fn end(&mut self, games: &mut Scoreboard<'_>) -> bool {
        self.announcement.state = MatchState::Paused;
        match self.announce_again(&games.stop) {
            Ok(()) => self.ended = Some(Instant::now()),
            Err(why) => self.note_problem(&why, games),
        }
        self.ended.is_some()
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
        let counts = || self.link.wait(streams::pair_counts(&self.link, id));
        (is_recent || is_reported()) && counts().is_some_and(|(_, n_leased)| n_leased > 0)
    }

    /// Handles the next result. Returns `false` if none arrives for a while.
    fn receive(&mut self, dispatch: &mut Dispatch<'_>, games: &mut Scoreboard<'_>) -> bool {
        let Some(message) = self.next_message(&games.stop) else {
            return false;
        };
        let (mut is_game, mut stored) = (false, None);
        match serde_json::from_slice::<PairResult>(&message.payload) {
            Ok(result) => {
                let outcome = match result.outcome {
                    Outcome::Stored(hash, n_bytes) => {
                        let hash = stored.insert(hash);
                        self.load(hash, n_bytes, &games.stop)
                    }
                    outcome => Ok(outcome),
                };
                is_game = matches!(outcome, Ok(Outcome::Played(_)));
                self.take(result.pair, &result.worker, outcome, dispatch, games);
            }
            Err(error) => {
                let text = format!("rejected a message: not a result: {error}");
                games.note("fleet", text);
            }
        }
        // A game that could not be recorded is delivered again when the match is resumed.
        if !(is_game && games.stop.is_now()) {
            self.link.wait(async {
                let _ = message.ack().await;
                if let Some(hash) = stored {
                    streams::delete_object(&self.link, &self.announcement.plan.id, &hash).await;
                }
            });
        }
        true
    }

    /// Reads the outcome that an object holds.
    fn load(&self, hash: &str, n_bytes: u64, stop: &Stop) -> Result<Outcome, String> {
        if n_bytes > MAX_RESULT {
            return Err(format!(
                "a result of {n_bytes} bytes, more than {MAX_RESULT}"
            ));
        }
        let id = &self.announcement.plan.id;
        let bytes = streams::get_object(&self.link, id, hash, n_bytes, stop)?;
        let result = serde_json::from_slice::<PairResult>(&bytes);
        let result = result.map_err(|error| format!("not a result: {error}"))?;
        Ok(result.outcome)
    }

    fn next_message(&mut self, stop: &Stop) -> Option<Message> {
        let next = self.results.next();
        let next = self.link.wait(async { timeout(WAIT, next).await });
        let connections = self.link.connections();
        match next {
            Ok(Some(Ok(message))) => return Some(message),
            Err(_) if connections == self.connections => return None,
            // The server does not answer, was started anew, or has another coordinator, which must not be disturbed.
            _ => std::thread::sleep(WAIT),
        }
        let (link, announcement) = (&self.link, &self.announcement);
        if link.is_connected()
            && link.wait(streams::make(link, announcement)).is_ok()
            && self.announce_again(stop).is_ok()
            && !stop.is_now()
            && let Ok(results) = link.wait(streams::results(link, announcement))
        {
            (self.results, self.connections) = (results, connections);
            self.reconcile_at = Instant::now();
        }
        None
    }

    fn take(
        &mut self,
        pair: usize,
        worker: &str,
        outcome: Result<Outcome, String>,
        dispatch: &mut Dispatch<'_>,
        games: &mut Scoreboard<'_>,
    ) {
        let finished = outcome.and_then(|outcome| match outcome {
            Outcome::Played(played) => dispatch.finish(pair, &played).map(Ok),
            Outcome::HandedBack { machine, reason } => Ok(Err((machine, reason))),
            Outcome::Stored(..) => Err("an object in an object".to_owned()),
        });
        let (note, why) = match finished {
            Ok(Ok(finished)) => {
                return finished.into_iter().for_each(|record| games.record(record));
            }
            Ok(Err((machine, reason))) => {
                let n_machines = dispatch.open(pair).ok().flatten().map_or(0, |open| {
                    open.machines.insert(machine);
                    open.machines.len()
                });
                let machines = counted(n_machines, "machine");
                let is_last = n_machines >= self.announcement.settings.attempts;
                let why =
                    format!("{machines} handed pair {pair} back, the last one because of {reason}");
                (
                    format!("worker {worker} handed pair {pair} back: {reason}"),
                    is_last.then_some(why),
                )
            }
            Err(why) => {
                let n_rejected = dispatch.open(pair).ok().flatten().map_or(0, |open| {
                    open.n_rejected += 1;
                    open.n_rejected
                });
                let note = format!("rejected a result from worker {worker}: {why}");
                let why = format!(
                    "{MAX_REJECTED} results of pair {pair} were rejected, the last one because of {why}"
                );
                (note, (n_rejected == MAX_REJECTED).then_some(why))
            }
        };
        games.note("fleet", note);
        if let Some(why) = why {
            self.give_up(why, games);
        }
    }

    /// Stops the match because of a pair that cannot be played. It is played when the match is resumed.
    fn give_up(&mut self, why: String, games: &mut Scoreboard<'_>) {
        self.end(games);
        games.stop.fail(why);
    }

    fn publish_state(&self, games: &Scoreboard<'_>, first: usize) {
        let standing = games.standing();
        let rows = standing.tally.rows.iter();
        let rows = rows.map(|row| format!("{} {}", row.name, row.total().score()));
        let hours = self.began.elapsed().as_secs_f64() / 3600.0;
        let mut state = self.state.lock();
        (state.games, state.total) = (standing.games, standing.total);
        state.games_an_hour = (standing.games - first) as f64 / hours;
        state.score = rows.collect::<Vec<_>>().join(", ");
    }

    /// Notes a problem of the connection, once until the next one.
    fn note_problem(&self, why: &str, games: &mut Scoreboard<'_>) {
        if let Some(problem) = self.link.new_problem(why) {
            games.note("fleet", problem);
        }
    }

    /// Reports problems of the connection, and the workers that refuse the match.
    fn poll_workers(&mut self, games: &mut Scoreboard<'_>) {
        self.note_problem("", games);
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
    fn check_lost(&mut self, dispatch: &mut Dispatch<'_>, games: &mut Scoreboard<'_>) {
        let Announcement { plan, settings, .. } = &self.announcement;
        let mut lost = self.workers.lost(&plan.id, settings.attempts).into_iter();
        let mut is_open = |pair: usize| matches!(dispatch.open(pair), Ok(Some(_)));
        if let Some((pair, workers)) = lost.find(|(pair, _)| is_open(*pair)) {
            let (n_lost, names) = (counted(workers.len(), "worker"), workers.join(", "));
            let why = format!("{n_lost} lost while playing pair {pair}: {names}");
            self.give_up(why, games);
        }
    }

    /// Compares the server with what it should hold, at intervals and after each reconnection: it may have lost files, for
    /// example in a power failure, or pairs by an invalid result.
    fn reconcile(&mut self, dispatch: &mut Dispatch<'_>, games: &mut Scoreboard<'_>) {
        if Instant::now() < self.reconcile_at {
            return;
        }
        self.reconcile_at = Instant::now() + RECONCILE_EVERY;
        self.poll_workers(games);
        self.check_lost(dispatch, games);
        if self.link.is_connected()
            && let Err(why) = self.compare(dispatch, &games.stop)
        {
            self.note_problem(&why, games);
        }
    }

    fn compare(&mut self, dispatch: &mut Dispatch<'_>, stop: &Stop) -> Result<(), String> {
        let (link, announcement) = (&self.link, &self.announcement);
        link.wait(streams::make(link, announcement))?;
        self.announce_again(stop)?;
        let held = link.wait(streams::held_pairs(link, &announcement.plan.id))?;
        dispatch.compare(&held);
        Ok(())
    }
}

/// The workers of a server.
pub(crate) struct Fleet {
    args: FleetArgs,
    link: OnceCell<Link>,
}

impl Fleet {
    pub(crate) fn new(args: FleetArgs) -> Fleet {
        let link = OnceCell::new();
        Fleet { args, link }
    }

    fn link(&self) -> Result<Link, Failure> {
        if let Some(link) = self.link.get() {
            return Ok(link.clone());
        }
        let link = Link::connect(&self.args.fleet, &self.args.credentials)?;
        Ok(self.link.get_or_init(|| link).clone())
    }
}

impl Machines for Fleet {
    fn connect(&self) -> Result<(), Failure> {
        self.link().map(drop)
    }

    fn announce(&self, plan: &Plan, host: &Host) -> Result<Coordinate, Failure> {
        let is_sent = self.args.send_engines;
        let engine = |spec: &EngineSpec| {
            let name = spec.name.as_deref().unwrap_or_default();
            content(&spec.program, is_sent).or_trouble(format!("engine {name}"))
        };
        let rules = plan.rules.as_ref();
        let rules = rules.and_then(|rules| rules_program::program_of(&rules.words));
        let rules = rules.map(|program| content(&program, is_sent));
        let rules = rules.transpose().or_trouble("--rules")?;
        let settings = MatchSettings {
            rules: rules.flatten(),
            lost_after_ms: self.args.lost_after.saturating_mul(1000),
            attempts: self.args.attempts as usize,
            keeps_pv: plan.outputs.pgn_comments.contains(&PgnComment::Pv),
            bench: self.bench(plan, host)?,
            engines: plan.engines.iter().map(engine).collect::<Result<_, _>>()?,
        };
        let control = FleetControl::open(self.link()?, plan, settings)?;
        Ok(Box::new(|runner, games, schedule| {
            control.run(runner, games, schedule)
        }))
    }

    /// The address is without its password, which is not to be in a shell's history.
    fn flags(&self) -> String {
        let FleetArgs {
            lost_after,
            attempts,
            scale_time,
            send_engines,
            credentials,
            ..
        } = &self.args;
        let file = |flag: &str, path: &Option<PathBuf>| {
            let path = path.as_ref()?.display().to_string();
            Some(format!("{flag} {}", quote(path)))
        };
        let flags = [
            self.link
                .get()
                .map(|link| format!("--fleet {}", link.shown)),
            (*lost_after != LOST_AFTER).then(|| format!("--lost-after-s {lost_after}")),
            (*attempts != ATTEMPTS).then(|| format!("--attempts {attempts}")),
            scale_time.map(|nps| format!("--scale-time {nps}")),
            file("--creds", &credentials.creds),
            file("--tls-ca", &credentials.tls_ca),
            send_engines.then(|| "--send-engines".to_owned()),
        ];
        Vec::from_iter(flags.into_iter().flatten()).join(" ")
    }
}

impl Fleet {
    /// The benchmark of the machines' speed: the built-in engine's for the match's game, or for the first game if the
    /// match's game is not compiled in.
    fn bench(&self, plan: &Plan, host: &Host) -> Result<Option<WireBench>, Failure> {
        let is_timed = plan.engines.iter().any(|spec| spec.limit.is_time());
        let is_builtin = |spec: &EngineSpec| spec.program == Program::Builtin;
        if !is_timed && !plan.engines.iter().any(is_builtin) {
            return Ok(None);
        }
        let games = host.registry.games().iter();
        let mut compiled = games.filter(|entry| !entry.is_of_program());
        let known = compiled.clone().find(|entry| entry.name == plan.game.name);
        let Some(entry) = known.or_else(|| compiled.next()) else {
            return Ok(None);
        };
        let bench = measure(&host.executable, entry.name, 1).or_trouble("bench")?;
        Ok(Some(WireBench {
            game: entry.name.to_owned(),
            nodes: bench.nodes,
            nps: is_timed.then(|| self.args.scale_time.unwrap_or(bench.nps)),
        }))
    }
}
