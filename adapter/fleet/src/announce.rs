//! `linesman-fleet match`: this machine does everything except play the games.

use std::cell::OnceCell;
use std::path::Path;

use linesman::engines::words::quote;
use linesman::matches::{Coordinate, Machines};
use linesman::usage::{Failure, OrFail};
use record::engine_spec::{EngineSpec, Program};
use record::plan::Plan;
use referee::host::Host;
use referee::rules_program;

use crate::args::{ATTEMPTS, CredentialArgs, FleetArgs, LOST_AFTER};
use crate::content::content;
use crate::coordinator::FleetControl;
use crate::link::Link;
use crate::platform::measure;
use crate::wire::{MatchSettings, WireBench};

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
        let file = |path: &Path| quote(path.display().to_string());
        let mut flags: Vec<String> = Vec::new();
        flags.extend(
            self.link
                .get()
                .map(|link| format!("--fleet {}", link.shown)),
        );
        if *lost_after != LOST_AFTER {
            flags.push(format!("--lost-after-s {lost_after}"));
        }
        if *attempts != ATTEMPTS {
            flags.push(format!("--attempts {attempts}"));
        }
        flags.extend(scale_time.map(|nps| format!("--scale-time {nps}")));
        let CredentialArgs { creds, tls_ca } = credentials;
        flags.extend(creds.iter().map(|path| format!("--creds {}", file(path))));
        flags.extend(tls_ca.iter().map(|path| format!("--tls-ca {}", file(path))));
        flags.extend(send_engines.then(|| "--send-engines".to_owned()));
        flags.join(" ")
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
