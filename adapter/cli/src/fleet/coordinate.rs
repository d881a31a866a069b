//! The coordinator of a match: it does everything except play the games.

use std::fs;
use std::io;
use std::time::Duration;

use fleet::wire::WireBench;
use fleet::{
    Content, ControlSettings, FleetControl, Link, SentProgram, TrustFile, WorkerKey, content_hash,
    measure, pack,
};
use record::engine_spec::{EngineSpec, Program};
use record::event::Recorder;
use record::file::naming;
use record::finished::FinishedGames;
use record::plan::Plan;
use referee::broadcast::Broadcast;
use referee::host::Host;
use referee::match_error::MatchError;
use referee::queue::Sampling;
use referee::rules_program;
use referee::scoreboard::Conclusion;
use referee::tournament::Tournament;

use super::connect::{connect, failure};
use crate::args::FleetArgs;
use crate::paths::absolute;
use crate::records::trust;
use crate::usage::{Failure, OrFail, trouble};

/// The server whose workers play a match.
pub(crate) struct Fleet {
    link: Link,
    args: FleetArgs,
}

/// A match that was announced to the workers, and the share of pairs that two of them play.
pub(crate) struct Announced(FleetControl, Sampling);

impl Fleet {
    /// Connects to the server if the arguments name one.
    pub(crate) fn connect(args: &FleetArgs) -> Result<Option<Fleet>, Failure> {
        let link = args.fleet.as_ref();
        let link = link
            .map(|url| connect(url, &args.credentials))
            .transpose()?;
        Ok(link.map(|link| Fleet {
            link,
            args: args.clone(),
        }))
    }

    /// Announces a match whose engines are ready.
    pub(crate) fn announce(&self, plan: &Plan, host: &Host) -> Result<Announced, Failure> {
        let sampling = self.args.verify.map(|share| Sampling::of(plan, share));
        let sampling = sampling.transpose().or_usage("--verify")?;
        let contents = trust::engines(plan).map(|spec| {
            let name = spec.name.clone().unwrap_or_default();
            let content = self.content(&spec.program);
            content.map_err(|error| Failure::Trouble(format!("engine {name}: {error}")))
        });
        let rules = plan.rules.as_ref();
        let rules = rules.and_then(|rules| rules_program::program_of(&rules.words));
        let rules = rules.map(|program| self.content(&program)).transpose();
        let rules = rules.or_trouble("--rules")?;
        let settings = ControlSettings {
            rules: rules.flatten(),
            lost_after: Duration::from_secs(self.args.lost_after),
            max_deliver: self.args.attempts,
            bench: self.bench(plan, host)?,
            contents: contents.collect::<Result<_, _>>()?,
            trusted: self.trusted()?,
            program: self.program()?,
            priority: self.args.priority,
            share: self.args.share,
        };
        let control = FleetControl::open(self.link.clone(), plan, settings).map_err(failure)?;
        Ok(Announced(control, sampling.unwrap_or_default()))
    }

    /// The program of `--send-program`, signed with the key of `--creds`.
    fn program(&self) -> Result<Option<SentProgram>, Failure> {
        let Some((path, creds)) = self
            .args
            .send_program
            .as_ref()
            .zip(self.args.credentials.creds.as_ref())
        else {
            return Ok(None);
        };
        let text = fs::read_to_string(creds);
        let text = text.map_err(|error| trouble("--creds", naming(creds.display(), &error)))?;
        let key = WorkerKey::parse(&text).or_usage("--creds")?;
        let sent = SentProgram::new(&absolute(path), &key);
        sent.map(Some).or_trouble("--send-program")
    }

    fn trusted(&self) -> Result<Option<TrustFile>, Failure> {
        let path = self.args.trusted.as_deref();
        let file = path.map(|path| TrustFile::open(&absolute(path)));
        file.transpose().map_err(failure)
    }

    /// The hash of an engine's files, which the workers compare, and the files if they are sent.
    fn content(&self, program: &Program) -> io::Result<Option<Content>> {
        let Some(hash) = content_hash(program)? else {
            return Ok(None);
        };
        let packed = match self.args.send_engines {
            true => pack(program)?,
            false => None,
        };
        Ok(Some(Content { hash, packed }))
    }

    /// The benchmark of the machines' speed: the built-in engine's for the match's game, or for the first game if the
    /// match's game is not compiled in.
    fn bench(&self, plan: &Plan, host: &Host) -> Result<Option<WireBench>, Failure> {
        let is_timed = plan.engines.iter().any(|spec| spec.limit.is_time());
        let is_builtin = |spec: &EngineSpec| spec.program == Program::Builtin;
        if !is_timed && !trust::engines(plan).any(is_builtin) {
            return Ok(None);
        }
        let mut compiled = host
            .registry
            .games()
            .iter()
            .filter(|entry| !entry.is_of_program());
        let known = compiled.clone().find(|entry| entry.name == plan.game.name);
        let entry = known.or_else(|| compiled.next());
        let Some(entry) = entry else {
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

impl Announced {
    /// The workers of the match, for its page.
    pub(crate) fn workers(&self) -> gui::WorkerList {
        let workers = self.0.workers();
        gui::WorkerList::new(move || workers.workers().into_iter().map(match_worker).collect())
    }

    /// Runs the match; the workers play its games.
    pub(crate) fn run(
        mut self,
        tournament: Tournament,
        done: &FinishedGames,
        recorders: &mut [Box<dyn Recorder>],
        watchers: &Broadcast,
    ) -> Result<Conclusion, MatchError> {
        self.0.follow(watchers.watch());
        tournament.coordinate(&mut self.0, done, recorders, watchers, self.1)
    }
}

fn match_worker(seen: fleet::SeenWorker) -> gui::MatchWorker {
    let state = seen.state;
    gui::MatchWorker {
        rate: state.pairs_an_hour(),
        playing: state.playing.len(),
        name: state.worker,
        machine: state.machine,
        cpu: state.cpu,
        cores: state.cores,
        concurrency: state.concurrency,
        pairs: state.pairs,
        scale: state.scale,
        load: state.load,
        seen: seen.silence.as_secs_f64(),
        is_gone: seen.is_gone,
        refused: state.refused,
    }
}
