//! `linesman-fleet worker`: plays pairs of any open match that another machine coordinates.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

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
use record::registry::Registry;
use referee::host::Host;

use crate::args::WorkerArgs;
use crate::link::Link;
use crate::platform::Benches;
use crate::reports::Reporter;
use crate::streams;
use crate::wire::{Announcement, MatchState};

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
        true => &[],
        false => file.all()?,
    };
    let local = |engine: &Described| {
        let words = file.words(&engine.name, &engine.words)?;
        let spec = words.spec(&engine.name, &Words::default())?;
        let name = Some(engine.name.clone());
        Ok(EngineSpec { name, ..spec })
    };
    let engines = described.iter().map(local);
    let engines = engines.collect::<Result<_, Failure>>()?;
    let cache = args.accept_engines.then(paths::cache).transpose();
    let cache = cache.or_trouble("--accept-engines")?;
    let link = &Link::connect(&args.server.url, &args.server.credentials)?;
    let mut worker = Worker {
        link,
        args,
        host: &host,
        engines,
        engines_file: path.display().to_string(),
        cache: cache.map(|folder| folder.join("engines")),
        reporter: Reporter::begin(link),
        benches: Benches::default(),
        refused: BTreeMap::new(),
        last: String::new(),
        active: Mutex::new(Instant::now()),
    };
    let ended = worker.run();
    worker.reporter.update(|state| {
        // The last report still names the match that was refused.
        if state.refused.is_none() {
            state.match_id.clear();
        }
        state.playing.clear();
    });
    worker.reporter.send_now();
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
    pub(crate) reporter: Reporter,
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
        let mut found = self.link.wait(streams::announcements(self.link));
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

    pub(crate) fn refuse(&mut self, found: &Announcement, why: &str) {
        if self.host.stop.is_asked() {
            return;
        }
        let id = &found.plan.id;
        self.reporter.update(|state| {
            state.match_id.clone_from(id);
            state.concurrency = 0;
            state.refused = Some(why.to_owned());
        });
        self.reporter.send_now();
        say(&format!("Match {id} rejected: {why}"));
        let why = format!("match {id}: {why}");
        self.refused.insert(id.clone(), (found.clone(), why));
    }
}
