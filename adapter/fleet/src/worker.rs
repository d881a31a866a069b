//! A worker, which plays pairs of any open match.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};
use futures_util::StreamExt;
use parking_lot::Mutex;
use record::event::Event;
use referee::host::Host;
use referee::match_error::MatchError;
use referee::tournament::Tournament;

use crate::cache::EngineCache;
use crate::choice::{Avoided, choose};
use crate::join::{Joined, Knowledge};
use crate::link::{FleetError, Link};
use crate::overload::LoadWatch;
use crate::presence::Presence;
use crate::queue::{FleetQueue, Left, Outbox};
use crate::settings::WorkerSettings;
use crate::signing::WorkerKey;
use crate::update::NewProgram;
use crate::wire::{Announcement, WireArchive};
use crate::{names, store, streams};

/// Interval at which a worker without a match looks for one. It also looks at every announcement.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// Interval at which a waiting worker checks for a stop request.
const STOP_EVERY: Duration = Duration::from_millis(100);

/// Reason why a worker leaves a match.
const SET_ASIDE: &str =
    "its coordinator accepts no results of this worker: the notes of the match say why";

/// Event of a worker.
#[derive(Debug, Clone)]
pub enum WorkerNews {
    /// It has joined a match.
    Joined {
        /// Id of the match.
        id: String,
        /// Host name of its coordinator.
        host: String,
        /// Game and options.
        game: String,
        /// Number of simultaneous games.
        concurrency: usize,
        /// Factor for time limits.
        scale: f64,
    },
    /// It has left the match with this id.
    Left(String),
    /// It downloads an engine from the coordinator: the hash of the archive and its size in bytes.
    Fetches(String, u64),
    /// It refuses a match.
    Refused {
        /// Id of the match.
        id: String,
        /// Reason.
        why: String,
    },
    /// Message for the user.
    Note(String),
    /// Event of a game.
    Game(Box<Event>),
}

/// Plays until the host requests a stop, or there was nothing to play for the time of `settings.idle`, or a newer
/// program has arrived, which is to continue.
///
/// # Errors
/// There was nothing to play because all open matches were refused, or the server or this system fails.
pub fn run(
    link: &Link,
    key: &WorkerKey,
    settings: &WorkerSettings,
    host: &Host,
    tell: &(dyn Fn(WorkerNews) + Sync),
) -> Result<Option<NewProgram>, FleetError> {
    let announced = listen(link).map_err(FleetError::Server)?;
    let mut worker = Worker {
        link,
        key,
        settings,
        host,
        tell,
        presence: Presence::begin(link, key),
        knowledge: Knowledge::default(),
        refused: BTreeMap::new(),
        unusable: BTreeSet::new(),
        avoided: Avoided::default(),
        load: LoadWatch::begin(settings.max_load),
        active: Instant::now(),
    };
    let ended = worker.run(&announced);
    worker.presence.update(|state| {
        // The last report still names the match that was refused.
        if state.refused.is_none() {
            state.match_id.clear();
        }
        state.playing.clear();
    });
    worker.presence.send_last();
    ended
}

/// Subscribes to announcements of matches.
fn listen(link: &Link) -> Result<Receiver<()>, String> {
    let subscribed = link.wait(link.client.subscribe(names::ALL_MATCHES));
    let mut messages = subscribed.map_err(|error| error.to_string())?;
    let (sender, receiver) = bounded(1);
    link.spawn(async move {
        while messages.next().await.is_some() {
            let _ = sender.try_send(());
        }
    });
    Ok(receiver)
}

struct Worker<'a> {
    link: &'a Link,
    key: &'a WorkerKey,
    settings: &'a WorkerSettings,
    host: &'a Host,
    tell: &'a (dyn Fn(WorkerNews) + Sync),
    presence: Presence,
    knowledge: Knowledge,
    /// Refused matches by their ids, with the reasons. One that is announced otherwise is tried again.
    refused: BTreeMap<String, (Announcement, String)>,
    /// Signatures of programs that were rejected.
    unusable: BTreeSet<String>,
    /// The last match that had no pairs.
    avoided: Avoided,
    load: LoadWatch,
    /// Time at which it last had something to play.
    active: Instant,
}

impl Worker<'_> {
    fn run(&mut self, announced: &Receiver<()>) -> Result<Option<NewProgram>, FleetError> {
        let mut next: Option<String> = None;
        while !self.host.stop.is_asked() {
            if let Some(program) = self.newer_program() {
                return Ok(Some(program));
            }
            let open = self.link.wait(streams::open_matches(self.link));
            self.refused
                .retain(|_, (refused, _)| open.contains(refused));
            let is_refused = |found: &&Announcement| self.refused.contains_key(&found.id);
            let playable: Vec<&Announcement> =
                open.iter().filter(|found| !is_refused(found)).collect();
            let following = next.take();
            let following = playable
                .iter()
                .find(|found| Some(&found.id) == following.as_ref());
            match following
                .copied()
                .or_else(|| choose(&playable, &self.avoided))
            {
                Some(found) => next = self.play(found)?,
                None => self.wait(announced),
            }
            if let Some(problem) = self.link.new_problem("") {
                (self.tell)(WorkerNews::Note(problem));
            }
            if self.is_idle() {
                let why = self.refused.values().next();
                return why.map_or(Ok(None), |(_, why)| Err(FleetError::Refused(why.clone())));
            }
        }
        Ok(None)
    }

    /// Downloads the first newer program that a match sends, if its key is trusted. Each is tried once.
    fn newer_program(&mut self) -> Option<NewProgram> {
        let trusted = self.settings.update.as_ref()?;
        let cache = EngineCache {
            folder: &self.settings.cache,
            stop: &self.host.stop,
        };
        for (id, update) in self.link.wait(streams::updates(self.link)) {
            if !update.is_newer() || !self.unusable.insert(update.signature.clone()) {
                continue;
            }
            let fetch =
                |archive: &WireArchive| store::get(self.link, &id, archive, &self.host.stop);
            let version = &update.version;
            let (program, text) = match update.get(trusted, &cache, &fetch) {
                Ok(program) => (
                    Some(program),
                    format!("linesman {version} of match {id} continues"),
                ),
                Err(why) => (
                    None,
                    format!("linesman {version} of match {id} is not used: {why}"),
                ),
            };
            (self.tell)(WorkerNews::Note(text));
            if program.is_some() {
                return program;
            }
        }
        None
    }

    /// Waits for an announcement, the next regular search, or the end.
    fn wait(&self, announced: &Receiver<()>) {
        let began = Instant::now();
        while began.elapsed() < LOOK_EVERY && !self.host.stop.is_asked() {
            if announced.recv_timeout(STOP_EVERY).is_ok() || self.is_idle() {
                return;
            }
        }
    }

    fn is_idle(&self) -> bool {
        let idle = self.settings.idle;
        idle.is_some_and(|idle| self.active.elapsed() >= idle)
    }

    /// Plays one match while it has pairs. Returns the id of the match to play next, if that is known.
    fn play(&mut self, found: &Announcement) -> Result<Option<String>, FleetError> {
        let fetch = |archive: &WireArchive| {
            (self.tell)(WorkerNews::Fetches(archive.hash.clone(), archive.n_bytes));
            store::get(self.link, &found.id, archive, &self.host.stop)
        };
        if found.sets_aside(&self.presence.name(), &self.presence.machine()) {
            self.refuse(found, SET_ASIDE.to_owned());
            return Ok(None);
        }
        let key = self.key.public();
        if !found.trusts(&key) {
            self.refuse(
                found,
                format!("its coordinator does not trust the key of this worker: expected {key} in the file of --trusted"),
            );
            return Ok(None);
        }
        let joined = self.knowledge.join(found, self.settings, self.host, &fetch);
        let joined = match joined {
            Ok(joined) => joined,
            Err(why) => {
                self.refuse(found, why);
                return Ok(None);
            }
        };
        let Joined {
            plan,
            host,
            scale,
            until,
            _engines,
        } = joined;
        let concurrency = plan.concurrency;
        let tournament = match Tournament::prepare(plan, &host) {
            Ok(tournament) => tournament,
            Err(MatchError::Stopped) => return Ok(None),
            Err(error) => {
                self.refuse(found, error.to_string());
                return Ok(None);
            }
        };
        let consumer = self.link.wait(async {
            let stream = self.link.stream(&names::work_stream(&found.id)).await?;
            let consumer = stream.get_consumer(names::WORKERS).await;
            consumer.map_err(|error| error.to_string())
        });
        let Ok(consumer) = consumer else {
            // The match has ended in the meantime, or the server is unreachable.
            std::thread::sleep(STOP_EVERY);
            return Ok(None);
        };
        (self.tell)(WorkerNews::Joined {
            id: found.id.clone(),
            host: found.host.clone(),
            game: found.game.to_string(),
            concurrency,
            scale,
        });
        self.presence.join(&found.id, concurrency, scale);
        self.presence.tell();
        let queue = FleetQueue {
            link: self.link,
            id: &found.id,
            consumer,
            stop: &self.host.stop,
            presence: &self.presence,
            scale,
            until,
            idle: self.settings.idle,
            note: &|text| (self.tell)(WorkerNews::Note(text)),
            key: self.key,
            leases: Mutex::default(),
            fetched: Mutex::default(),
            outbox: Outbox::default(),
            asked: Mutex::default(),
            last_lease: AtomicU64::new(0),
            active: Mutex::new(self.active),
            looked: Mutex::new(Instant::now()),
            left: Mutex::new(None),
            is_playable: &|found| !self.refused.contains_key(&found.id),
            avoided: &self.avoided,
            load: &self.load,
            gives_way: AtomicBool::new(false),
            next: Mutex::new(None),
            compared: Mutex::new(Instant::now()),
            turn: Mutex::new(Instant::now()),
        };
        let keep_every = Duration::from_millis(found.lost_after_ms.clamp(300, 3_600_000)) / 3;
        let (open, closed) = bounded::<()>(0);
        let served = std::thread::scope(|scope| {
            scope.spawn(|| queue.send_results(&closed));
            let served = tournament.serve(&queue, keep_every, &|event| {
                (self.tell)(WorkerNews::Game(Box::new(event)));
            });
            queue.hand_back_fetched();
            drop(open);
            served
        });
        self.active = *queue.active.lock();
        let left = *queue.left.lock();
        let next = queue.next.lock().take();
        (self.tell)(WorkerNews::Left(found.id.clone()));
        self.presence.update(|state| state.match_id.clear());
        served.map_err(|error| FleetError::Server(error.to_string()))?;
        if left == Some(Left::SetAside) {
            self.refuse(found, SET_ASIDE.to_owned());
        }
        if left == Some(Left::Idle) {
            self.avoided = Avoided::new(&found.id);
        }
        Ok(next)
    }

    fn refuse(&mut self, found: &Announcement, why: String) {
        if self.host.stop.is_asked() {
            return;
        }
        self.presence.update(|state| {
            state.match_id.clone_from(&found.id);
            state.concurrency = 0;
            state.refused = Some(why.clone());
        });
        self.presence.send_last();
        (self.tell)(WorkerNews::Refused {
            id: found.id.clone(),
            why: why.clone(),
        });
        let why = format!("match {}: {why}", found.id);
        self.refused.insert(found.id.clone(), (found.clone(), why));
    }
}
