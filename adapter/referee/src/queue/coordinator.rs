//! Coordinates a match played by workers: puts its pairs into a queue and records the results.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use record::event::Event;
use record::finished::{Finished, FinishedGames};
use record::game::GameRecord;

use super::chance::{Finding, ScoreTest};
use super::dispatch::{Dispatch, MAX_WINDOW};
use super::verify::{Sampling, Verdict, Verifier};
use super::{Ending, Incoming, PairReport, PlayedPair, QueueControl, is_same_worker};
use crate::scoreboard::Scoreboard;
use crate::stop::Stop;

/// Maximum wait for incoming messages before other work is checked.
const WAIT: Duration = Duration::from_millis(100);

/// Interval for comparing the offered pairs with the contents of the queue.
const RECONCILE_EVERY: Duration = Duration::from_secs(60);

/// Number of workers that stops the match if their results of one pair are rejected: the next one would be too.
const MAX_REJECTED: usize = 3;

/// Number of rejected results after which a worker is set aside.
const MAX_FORGED: usize = 3;

/// Maximum number of workers whose rejected results are counted.
const MAX_COUNTED: usize = 10_000;

/// The coordinator of a match.
pub(crate) struct Coordinator<'c, 'm> {
    dispatch: Dispatch,
    queue: &'c mut dyn QueueControl,
    scoreboard: &'c mut Scoreboard<'m>,
    stop: &'c Stop,
    /// Set when a test has decided the match.
    enough: &'c AtomicBool,
    /// Offered pairs that the queue did not hold at the last comparison. Their results may still arrive.
    missing: Vec<usize>,
    reconciled: Instant,
    has_stopped: bool,
    is_unreachable: bool,
    verifier: Verifier,
    /// Number of rejected results of each worker.
    forged: BTreeMap<String, usize>,
    /// Names of workers or machines whose results are not accepted.
    set_aside: BTreeSet<String>,
    /// Workers with games recorded by this coordinator, with their machines.
    recorded: BTreeSet<[String; 2]>,
    /// There are games that an earlier coordinator recorded, by unknown workers.
    has_done: bool,
    /// Those whose recorded games are to be played again.
    again: BTreeSet<String>,
    /// Their games can be removed from the ledger.
    can_purge: bool,
    /// `None` in a tuning, whose values change, so that workers play different games at different times.
    scores: Option<ScoreTest>,
    /// A note about the results of the only two workers was written.
    has_noted_two: bool,
}

impl<'c, 'm> Coordinator<'c, 'm> {
    pub(crate) fn new(
        dispatch: Dispatch,
        queue: &'c mut dyn QueueControl,
        scoreboard: &'c mut Scoreboard<'m>,
        stop: &'c Stop,
        enough: &'c AtomicBool,
        has_done: bool,
        sampling: Sampling,
    ) -> Coordinator<'c, 'm> {
        Coordinator {
            verifier: Verifier::new(sampling),
            forged: BTreeMap::new(),
            set_aside: BTreeSet::new(),
            recorded: BTreeSet::new(),
            has_done,
            again: BTreeSet::new(),
            can_purge: dispatch.can_purge(),
            scores: (!dispatch.is_tuning()).then(ScoreTest::default),
            has_noted_two: false,
            dispatch,
            queue,
            scoreboard,
            stop,
            enough,
            missing: Vec::new(),
            reconciled: Instant::now(),
            has_stopped: false,
            is_unreachable: false,
        }
    }

    /// Counts the workers' results that an earlier coordinator has recorded. They are compared with the next pair: a further
    /// comparison of the same pairs would find more honest workers.
    pub(crate) fn count_done(&mut self, done: &FinishedGames) {
        let Some(scores) = &mut self.scores else {
            return;
        };
        let mut pairs: BTreeMap<usize, Vec<Finished<'_>>> = BTreeMap::new();
        for game in done.iter().filter(|game| !game.worker.is_empty()) {
            pairs.entry(game.pair).or_default().push(game);
        }
        for games in pairs.values() {
            scores.count(games[0].worker, games);
        }
    }

    /// Runs until the match has ended or is stopped, or until recorded games must be played again. Returns the workers
    /// that played these.
    pub(crate) fn run(mut self) -> BTreeSet<String> {
        self.adopt();
        while !self.stop.is_now() && self.again.is_empty() {
            let ending = self.ending();
            match ending {
                Some(ending) => self.stop_workers(ending),
                None => self.offer(),
            }
            if self.stop.is_asked() && self.is_unreachable && !self.has_stopped {
                // The queue keeps the pairs and their results until the match is resumed.
                break;
            }
            self.end_if_replaced();
            if self.stop.is_now() {
                break;
            }
            if let Some(incoming) = self.queue.receive(WAIT) {
                self.take(incoming);
                continue;
            }
            self.offer_missing();
            self.end_verification();
            if self.reconciled.elapsed() > RECONCILE_EVERY {
                self.reconcile();
            }
            let Some(ending) = ending else {
                continue;
            };
            if self.has_stopped && (self.dispatch.is_done() || !self.queue.is_playing()) {
                if ending == Ending::Over {
                    self.queue.close();
                }
                break;
            }
        }
        self.again
    }

    /// Returns the ending of the match if no more pairs are to be played.
    fn ending(&mut self) -> Option<Ending> {
        if self.enough.load(Ordering::Relaxed) || self.dispatch.is_done() {
            Some(Ending::Over)
        } else if self.stop.is_asked() {
            Some(Ending::Paused)
        } else {
            None
        }
    }

    /// Takes over the pairs that an earlier coordinator of this match has left in the queue. The pairs are listed
    /// before results are read, so that a pair finished in the meantime is already known when its result arrives.
    fn adopt(&mut self) {
        while !self.stop.is_asked() {
            match self.queue.held() {
                Ok(held) => {
                    self.dispatch.adopt(&held);
                    break;
                }
                Err(error) => {
                    self.note_unreachable(&error.0);
                    self.end_if_replaced();
                    std::thread::sleep(WAIT);
                }
            }
        }
        while !self.stop.is_now()
            && let Some(incoming) = self.queue.receive(WAIT)
        {
            self.take(incoming);
        }
        self.dispatch.end_adoption();
    }

    /// Offers pairs until the window is full.
    fn offer(&mut self) {
        let window = self.queue.window().min(MAX_WINDOW);
        let n_missing = window.saturating_sub(self.dispatch.n_offered());
        // Several at once cost less than each by itself.
        if n_missing <= window / 8 && n_missing < window {
            return;
        }
        let mut orders = Vec::new();
        while orders.len() < n_missing
            && let Some(order) = self.dispatch.remove_next()
        {
            orders.push(order);
        }
        if orders.is_empty() {
            return;
        }
        let offered = self.queue.offer(&orders);
        for (order, outcome) in orders.into_iter().zip(offered) {
            match outcome {
                Ok(()) => {
                    self.is_unreachable = false;
                    self.dispatch.offered(order);
                }
                Err(error) => {
                    self.dispatch.not_offered(order);
                    self.note_unreachable(&error.0);
                }
            }
        }
    }

    fn stop_workers(&mut self, ending: Ending) {
        if self.has_stopped {
            return;
        }
        match self.queue.stop(ending) {
            Ok(()) => self.has_stopped = true,
            Err(error) => self.note_unreachable(&error.0),
        }
    }

    fn take(&mut self, incoming: Incoming) {
        match incoming {
            Incoming::Report { receipt, report } => {
                self.receive_report(report);
                // A report that could not be recorded is delivered again when the match is resumed.
                if !self.stop.is_now() {
                    self.queue.settle(receipt);
                }
            }
            Incoming::Note { about, text } => self.note(about, text),
            Incoming::Banned {
                worker,
                why,
                is_purged,
            } => self.set_aside(&worker, &why, is_purged),
            Incoming::Reconnected => self.reconcile(),
            Incoming::Changed => {}
        }
    }

    fn receive_report(&mut self, report: PairReport) {
        match report {
            PairReport::Played(played) => self.receive_pair(played),
            PairReport::HandedBack {
                pair,
                attempt,
                why,
                worker,
            } => match why {
                Some(why) => self.reject(pair, attempt, &worker, &why),
                None => self.hand_back(pair, attempt),
            },
            PairReport::Failed { pair, reason } => {
                let records = self.dispatch.fail(pair, &reason);
                self.record(records);
            }
        }
    }

    fn receive_pair(&mut self, played: PlayedPair) {
        let (pair, attempt) = (played.pair, played.attempt);
        if self.is_set_aside(&played) {
            return self.hand_back(pair, attempt);
        }
        match self.dispatch.check(&played) {
            Ok(records) if records.is_empty() => {}
            Ok(records) => self.verify(played, records),
            Err(why) => self.reject(pair, attempt, played.worker(), &why),
        }
    }

    /// Records a valid result with these records, unless another worker must play the pair first.
    fn verify(&mut self, played: PlayedPair, records: Vec<GameRecord>) {
        let (pair, attempt) = (played.pair, played.attempt);
        match self.verifier.receive(&played, self.queue.n_workers()) {
            Verdict::Record(others) => {
                self.record_pair(played, records);
                for worker in others {
                    let why =
                        format!("its games of pair {pair} are not those that two others played");
                    self.set_aside(&worker, &why, true);
                }
            }
            Verdict::Again(not) => {
                if let [one, other] = &not[..] {
                    let text = format!(
                        "workers {one} and {other} played different games of pair {pair}: another one decides"
                    );
                    self.note_fleet(text);
                }
                self.dispatch.offer_to_others(pair, not);
            }
            Verdict::Repeated => self.hand_back(pair, attempt),
            Verdict::Unstable => {
                let text = format!(
                    "three workers played three different games of pair {pair}: --verify is switched off, because the \
                     engines do not play the same game twice"
                );
                self.note_fleet(text);
                self.verifier.switch_off();
                self.dispatch.offer_to_others(pair, Vec::new());
            }
        }
    }

    /// Ends the verification of pairs for which there are too few workers: of one result, it is recorded; of two
    /// different ones, neither.
    fn end_verification(&mut self) {
        let is_rest = self.verifier.n_held() >= self.dispatch.n_kept();
        for held in self.verifier.give_up(self.queue.n_workers(), is_rest) {
            if let [one] = &held[..] {
                // It was valid when it arrived.
                let records = self.dispatch.check(one).unwrap_or_default();
                if !records.is_empty() {
                    self.record_pair(one.clone(), records);
                }
                continue;
            }
            let players: Vec<&str> = held.iter().map(PlayedPair::worker).collect();
            let reason = format!(
                "workers {} played different games, and there was no third one",
                players.join(" and ")
            );
            let records = self.dispatch.fail(held[0].pair, &reason);
            self.record(records);
        }
    }

    fn record_pair(&mut self, played: PlayedPair, records: Vec<GameRecord>) {
        self.dispatch.close(played.pair, &records);
        let worker = played.worker().to_owned();
        self.recorded.extend(records.iter().filter_map(machine_of));
        let scores = self.scores.as_mut();
        let games: Vec<Finished<'_>> = records.iter().map(Finished::from).collect();
        let finding = scores.and_then(|scores| scores.count(&worker, &games));
        self.record(records);
        match finding {
            Some(Finding::Worker(worker)) => {
                let why = "its results differ from those of the other workers beyond chance";
                self.set_aside(&worker, why, true);
            }
            Some(Finding::Two([one, other]))
                if !std::mem::replace(&mut self.has_noted_two, true) =>
            {
                let text = format!(
                    "the results of workers {one} and {other} differ beyond chance: a third one decides"
                );
                self.note_fleet(text);
            }
            _ => {}
        }
    }

    fn record(&mut self, records: Vec<GameRecord>) {
        for record in records {
            let record = Box::new(record);
            self.scoreboard.take(Event::GameOver { record });
        }
    }

    /// Makes a pair without a result ready again, for other workers than those that have played it.
    fn hand_back(&mut self, pair: usize, attempt: u32) {
        if self.dispatch.hand_back(pair, attempt) {
            let players = self.verifier.players(pair);
            self.dispatch.offer_to_others(pair, players);
        }
    }

    /// Logs a rejected result. Its pair is offered again, since the worker has removed it from the queue.
    fn reject(&mut self, pair: usize, attempt: u32, worker: &str, why: &str) {
        let by = match worker {
            "" => String::new(),
            worker => format!(" from worker {worker}"),
        };
        self.note_fleet(format!("rejected a result{by}: {why}"));
        let n_rejected = self.dispatch.reject(pair, attempt, worker);
        if n_rejected >= MAX_REJECTED {
            self.stop_workers(Ending::Paused);
            let why = format!(
                "{n_rejected} results of pair {pair} were rejected, the last one because of {why}"
            );
            self.stop.fail(why);
        }
        if !worker.is_empty() && self.forged.len() < MAX_COUNTED {
            let n_forged = self.forged.entry(worker.to_owned()).or_default();
            *n_forged += 1;
            if *n_forged == MAX_FORGED {
                let why = format!(
                    "{MAX_FORGED} of its results were rejected, the last one because of {why}"
                );
                self.set_aside(worker, &why, false);
            }
        }
    }

    fn is_set_aside(&self, played: &PlayedPair) -> bool {
        let mut machines = played.games.iter().filter_map(machine_of);
        machines.any(|[worker, machine]| {
            let mut names = self.set_aside.iter();
            names.any(|name| *name == machine || is_same_worker(name, &worker))
        })
    }

    /// Makes a worker leave, and accepts no further result from it. With `is_purged`, its recorded games are played
    /// again.
    fn set_aside(&mut self, name: &str, why: &str, is_purged: bool) {
        if self.set_aside.insert(name.to_owned()) {
            self.note_fleet(format!("worker {name} is set aside: {why}"));
            self.queue.set_aside(name);
        }
        if let Some(scores) = &mut self.scores {
            scores.remove(name);
        }
        let is_its = |names: [String; 2]| names.iter().any(|found| is_same_worker(found, name));
        self.verifier
            .drop_worker(|played| played.games.iter().filter_map(machine_of).any(is_its));
        let has_games = self.has_done || self.recorded.iter().cloned().any(is_its);
        if !is_purged || !has_games {
            return;
        }
        match self.can_purge {
            true => drop(self.again.insert(name.to_owned())),
            false => self.note_fleet(format!(
                "the games of worker {name} remain, because later games depend on them"
            )),
        }
    }

    fn note_fleet(&mut self, text: String) {
        self.scoreboard.emit(Event::note("fleet", text));
    }

    fn note(&mut self, engine: String, text: String) {
        self.scoreboard.emit(Event::Note { engine, text });
    }

    fn end_if_replaced(&self) {
        if let Some(why) = self.queue.replaced() {
            self.stop.fail(why);
            self.stop.now();
        }
    }

    /// Reports that the queue is unreachable, once until it is reachable again.
    fn note_unreachable(&mut self, why: &str) {
        if !std::mem::replace(&mut self.is_unreachable, true) {
            self.note_fleet(format!("waits: {why}"));
        }
    }

    /// Finds pairs that the queue has lost, for example after a power failure. Their results may have arrived but not
    /// been read yet.
    fn reconcile(&mut self) {
        self.reconciled = Instant::now();
        let held: BTreeSet<usize> = match self.queue.held() {
            Ok(held) => held,
            Err(error) => return self.note_unreachable(&error.0),
        };
        self.missing = self.dispatch.missing(&held);
    }

    /// Offers the pairs that are still missing again. By now, all results that had arrived at the time of the
    /// comparison have been read.
    fn offer_missing(&mut self) {
        for pair in std::mem::take(&mut self.missing) {
            self.dispatch.offer_again(pair);
        }
    }
}

/// Names of the worker and of the machine that played a game.
fn machine_of(record: &GameRecord) -> Option<[String; 2]> {
    let machine = record.machine.as_ref()?;
    Some([machine.worker.clone(), machine.name.clone()])
}
