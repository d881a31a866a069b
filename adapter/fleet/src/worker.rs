//! `linesman-fleet worker`: plays pairs of any open match that another machine coordinates, while there are some, in one
//! thread for each game.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use futures_util::StreamExt;
use kit::fen::counted;
use linesman::config::{Described, EnginesFile};
use linesman::engines::words::Words;
use linesman::matches::{heed_signals, host};
use linesman::output::{one_line, put};
use linesman::paths;
use linesman::records::render;
use linesman::usage::{Failure, OrFail};
use parking_lot::Mutex;
use record::engine_spec::EngineSpec;
use record::event::Event;
use record::game::{GameRecord, Machine};
use record::registry::Registry;
use referee::host::Host;
use referee::live_game::Halt;
use referee::play::GameRunner;
use tokio::time::timeout;

use crate::args::WorkerArgs;
use crate::dispatch::{PairOrder, fit};
use crate::link::{Link, text};
use crate::platform::{self, Benches};
use crate::reports::{self, send_now};
use crate::streams::{self, ServerMatch};
use crate::wire::{self, Announcement, MatchState, Outcome, PairResult, WorkerState};

/// Interval at which a worker without a match looks for one.
const LOOK_EVERY: Duration = Duration::from_secs(1);

/// Pause before a failed operation is repeated, or a waiting worker checks again for a stop request.
pub(crate) const PAUSE: Duration = Duration::from_millis(100);

/// Shows a message to the user. A closed output does not stop the games.
pub(crate) fn say(line: &str) {
    let _ = put(&one_line(line), false);
}

/// Plays until a signal stops it or it is idle for too long.
///
/// # Errors
/// There was nothing to play because all open matches were refused, or the server or this system fails.
pub(crate) fn run(args: &WorkerArgs, registry: Registry) -> Result<ExitCode, Failure> {
    heed_signals()?;
    let host = host(registry)?;
    let file = EnginesFile::new(args.engines.as_deref());
    let path = file.path()?;
    let described = match args.engines.is_none() && !path.exists() {
        true => Vec::new(),
        false => file.all()?,
    };
    let local = |engine: &Described| {
        let mut spec = engine.words.clone().spec(&engine.name, &Words::default())?;
        spec.name = Some(engine.name.clone());
        Ok(spec)
    };
    let engines: Result<Vec<EngineSpec>, Failure> = described.iter().map(local).collect();
    let cache = args.accept_engines.then(paths::cache).transpose();
    let cache = cache.or_trouble("--accept-engines")?;
    let link = &Link::connect(&args.server.url, &args.server.credentials)?;
    let mut worker = Worker {
        link,
        args,
        host: &host,
        engines: engines?,
        engines_file: path.display().to_string(),
        cache: cache.map(|folder| folder.join("engines")),
        state: reports::begin(link),
        benches: Benches::default(),
        refused: BTreeMap::new(),
        last: String::new(),
        active: Mutex::new(Instant::now()),
    };
    let ended = worker.run();
    worker.update(|state| {
        // The last report still names the match that was refused.
        if state.refused.is_none() {
            state.match_id.clear();
        }
        state.playing.clear();
    });
    worker.report_now();
    ended.map(|()| ExitCode::SUCCESS)
}

pub(crate) struct Worker<'a> {
    pub(crate) link: &'a Link,
    pub(crate) args: &'a WorkerArgs,
    pub(crate) host: &'a Host,
    /// Engines of this machine, with their names in the engines file.
    pub(crate) engines: Vec<EngineSpec>,
    /// Path of the engines file, for messages.
    pub(crate) engines_file: String,
    /// Folder for programs from coordinators, if this worker runs them.
    pub(crate) cache: Option<PathBuf>,
    /// The state that it reports.
    pub(crate) state: Arc<Mutex<WorkerState>>,
    pub(crate) benches: Benches,
    /// Refused matches by their ids, with the reasons. One that is announced otherwise is tried again.
    pub(crate) refused: BTreeMap<String, (Announcement, String)>,
    /// Id of the last match that it left. Others are tried first.
    pub(crate) last: String,
    /// Time at which a pair was last received or ended.
    pub(crate) active: Mutex<Instant>,
}

impl Worker<'_> {
    fn run(&mut self) -> Result<(), Failure> {
        while !self.host.stop.is_asked() {
            let mut open = self.open_matches();
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

    pub(crate) fn open_matches(&self) -> Vec<Announcement> {
        let mut found = streams::announcements(self.link);
        found.retain(|found| found.state == MatchState::Open);
        found
    }

    /// Waits for the next search, or the end.
    fn wait(&self) {
        let began = Instant::now();
        while began.elapsed() < LOOK_EVERY && !self.host.stop.is_asked() && !self.is_idle() {
            std::thread::sleep(PAUSE);
        }
    }

    pub(crate) fn is_idle(&self) -> bool {
        let waited = self.active.lock().elapsed();
        let idle = self.args.idle.map(Duration::from_secs);
        idle.is_some_and(|idle| waited >= idle)
    }

    /// Shows the event of a game.
    pub(crate) fn show(&self, event: &Event) {
        match event {
            Event::GameOver { record } if !self.args.quiet => say(&render::finished(record)),
            Event::Note { engine, text } => say(&format!("Note: {engine} {text}")),
            _ => {}
        }
    }

    /// Reports why the server cannot be used, once for each reason.
    pub(crate) fn tell_problem(&self, why: &str) {
        if let Some(problem) = self.link.new_problem(why) {
            say(&format!("Note: {problem}"));
        }
    }

    fn update(&self, change: impl FnOnce(&mut WorkerState)) {
        change(&mut self.state.lock());
    }

    fn report_now(&self) {
        send_now(self.link, &self.state);
    }

    fn refuse(&mut self, found: &Announcement, why: &str) {
        if self.host.stop.is_asked() {
            return;
        }
        let id = &found.plan.id;
        self.update(|state| {
            state.match_id.clone_from(id);
            state.concurrency = 0;
            state.refused = Some(why.to_owned());
        });
        self.report_now();
        say(&format!("Match {id} rejected: {why}"));
        let why = format!("match {id}: {why}");
        self.refused.insert(id.clone(), (found.clone(), why));
    }
}

/// Time that a request for a pair waits at the server, and so the longest delay before a worker that shall stop notices
/// it.
const PULL: Duration = Duration::from_secs(1);

/// Time without a pair after which the worker looks for other matches.
const OTHERS_AFTER: Duration = Duration::from_secs(3);

impl Worker<'_> {
    /// Joins a match and plays it while it has pairs.
    pub(crate) fn join(&mut self, found: &Announcement) -> Result<(), Failure> {
        let (id, link) = (&found.plan.id, self.link);
        let (tournament, scale) = match self.accept(found) {
            Ok(accepted) => accepted,
            Err(why) => {
                self.refuse(found, &why);
                return Ok(());
            }
        };
        let concurrency = tournament.runner.plan.concurrency;
        let server = ServerMatch::of(link, id);
        let Ok(consumer) = server.pairs() else {
            // The match has ended in the meantime, or the server is unreachable.
            std::thread::sleep(PAUSE);
            return Ok(());
        };
        let (host, game) = (&found.host, &found.plan.game);
        let n_games = counted(concurrency, "game");
        let line = format!("Match {id} of {host}: {game}, {n_games} at once");
        match scale {
            1.0 => say(&line),
            scale => say(&format!("{line}, times multiplied by {scale:.2}")),
        }
        self.update(|state| {
            state.match_id.clone_from(id);
            (state.concurrency, state.scale) = (concurrency, scale);
            (state.pairs, state.refused) = (0, None);
        });
        let state = self.state.lock().clone();
        let sitting = Sitting {
            worker: self,
            found,
            server,
            consumer,
            machine: Machine {
                name: state.machine,
                worker: state.worker,
                scale,
            },
            is_over: AtomicBool::new(false),
        };
        let show = |event| sitting.worker.show(&event);
        let served = tournament.serve(&show, &|runner, place| sitting.work(runner, place));
        self.last.clone_from(id);
        say(&format!("Match {id}: no more games to play"));
        self.update(|state| state.match_id.clear());
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
    server: ServerMatch,
    consumer: PullConsumer,
    /// This machine, for the records.
    machine: Machine,
    /// `true` when the match is over or paused, or it is time to look for another one.
    is_over: AtomicBool,
}

impl Sitting<'_> {
    /// Plays pairs until there are no more.
    fn work(&self, runner: &GameRunner, place: usize) {
        while self.goes_on() {
            let message = self.next_message();
            // The coordinator pauses the match before it looks for pairs that are still played. It sees this one, or this
            // worker sees the pause.
            match self.is_open() {
                Ok(true) => {}
                Ok(false) => {
                    // A pair that is handed back would count as being played. A coordinator that resumes offers it anew.
                    if let Some(message) = message {
                        let _ = self.worker.link.wait(message.ack());
                    }
                    return self.is_over.store(true, Ordering::Relaxed);
                }
                Err(why) => self.worker.tell_problem(&why),
            }
            let Some(message) = message else {
                if self.is_idle() {
                    self.is_over.store(true, Ordering::Relaxed);
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
        worker.update(|state| state.playing.push(pair));
        if message.info().is_ok_and(|info| info.delivered > 1) {
            // This worker may be lost as well before its next report.
            worker.report_now();
        }
        let tell = |event| worker.show(&event);
        let play = |slot| runner.play(slot, &order.opening, place, &tell);
        let played: Result<Vec<GameRecord>, Halt> = order.games.iter().map(play).collect();
        let is_played = played.is_ok();
        match played {
            Ok(games) => self.finish(message, pair, games),
            Err(Halt::Trouble(why)) => runner.stop.fail(why),
            Err(Halt::Over(_) | Halt::Stopped) => {}
        }
        lease.abort();
        worker.update(|state| state.playing.retain(|played| *played != pair));
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
            worker.update(|state| state.pairs += 1);
        }
        for record in games {
            let record = Box::new(record);
            worker.show(&Event::GameOver { record });
        }
    }

    /// Puts a pair into the queue again. If this fails, it is there after the time in which a lost worker is noticed.
    fn hand_back(&self, message: &Message, pair: usize) {
        // Another worker gets the pair only after the report that this one plays it no longer.
        self.worker.report_now();
        if let Some(reason) = self.worker.host.stop.failure() {
            let (machine, reason) = (platform::id(), reason.to_owned());
            self.store(message, pair, Outcome::HandedBack { machine, reason });
        }
        let link = self.worker.link;
        let _ = link.wait(message.ack_with(AckKind::Nak(None)));
    }

    /// Sends what has become of a pair to the coordinator.
    fn store(&self, message: &Message, pair: usize, outcome: Outcome) -> bool {
        let result = PairResult {
            pair,
            worker: self.machine.worker.clone(),
            outcome,
        };
        let delivery = message.info();
        let delivery = delivery.map(|info| (info.stream_sequence, info.delivered));
        let message_id = format!("{pair}/{:?}", delivery.unwrap_or_default());
        // From here `--idle-s` is counted: without the server, the worker gives up after this time.
        *self.worker.active.lock() = Instant::now();
        loop {
            let Err(why) = self.server.send_result(&result, &message_id) else {
                return true;
            };
            self.worker.tell_problem(&why);
            let stop = &self.worker.host.stop;
            let is_connected = self.worker.link.is_connected();
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

    /// `false` if this worker must play no further pair.
    fn goes_on(&self) -> bool {
        !self.is_over.load(Ordering::Relaxed) && !self.worker.host.stop.is_asked()
    }

    /// `true` if the match is neither over nor paused.
    ///
    /// # Errors
    /// The server does not answer, or the announcement is invalid, which the coordinator replaces.
    fn is_open(&self) -> Result<bool, String> {
        let found = self.server.announcement()?;
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
        worker.state.lock().playing.is_empty()
            && (worker.is_idle() || waited > OTHERS_AFTER && has_others())
    }
}
