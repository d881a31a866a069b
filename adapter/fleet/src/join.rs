//! Checks whether a worker can play a match, and makes the plan of the match for its machine.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use record::engine_spec::EngineSpec;
use record::plan::Plan;
use referee::host::Host;
use referee::player::names::MAX_NAME;

use crate::bench::{Bench, measure};
use crate::cache::CachedEngine;
use crate::local_engine::EngineFinder;
use crate::pack::Fetch;
use crate::platform;
use crate::settings::WorkerSettings;
use crate::wire::{Announcement, FORMAT, WireBench, WireProgram};

/// Maximum number of engines of a match.
const MAX_ENGINES: usize = 1000;

/// Permitted range of a machine's time factor.
const SCALES: std::ops::RangeInclusive<f64> = 0.01..=100.0;

/// Facts about the machine of a worker.
#[derive(Debug, Default)]
pub(crate) struct Knowledge {
    /// Measurements and their times, keyed by game and number of simultaneous games.
    benches: BTreeMap<(String, usize), (Bench, Instant)>,
}

/// A match as it is played on this machine.
#[derive(Debug)]
pub(crate) struct Joined {
    pub(crate) plan: Plan,
    /// The worker's host, with the game of the match.
    pub(crate) host: Host,
    pub(crate) scale: f64,
    /// Time at which the machine is measured again; `None` if no time is scaled.
    pub(crate) until: Option<Instant>,
    /// Keeps the programs from the coordinator in the cache.
    pub(crate) _engines: Vec<CachedEngine>,
}

impl Knowledge {
    /// Makes the plan of an announced match for this machine. `fetch` downloads the archive of an engine.
    ///
    /// # Errors
    /// The reason that this worker does not play the match.
    pub(crate) fn join(
        &mut self,
        announcement: &Announcement,
        settings: &WorkerSettings,
        host: &Host,
        fetch: &Fetch<'_>,
    ) -> Result<Joined, String> {
        check(announcement)?;
        let finder = EngineFinder {
            settings,
            host,
            fetch,
        };
        let (registry, rules) = finder.games(announcement)?;
        let host = &Host {
            registry,
            ..host.clone()
        };
        let mut found = Vec::new();
        for engine in &announcement.engines {
            found.push(finder.find(engine)?);
        }
        let specs = found.iter().map(|found| found.spec.clone()).collect();
        let mut plan = announcement.plan(specs);
        plan.check()?;
        plan.concurrency = concurrency(&plan, settings)?;
        if !settings.trust {
            for (spec, found) in plan.engines.iter_mut().zip(&found) {
                found.set_local_texts(spec, announcement, host)?;
            }
        }
        let (mut scale, mut until) = (1.0, None);
        if let Some(wanted) = &announcement.bench {
            let every = settings.measure_every;
            let (own, measured) = self.bench(wanted, plan.concurrency, host, every)?;
            check_bench(own, wanted, announcement)?;
            if let Some(nps) = wanted.nps {
                (scale, until) = (scale_of(nps, own)?, Some(measured + every));
            }
        }
        for spec in &mut plan.engines {
            spec.limit = spec.limit.scaled(scale);
        }
        let cached = found.into_iter().filter_map(|found| found.cached);
        Ok(Joined {
            plan,
            host: host.clone(),
            scale,
            until,
            _engines: cached.chain(rules).collect(),
        })
    }

    /// Returns a measurement of this machine that is not older than `max_age`, and its time.
    fn bench(
        &mut self,
        wanted: &WireBench,
        n_at_once: usize,
        host: &Host,
        max_age: Duration,
    ) -> Result<(Bench, Instant), String> {
        let entry = host.registry.find(&wanted.game);
        let game = entry.map_err(|error| error.to_string())?.name;
        let key = (game.to_owned(), n_at_once);
        let known = self.benches.get(&key).copied();
        if let Some(known) = known.filter(|(_, at)| at.elapsed() < max_age) {
            return Ok(known);
        }
        let bench = measure(&host.executable, game, n_at_once);
        let bench = bench.map_err(|error| format!("bench: {error}"))?;
        let measured = (bench, Instant::now());
        self.benches.insert(key, measured);
        Ok(measured)
    }
}

fn check_bench(own: Bench, wanted: &WireBench, announcement: &Announcement) -> Result<(), String> {
    if has_builtin(announcement) && own.nodes != wanted.nodes {
        return Err(format!(
            "the built-in engine differs: bench {} of {}: expected {}, as {} has it",
            own.nodes, wanted.game, wanted.nodes, announcement.host
        ));
    }
    Ok(())
}

/// Returns the time factor of a machine, if times are meant for one of `nps` nodes a second.
fn scale_of(nps: f64, own: Bench) -> Result<f64, String> {
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

fn has_builtin(announcement: &Announcement) -> bool {
    announcement
        .engines
        .iter()
        .any(|engine| engine.program == WireProgram::Builtin)
}

/// Checks that an announcement describes a valid match that this version can play.
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
        return Err("a built-in engine without a bench count".to_owned());
    }
    if announcement.engines.len() > MAX_ENGINES {
        return Err(format!("more than {MAX_ENGINES} engines"));
    }
    let mut names = announcement.engines.iter().map(|engine| &engine.name);
    // The second engine of a name gets a number.
    let longest = MAX_NAME + 8;
    let is_name =
        |name: &String| (1..=longest).contains(&name.chars().count()) && !name.contains('"');
    match names.all(is_name) {
        true => Ok(()),
        false => Err("an engine with an invalid name".to_owned()),
    }
}

/// Returns the number of simultaneous games, which never need more threads or memory than this worker may use.
fn concurrency(plan: &Plan, settings: &WorkerSettings) -> Result<usize, String> {
    let (cores, cores_each) = (platform::cores(), plan.cores_of_a_game().max(1));
    let cores = settings.max_threads.unwrap_or(cores).min(cores);
    if cores_each > cores {
        return Err(format!(
            "a game keeps {cores_each} cores busy: expected at most {cores}, the cores that this worker may use"
        ));
    }
    let memory = settings.max_memory_mib.or_else(platform::memory_mib);
    let memory = memory.unwrap_or(u64::MAX);
    let memory_each = hash_of_a_game(plan).max(1);
    if memory_each > memory {
        return Err(format!(
            "the hash tables of a game have {memory_each} MiB: expected at most {memory}, the memory that this worker \
             may use"
        ));
    }
    let most = cores / cores_each;
    let most = most.min(usize::try_from(memory / memory_each).unwrap_or(usize::MAX));
    Ok(settings.concurrency.unwrap_or(most).min(most))
}

/// Size of the hash tables of the engines in one game, in MiB: at most that of the largest ones.
fn hash_of_a_game(plan: &Plan) -> u64 {
    let hash = |spec: &EngineSpec| spec.number("Hash").unwrap_or(0_u64);
    let mut sizes: Vec<u64> = plan.engines.iter().map(hash).collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes.into_iter().take(2).fold(0, u64::saturating_add)
}

#[cfg(test)]
mod tests {
    use record::engine_spec::{Program, Proto, Restart};
    use record::game_spec::GameSpec;

    use super::*;

    fn plan(hash: &str, threads: &str) -> Plan {
        let engine = |name: &str| EngineSpec {
            name: Some(name.to_owned()),
            program: Program::Builtin,
            proto: Proto::Ugi,
            limit: "nodes=1".parse().expect("a limit"),
            margin_ms: 0,
            ponder: false,
            options: [("hash", hash), ("Threads", threads)]
                .map(|(name, value)| (name.to_owned(), Some(value.to_owned())))
                .to_vec(),
            restart: Restart::Auto,
            stderr: None,
        };
        let game = GameSpec::parse("susan").expect("a game");
        Plan::one_game(game, [vec![engine("A")], vec![engine("B")]], "".into())
    }

    #[test]
    fn a_worker_keeps_its_own_limits() {
        let settings = |max_memory_mib, max_threads| WorkerSettings {
            max_memory_mib: Some(max_memory_mib),
            max_threads: Some(max_threads),
            ..WorkerSettings::default()
        };
        assert_eq!(concurrency(&plan("16", "1"), &settings(32, 1)), Ok(1));
        let cores = platform::cores();
        assert_eq!(
            concurrency(&plan("1", "1"), &settings(1000, 1000)),
            Ok(cores)
        );
        assert_eq!(concurrency(&plan("16", "1"), &settings(63, cores)), Ok(1));
        let why = concurrency(&plan("65536", "1"), &settings(4096, 1)).expect_err("too large");
        assert!(why.contains("131072 MiB: expected at most 4096"), "{why}");
        let why = concurrency(&plan("1", "2"), &settings(4096, 1)).expect_err("too many");
        assert!(why.contains("2 cores busy: expected at most 1"), "{why}");
    }
}
