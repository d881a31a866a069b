//! The coordinator of a match: it does everything except play the games.

use fleet::wire::{MatchSettings, WireBench};
use fleet::{FleetControl, Link, content, measure};
use record::engine_spec::{EngineSpec, Program};
use record::plan::Plan;
use referee::host::Host;
use referee::rules_program;

use super::{connect, failure};
use crate::args::FleetArgs;
use crate::matches::Coordinate;
use crate::usage::{Failure, OrFail};

/// The server whose workers play a match.
pub(crate) struct Fleet {
    link: Link,
    args: FleetArgs,
}

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
    pub(crate) fn announce(&self, plan: &Plan, host: &Host) -> Result<Coordinate, Failure> {
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
        let control = FleetControl::open(self.link.clone(), plan, settings).map_err(failure)?;
        Ok(Box::new(|games, schedule| control.run(games, schedule)))
    }

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
