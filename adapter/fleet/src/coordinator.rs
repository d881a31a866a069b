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
use linesman::matches::Machines;
use linesman::usage::{Failure, OrFail, refuse};
use parking_lot::Mutex;
use record::engine_spec::{EngineSpec, Program};
use record::outputs::PgnComment;
use record::plan::Plan;
use record::schedule::Schedule;
use referee::host::Host;
use referee::play::GameRunner;
use referee::rules_program;
use referee::stop::Stop;
use referee::tournament::{Coordinate, Scoreboard};
use tokio::time::timeout;

use crate::args::{ATTEMPTS, FleetArgs, LOST_AFTER};
use crate::content::content;
use crate::dispatch::{Dispatch, PairOrder};
use crate::link::{Link, text};
use crate::platform::{self, measure};
use crate::reports::Workers;
use crate::streams::{self, ServerMatch, WINDOW};
use crate::wire::{
    self, Announcement, CoordinatorState, MAX_RESULT, MatchSettings, MatchState, Outcome,
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
    server: ServerMatch,
    announcement: Announcement,
    results: pull::Stream,
    workers: Workers,
    /// The data with which queries are answered.
    state: Arc<Mutex<CoordinatorState>>,
    began: Instant,
    /// Number of games recorded before it began.
    first: usize,
    /// Number of connections to the server when the results were asked for.
    connections: u64,
    /// Workers whose refusal was reported.
    refused: BTreeSet<String>,
    /// Time of the next comparison with the server.
    reconcile_at: Instant,
}

impl Drop for FleetControl {
    fn drop(&mut self) {
        // The connection is closed after all messages are sent. Without one, there is nothing to close.
        let link = &self.server.link;
        let _ = link.wait(link.client.drain());
    }
}

impl FleetControl {
    /// Announces a match whose engines have their names, or resumes one that was announced before.
    ///
    /// # Errors
    /// The match already has a coordinator, the ledger has no id for a fleet, or the server fails.
    pub(crate) fn open(
        link: &Link,
        plan: &Plan,
        settings: MatchSettings,
    ) -> Result<FleetControl, Failure> {
        if !streams::is_match_id(&plan.id) {
            return refuse!(
                "--fleet: this ledger was created by a version without fleets: begin a new match"
            );
        }
        let server = ServerMatch::of(link, &plan.id);
        let announcement = Announcement {
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
        server.make(&announcement.settings).map_err(failed)?;
        let workers = Workers::listen(link).map_err(failed)?;
        let last = server.last_announced().map_err(failed)?;
        let one_at_a_time = ". It can have one at a time";
        server.refuse_second(one_at_a_time)?;
        // Queries are answered before the match is announced, so of two coordinators that start at the same time, the
        // later one detects the earlier one.
        let state = server.answer().map_err(failed)?;
        let announced = server.announce(&announcement, last.map_or(0, |last| last.sequence));
        announced.map_err(|error| match error.kind() {
            PublishErrorKind::WrongLastSequence => server.has_coordinator("", one_at_a_time),
            _ => link.failed(error),
        })?;
        Ok(FleetControl {
            results: server.results(&announcement.coordinator).map_err(failed)?,
            announcement,
            workers,
            state,
            began: Instant::now(),
            first: 0,
            connections: link.connections(),
            refused: BTreeSet::new(),
            reconcile_at: Instant::now() + RECONCILE_EVERY,
            server,
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
        let dispatch = &mut Dispatch::new(&runner.plan, runner.rules.as_ref(), schedule);
        self.first = games.standing().games;
        // The pairs of results that have arrived are not offered again. Messages that arrive meanwhile are read later, so
        // that the match begins even if they do not end.
        let n_arrived = self.n_results();
        let _ = (0..n_arrived).all(|_| !stop.is_asked() && self.receive(dispatch, games));
        self.publish_state(games);
        while !stop.is_asked() && !games.is_decided() && !dispatch.is_done() {
            self.offer(dispatch, games);
            self.step(dispatch, games);
        }
        while !stop.is_now() && !self.end(games) {
            if stop.is_asked() {
                // The queue keeps the pairs and their results until the match is resumed.
                return;
            }
            self.step(dispatch, games);
        }
        let ended = Instant::now();
        while !stop.is_now() && !dispatch.is_done() && self.is_playing(ended) {
            self.step(dispatch, games);
        }
        if stop.is_now() {
            return;
        }
        // A worker stores a result before it removes the pair from the queue.
        let n_left = self.n_results();
        let is_left = |dispatch: &mut Dispatch<'_>| !stop.is_now() && !dispatch.is_done();
        let _ = (0..n_left).all(|_| is_left(dispatch) && self.receive(dispatch, games));
        if !stop.is_now() && (games.is_decided() || dispatch.is_done()) {
            self.server.delete();
        }
    }

    /// Handles the next result; if none arrives for a while, reads the reports of the workers.
    fn step(&mut self, dispatch: &mut Dispatch<'_>, games: &mut Scoreboard<'_>) {
        match self.receive(dispatch, games) {
            true => self.publish_state(games),
            false => self.poll_workers(games),
        }
        self.reconcile(dispatch, games);
    }

    /// Number of results that are not recorded yet.
    fn n_results(&self) -> u64 {
        self.server.n_messages("RESULTS").unwrap_or_default()
    }

    /// Offers pairs until the window is full.
    fn offer(&mut self, dispatch: &mut Dispatch<'_>, games: &mut Scoreboard<'_>) {
        let n_missing = WINDOW.saturating_sub(dispatch.n_offered());
        // Several at once cost less than each by itself.
        let link = &self.server.link;
        if n_missing <= WINDOW / 8 || !link.is_connected() {
            return;
        }
        let orders = dispatch.next_orders(n_missing);
        let store = |order: &PairOrder| {
            let message = PublishMessage::build().payload(wire::format(order).into());
            let subject = format!("{}.{}", self.server.subject("work"), order.pair);
            link.store(subject, message)
        };
        let stored = futures_util::future::join_all(orders.iter().map(store));
        for (order, stored) in orders.iter().zip(link.wait(stored)) {
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
        let (server, announcement) = (&self.server, &self.announcement);
        let last = server.last_announced()?;
        let sequence = last.as_ref().map_or(0, |last| last.sequence);
        let payload = last.map(|last| last.payload).unwrap_or_default();
        if payload == wire::format(announcement) {
            return Ok(());
        }
        let last = wire::parse::<Announcement>(&payload);
        if last.is_ok_and(|last| last.coordinator != announcement.coordinator) {
            let why = server.has_coordinator("", " that began later, so this one ends");
            stop.fail(why.text());
            return Ok(());
        }
        server.announce(announcement, sequence).map_err(text)
    }

    /// Notifies the workers that no more pairs are to be played. Those being played are finished. Returns `false` if the
    /// server does not answer.
    fn end(&mut self, games: &mut Scoreboard<'_>) -> bool {
        self.announcement.state = MatchState::Paused;
        let announced = self.announce_again(&games.stop);
        announced
            .inspect_err(|why| self.note_problem(why, games))
            .is_ok()
    }

    /// `true` if a worker is still playing a pair, as far as is known.
    fn is_playing(&self, ended: Instant) -> bool {
        let id = &self.announcement.plan.id;
        // A worker may have taken a pair and not reported it yet, or may have failed and not be detected yet.
        let lost_after = Duration::from_millis(self.announcement.settings.lost_after_ms);
        let is_recent = ended.elapsed() < lost_after;
        let is_reported = || {
            let mut workers = self.workers.present().into_iter();
            workers.any(|worker| worker.match_id == *id && !worker.playing.is_empty())
        };
        let counts = self.server.pair_counts();
        counts.is_some_and(|(_, n_leased)| n_leased > 0) && (is_recent || is_reported())
    }

    /// Handles the next result. Returns `false` if none arrives for a while.
    fn receive(&mut self, dispatch: &mut Dispatch<'_>, games: &mut Scoreboard<'_>) -> bool {
        let Some(message) = self.next_message(&games.stop) else {
            return false;
        };
        let parse = |bytes: &[u8]| {
            let result = serde_json::from_slice::<PairResult>(bytes);
            result.map_err(|error| format!("not a result: {error}"))
        };
        let (mut is_game, mut stored) = (false, None);
        match parse(&message.payload) {
            Ok(result) => {
                let outcome = match result.outcome {
                    Outcome::Stored(hash, n_bytes) => {
                        let object = (hash.as_str(), n_bytes);
                        let bytes = self.server.get_object(object, MAX_RESULT, &games.stop);
                        stored = Some(hash);
                        bytes.and_then(|bytes| Ok(parse(&bytes)?.outcome))
                    }
                    outcome => Ok(outcome),
                };
                is_game = matches!(outcome, Ok(Outcome::Played(_)));
                self.take(result.pair, &result.worker, outcome, dispatch, games);
            }
            Err(why) => games.note("fleet", format!("rejected a message: {why}")),
        }
        // A game that could not be recorded is delivered again when the match is resumed.
        if !(is_game && games.stop.is_now()) {
            let _ = self.server.link.wait(message.ack());
            if let Some(hash) = stored {
                self.server.delete_object(&hash);
            }
        }
        true
    }

    fn next_message(&mut self, stop: &Stop) -> Option<Message> {
        let next = self.results.next();
        let link = &self.server.link;
        let next = link.wait(async { timeout(WAIT, next).await });
        let connections = link.connections();
        match next {
            Ok(Some(Ok(message))) => return Some(message),
            Err(_) if connections == self.connections => return None,
            // The server does not answer, was started anew, or has another coordinator, which must not be disturbed.
            _ => std::thread::sleep(WAIT),
        }
        let announcement = &self.announcement;
        if link.is_connected()
            && self.server.make(&announcement.settings).is_ok()
            && self.announce_again(stop).is_ok()
            && !stop.is_now()
            && let Ok(results) = self.server.results(&announcement.coordinator)
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
        let (why, machine) = match outcome {
            Ok(Outcome::Played(played)) => match dispatch.finish(pair, &played) {
                Ok(finished) => return finished.into_iter().for_each(|game| games.record(game)),
                Err(why) => (why, None),
            },
            Ok(Outcome::HandedBack { machine, reason }) => (reason, Some(machine)),
            Ok(Outcome::Stored(..)) => ("an object in an object".to_owned(), None),
            Err(why) => (why, None),
        };
        let note = match machine {
            Some(_) => format!("worker {worker} handed pair {pair} back: {why}"),
            None => format!("rejected a result from worker {worker}: {why}"),
        };
        games.note("fleet", note);
        let Ok(Some(open)) = dispatch.open(pair) else {
            return;
        };
        open.n_rejected += usize::from(machine.is_none());
        open.machines.extend(machine);
        let (n_machines, n_rejected) = (open.machines.len(), open.n_rejected);
        let failed = if n_machines >= self.announcement.settings.attempts {
            format!("{} handed pair {pair} back", counted(n_machines, "machine"))
        } else if n_rejected >= MAX_REJECTED {
            format!("{n_rejected} results of pair {pair} were rejected")
        } else {
            return;
        };
        self.give_up(format!("{failed}, the last one because of {why}"), games);
    }

    /// Stops the match because of a pair that cannot be played. It is played when the match is resumed.
    fn give_up(&mut self, why: String, games: &mut Scoreboard<'_>) {
        self.end(games);
        games.stop.fail(why);
    }

    fn publish_state(&self, games: &Scoreboard<'_>) {
        let standing = games.standing();
        let rows = standing.tally.rows.iter();
        let rows = rows.map(|row| format!("{} {}", row.name, row.total().score()));
        let hours = self.began.elapsed().as_secs_f64() / 3600.0;
        let mut state = self.state.lock();
        (state.games, state.total) = (standing.games, standing.total);
        state.games_an_hour = (standing.games - self.first) as f64 / hours;
        state.score = rows.collect::<Vec<_>>().join(", ");
    }

    /// Notes a problem of the connection, once until the next one.
    fn note_problem(&self, why: &str, games: &mut Scoreboard<'_>) {
        if let Some(problem) = self.server.link.new_problem(why) {
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

    /// At intervals and after each reconnection, stops the match if too many workers were lost with one pair, and compares
    /// the server with what it should hold: it may have lost files, for example in a power failure, or pairs by an invalid
    /// result.
    fn reconcile(&mut self, dispatch: &mut Dispatch<'_>, games: &mut Scoreboard<'_>) {
        if Instant::now() < self.reconcile_at {
            return;
        }
        self.reconcile_at = Instant::now() + RECONCILE_EVERY;
        self.poll_workers(games);
        let Announcement { plan, settings, .. } = &self.announcement;
        let mut lost = self.workers.lost(&plan.id, settings.attempts).into_iter();
        let is_open = |(pair, _): &(usize, _)| matches!(dispatch.open(*pair), Ok(Some(_)));
        if let Some((pair, workers)) = lost.find(is_open) {
            let (n_lost, names) = (counted(workers.len(), "worker"), workers.join(", "));
            let why = format!("{n_lost} lost while playing pair {pair}: {names}");
            self.give_up(why, games);
        }
        if self.server.link.is_connected() {
            let made = self.server.make(&self.announcement.settings);
            let announced = made.and_then(|()| self.announce_again(&games.stop));
            match announced.and_then(|()| self.server.held_pairs()) {
                Ok(held) => dispatch.compare(&held),
                Err(why) => self.note_problem(&why, games),
            }
        }
    }
}

/// The workers of a server.
pub(crate) struct Fleet {
    args: FleetArgs,
    link: OnceCell<Link>,
}

impl Machines for Fleet {
    fn connect(&self) -> Result<(), Failure> {
        let link = Link::connect(&self.args.fleet, &self.args.credentials)?;
        let _ = self.link.set(link);
        Ok(())
    }

    fn announce(&self, plan: &Plan, host: &Host) -> Result<Coordinate, Failure> {
        let is_sent = self.args.send_engines;
        let engine = |spec: &EngineSpec| {
            let name = spec.name.as_deref().unwrap_or_default();
            content(&spec.program, is_sent).or_trouble(format!("engine {name}"))
        };
        let rules = plan.rules.as_ref();
        let rules = rules.and_then(|rules| rules_program::program_of(&rules.words));
        let rules = rules.map_or(Ok(None), |program| content(&program, is_sent));
        let settings = MatchSettings {
            rules: rules.or_trouble("--rules")?,
            lost_after_ms: self.args.lost_after.saturating_mul(1000),
            attempts: self.args.attempts as usize,
            keeps_pv: plan.outputs.pgn_comments.contains(&PgnComment::Pv),
            bench: self.bench(plan, host)?,
            engines: plan.engines.iter().map(engine).collect::<Result<_, _>>()?,
        };
        let link = self.link.get().expect("a match connects first");
        let control = FleetControl::open(link, plan, settings)?;
        Ok(Box::new(|runner, games, schedule| {
            control.run(runner, games, schedule)
        }))
    }

    /// The address is without its password, which is not to be in a shell's history.
    fn flags(&self) -> String {
        let (args, server) = (&self.args, self.link.get());
        let file = |flag: &str, path: &Option<PathBuf>| {
            let path = path.as_ref()?.display().to_string();
            Some(format!("{flag} {}", quote(path)))
        };
        let flags = [
            server.map(|link| format!("--fleet {}", link.shown)),
            (args.lost_after != LOST_AFTER).then(|| format!("--lost-after-s {}", args.lost_after)),
            (args.attempts != ATTEMPTS).then(|| format!("--attempts {}", args.attempts)),
            args.scale_time.map(|nps| format!("--scale-time {nps}")),
            file("--creds", &args.credentials.creds),
            file("--tls-ca", &args.credentials.tls_ca),
            args.send_engines.then(|| "--send-engines".to_owned()),
        ];
        Vec::from_iter(flags.into_iter().flatten()).join(" ")
    }
}

impl Fleet {
    pub(crate) fn new(args: FleetArgs) -> Fleet {
        let link = OnceCell::new();
        Fleet { args, link }
    }

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
