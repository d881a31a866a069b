//! A worker: plays pairs of whatever match is open.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded};
use futures_util::StreamExt;
use parking_lot::Mutex;
use referee::event::Event;
use referee::plan::EngineSpec;
use referee::tournament::{Host, MatchError, Tournament};

use crate::join::{Joined, Knowledge};
use crate::link::{FleetError, Link};
use crate::names;
use crate::presence::Presence;
use crate::queue::{FleetQueue, Left};
use crate::store;
use crate::streams;
use crate::wire::{Announcement, WireArchive};

/// How often a worker without a match looks for one. It also looks when one is announced.
const LOOK_EVERY: Duration = Duration::from_secs(5);

/// How often it looks whether it is told to end.
const STOP_EVERY: Duration = Duration::from_millis(100);

/// How a worker works.
#[derive(Debug, Clone, Default)]
pub struct WorkerSettings {
    /// Games at once at most; as many as there are cores for if absent.
    pub concurrency: Option<usize>,
    /// How long it waits for something to play before it ends; for ever if absent.
    pub idle: Option<Duration>,
    /// Whether texts from the network may be set as options of engines, and engines from the network may be run.
    pub trust: bool,
    /// The engines of this machine.
    pub engines: Vec<LocalEngine>,
    /// Where they are listed, for messages.
    pub engines_file: String,
    /// Where engines from coordinators are kept, which are taken with `trust` alone.
    pub cache: PathBuf,
}

/// An engine of this machine.
#[derive(Debug, Clone)]
pub struct LocalEngine {
    /// The name that it is looked up by.
    pub name: String,
    /// How to start it.
    pub spec: EngineSpec,
}

/// What a worker tells.
#[derive(Debug, Clone)]
pub enum WorkerNews {
    /// It plays a match now.
    Joined {
        /// The id of the match.
        id: String,
        /// The machine of its coordinator.
        host: String,
        /// What is played.
        game: String,
        /// Games at once.
        concurrency: usize,
        /// By how much time limits are multiplied.
        scale: f64,
    },
    /// It plays it no longer.
    Left(String),
    /// It gets an engine from the coordinator: the hash of its archive, and how many bytes it has.
    Fetches(String, u64),
    /// It does not play a match.
    Refused {
        /// The id of the match.
        id: String,
        /// Why.
        why: String,
    },
    /// Something worth knowing.
    Note(String),
    /// Something that happens in a game.
    Game(Box<Event>),
}

/// Plays until the host is told to stop, or there was nothing to play for as long as the settings say.
///
/// # Errors
/// All matches that are open are refused, or this system lacks something.
pub fn run(
    link: &Link,
    settings: &WorkerSettings,
    host: &Host,
    tell: &(dyn Fn(WorkerNews) + Sync),
) -> Result<(), FleetError> {
    let announced = listen(link).map_err(FleetError::Server)?;
    let mut worker = Worker {
        link,
        settings,
        host,
        tell,
        presence: Presence::begin(link),
        knowledge: Knowledge::default(),
        refused: BTreeMap::new(),
        active: Instant::now(),
    };
    let ended = worker.run(&announced);
    worker.presence.update(|state| {
        // The match that has refused it is told to the end.
        if state.refused.is_none() {
            state.match_id.clear();
        }
        state.playing.clear();
    });
    worker.presence.tell_last();
    ended
}

/// Hears when a match is announced.
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
    settings: &'a WorkerSettings,
    host: &'a Host,
    tell: &'a (dyn Fn(WorkerNews) + Sync),
    presence: Presence,
    knowledge: Knowledge,
    /// Matches that it does not play, and why.
    refused: BTreeMap<String, String>,
    /// When it had something to play last.
    active: Instant,
}

impl Worker<'_> {
    fn run(&mut self, announced: &Receiver<()>) -> Result<(), FleetError> {
        let mut left = None;
        while !self.host.stop.is_asked() {
            let open = self.link.wait(streams::open_matches(self.link));
            self.refused
                .retain(|id, _| open.iter().any(|found| found.id == *id));
            let is_refused = |found: &&Announcement| self.refused.contains_key(&found.id);
            let playable: Vec<&Announcement> =
                open.iter().filter(|found| !is_refused(found)).collect();
            // Who has left a match for lack of pairs goes to another one.
            let others = playable
                .iter()
                .filter(|found| Some(&found.id) != left.as_ref());
            let others: Vec<&Announcement> = others.copied().collect();
            let choice = match others.is_empty() {
                true => fastrand::choice(&playable),
                false => fastrand::choice(&others),
            };
            match choice {
                Some(found) => left = self.play(found)?,
                None => {
                    if let Some(why) = self.refused.values().next() {
                        return Err(FleetError::Refused(why.clone()));
                    }
                    self.wait(announced);
                }
            }
            if self
                .settings
                .idle
                .is_some_and(|idle| self.active.elapsed() >= idle)
            {
                return Ok(());
            }
        }
        Ok(())
    }

    /// Waits until a match is announced, or it is time to look or to end.
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

    /// Plays one match as long as it has pairs. Its id if it has none at present.
    fn play(&mut self, found: &Announcement) -> Result<Option<String>, FleetError> {
        let fetch = |archive: &WireArchive| {
            (self.tell)(WorkerNews::Fetches(archive.hash.clone(), archive.n_bytes));
            store::get(self.link, &found.id, archive, &self.host.stop)
        };
        let joined = self.knowledge.join(found, self.settings, self.host, &fetch);
        let joined = match joined {
            Ok(joined) => joined,
            Err(why) => {
                self.refuse(&found.id, why);
                return Ok(None);
            }
        };
        let Joined {
            plan,
            scale,
            _engines,
        } = joined;
        let concurrency = plan.concurrency;
        let tournament = match Tournament::prepare(plan, self.host) {
            Ok(tournament) => tournament,
            Err(MatchError::Stopped) => return Ok(None),
            Err(MatchError::Trouble(why)) => return Err(FleetError::Server(why)),
            Err(error) => {
                self.refuse(&found.id, error.to_string());
                return Ok(None);
            }
        };
        let consumer = self.link.wait(async {
            let stream = self.link.stream(&names::work_stream(&found.id)).await?;
            let consumer = stream.get_consumer(names::WORKERS).await;
            consumer.map_err(|error| error.to_string())
        });
        let Ok(consumer) = consumer else {
            // The match has ended meanwhile, or the server is away.
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
            idle: self.settings.idle,
            note: &|text| (self.tell)(WorkerNews::Note(text)),
            leases: Mutex::default(),
            last_lease: AtomicU64::new(0),
            active: Mutex::new(self.active),
            looked: Mutex::new(Instant::now()),
            left: Mutex::new(None),
        };
        let keep_every = Duration::from_millis(found.lost_after_ms.clamp(300, 3_600_000)) / 3;
        let served = tournament.serve(&queue, keep_every, &|event| {
            (self.tell)(WorkerNews::Game(Box::new(event)));
        });
        self.active = *queue.active.lock();
        let left = *queue.left.lock();
        (self.tell)(WorkerNews::Left(found.id.clone()));
        self.presence.update(|state| state.match_id.clear());
        served.map_err(|error| FleetError::Server(error.to_string()))?;
        Ok((left == Some(Left::Idle)).then(|| found.id.clone()))
    }

    fn refuse(&mut self, id: &str, why: String) {
        if self.host.stop.is_asked() {
            return;
        }
        self.presence.update(|state| {
            state.match_id = id.to_owned();
            state.concurrency = 0;
            state.refused = Some(why.clone());
        });
        self.presence.tell_last();
        (self.tell)(WorkerNews::Refused {
            id: id.to_owned(),
            why: why.clone(),
        });
        self.refused
            .insert(id.to_owned(), format!("match {id}: {why}"));
    }
}
