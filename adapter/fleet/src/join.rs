//! Whether a worker can play a match, and how: the plan of the match on this machine.

use std::collections::BTreeMap;
use std::time::Instant;

use protocol::{OptionDecl, OptionKind};
use referee::plan::{EngineSpec, MAX_PARTNERS, Plan};
use referee::player::{EngineConfig, EnginePlayer, Timeouts};
use referee::process::QUIT_TIMEOUT;
use referee::tournament::{Host, MAX_NAME};

use crate::bench::{Bench, measure};
use crate::content::content_hash;
use crate::platform;
use crate::wire::{Announcement, FORMAT, WireBench, WireEngine, WireProgram};
use crate::worker::{LocalEngine, WorkerSettings};

/// The most engines of a match.
const MAX_ENGINES: usize = 1000;

/// The slowest and the fastest machine that play one match, as factors of time.
const SCALES: std::ops::RangeInclusive<f64> = 0.01..=100.0;

/// What a worker knows of its machine.
#[derive(Debug, Default)]
pub(crate) struct Knowledge {
    /// By game and number of games at once.
    benches: BTreeMap<(String, usize), Bench>,
}

/// How a match is played here.
#[derive(Debug)]
pub(crate) struct Joined {
    pub(crate) plan: Plan,
    pub(crate) scale: f64,
}

impl Knowledge {
    /// The plan of an announced match on this machine.
    ///
    /// # Errors
    /// Why this worker does not play it.
    pub(crate) fn join(
        &mut self,
        announcement: &Announcement,
        settings: &WorkerSettings,
        host: &Host,
    ) -> Result<Joined, String> {
        check(announcement)?;
        let engine = |engine: &WireEngine| local_spec(engine, settings);
        let engines = announcement.engines.iter().map(engine);
        let engines = engines.collect::<Result<Vec<_>, _>>()?;
        let arbiter = announcement.arbiter.as_ref().map(engine).transpose()?;
        let mut plan = announcement.plan(engines, arbiter);
        plan.check()?;
        plan.concurrency = concurrency(&plan, settings)?;
        if !settings.trust {
            let specs = plan.engines.iter().chain(&plan.arbiter);
            let wired = announcement.engines.iter().chain(&announcement.arbiter);
            for (spec, wired) in specs.zip(wired) {
                check_options(spec, wired, &plan, host)?;
            }
        }
        let scale = match &announcement.bench {
            Some(bench) => self.scale(bench, announcement, plan.concurrency, host)?,
            None => 1.0,
        };
        for spec in plan.engines.iter_mut().chain(&mut plan.arbiter) {
            spec.limit = spec.limit.scaled(scale);
        }
        Ok(Joined { plan, scale })
    }

    /// The factor of time on this machine.
    fn scale(
        &mut self,
        wanted: &WireBench,
        announcement: &Announcement,
        n_at_once: usize,
        host: &Host,
    ) -> Result<f64, String> {
        let entry = host
            .registry
            .find(&wanted.game)
            .map_err(|error| error.to_string())?;
        let key = (entry.name.to_owned(), n_at_once);
        let own = match self.benches.get(&key) {
            Some(bench) => *bench,
            None => {
                let bench = measure(&host.executable, entry.name, n_at_once)
                    .map_err(|error| format!("bench: {error}"))?;
                self.benches.insert(key, bench);
                bench
            }
        };
        if has_builtin(announcement) && own.nodes != wanted.nodes {
            return Err(format!(
                "the built-in engine is another one: bench {} of {}: expected {}, as {} has it",
                own.nodes, wanted.game, wanted.nodes, announcement.host
            ));
        }
        let Some(nps) = wanted.nps else {
            return Ok(1.0);
        };
        let scale = nps / own.nps;
        match SCALES.contains(&scale) {
            true => Ok(scale),
            false => Err(format!(
                "time would be multiplied by {scale:.3}: expected a factor from {} to {}",
                SCALES.start(),
                SCALES.end()
            )),
        }
    }
}

fn has_builtin(announcement: &Announcement) -> bool {
    let engines = announcement.engines.iter().chain(&announcement.arbiter);
    engines
        .into_iter()
        .any(|engine| engine.program == WireProgram::Builtin)
}

/// Whether what was announced can be a match, and one for this version.
fn check(announcement: &Announcement) -> Result<(), String> {
    if announcement.format != FORMAT {
        return Err(format!(
            "its messages have format {}: expected {FORMAT}, that of version {}",
            announcement.format,
            env!("CARGO_PKG_VERSION")
        ));
    }
    if has_builtin(announcement) && announcement.version != env!("CARGO_PKG_VERSION") {
        return Err(format!(
            "its built-in engine is of version {}: expected {}, the version here",
            announcement.version,
            env!("CARGO_PKG_VERSION")
        ));
    }
    if has_builtin(announcement) && announcement.bench.is_none() {
        return Err("a built-in engine without its bench".to_owned());
    }
    let engines = announcement.engines.iter().chain(&announcement.arbiter);
    let mut names = engines.clone().map(|engine| &engine.name);
    if engines.count() > MAX_ENGINES || announcement.teams.len() > MAX_ENGINES * MAX_PARTNERS {
        return Err(format!("more than {MAX_ENGINES} engines"));
    }
    // A team's names stand in one text.
    let longest = MAX_NAME + 8;
    let is_name =
        |name: &String| (1..=longest).contains(&name.chars().count()) && !name.contains('"');
    match names.all(is_name) {
        true => Ok(()),
        false => Err("an engine without a sound name".to_owned()),
    }
}

/// The engine of this machine that is the same as one of the match.
fn local_spec(engine: &WireEngine, settings: &WorkerSettings) -> Result<EngineSpec, String> {
    let named = |local: &&LocalEngine| local.name == engine.name;
    let by_name = settings.engines.iter().find(named);
    let WireProgram::Content { hash } = &engine.program else {
        // The options of a built-in engine may stand in the engines file too.
        let is_builtin = |local: &&LocalEngine| {
            content_hash(&local.spec.program).is_ok_and(|hash| hash.is_none())
        };
        return Ok(engine.spec(by_name.filter(is_builtin).map(|local| &local.spec)));
    };
    let is_same = |local: &&LocalEngine| {
        content_hash(&local.spec.program).is_ok_and(|found| found.as_ref() == Some(hash))
    };
    let by_content = || settings.engines.iter().find(is_same);
    match by_name.filter(is_same).or_else(by_content) {
        Some(local) => Ok(engine.spec(Some(&local.spec))),
        None => Err(unknown_engine(engine, hash, by_name, settings)),
    }
}

fn unknown_engine(
    engine: &WireEngine,
    hash: &str,
    by_name: Option<&LocalEngine>,
    settings: &WorkerSettings,
) -> String {
    let (name, file) = (&engine.name, &settings.engines_file);
    let short = |hash: &str| hash.chars().take(12).collect::<String>();
    let expected = short(hash);
    match by_name.map(|local| content_hash(&local.spec.program)) {
        None => format!("engine {name}: not in {file}: expected it there, with content {expected}"),
        Some(Err(error)) => format!("engine {name}: {error}: expected content {expected}"),
        Some(Ok(found)) => {
            let found = found.map_or_else(|| "the built-in engine".to_owned(), |hash| short(&hash));
            format!("engine {name}: {file} has {found}: expected content {expected}")
        }
    }
}

/// How many games are played at once: never more threads than cores.
fn concurrency(plan: &Plan, settings: &WorkerSettings) -> Result<usize, String> {
    let (cores, cores_each) = (platform::cores(), plan.cores_of_a_game().max(1));
    if cores_each > cores {
        return Err(format!(
            "a game keeps {cores_each} cores busy: expected at most {cores}, the cores of this machine"
        ));
    }
    let most = cores / cores_each;
    Ok(settings.concurrency.unwrap_or(most).min(most))
}

/// Without trust, no text that an engine may take for a file comes from the network.
fn check_options(
    spec: &EngineSpec,
    wired: &WireEngine,
    plan: &Plan,
    host: &Host,
) -> Result<(), String> {
    if wired.options.is_empty() {
        return Ok(());
    }
    let timeouts = Timeouts {
        startup: std::time::Duration::from_millis(plan.startup_ms),
        ping: std::time::Duration::from_millis(plan.ping_ms),
        search: std::time::Duration::from_millis(plan.ping_ms),
    };
    let bare = EngineSpec {
        options: Vec::new(),
        ..spec.clone()
    };
    let mut config = EngineConfig::alone(&bare, &plan.game.name, &host.executable, timeouts);
    config.stop = host.stop.clone();
    let mut player = EnginePlayer::new(config);
    let started = player.start_and_wait();
    let declared = player.declared().to_vec();
    player.ask_to_quit();
    player.end(Instant::now() + QUIT_TIMEOUT);
    started.map_err(|fault| format!("engine {}: {fault}", wired.name))?;
    let text = wired
        .options
        .iter()
        .find(|(name, _)| is_text(&declared, name));
    text.map_or(Ok(()), |(name, _)| {
        Err(format!(
            "option.{name} of engine {} is a text, which may name a file: expected it in the engines file \
             here, or --trust",
            wired.name
        ))
    })
}

fn is_text(declared: &[OptionDecl], name: &str) -> bool {
    let mut declared = declared.iter();
    let declared = declared.find(|decl| decl.name.eq_ignore_ascii_case(name));
    declared.is_some_and(|decl| matches!(decl.kind, OptionKind::String { .. }))
}
