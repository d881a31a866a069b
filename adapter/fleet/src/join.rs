//! Checks whether a worker can play a match, and makes the plan of the match for its machine.

use record::engine_spec::EngineSpec;
use record::plan::Plan;
use referee::host::Host;
use referee::player::names::MAX_NAME;

use crate::bench::Benches;
use crate::local_engine::{EngineFinder, Fetch};
use crate::platform;
use crate::wire::{Announcement, FORMAT, portable};
use crate::worker::WorkerSettings;

/// Maximum number of engines of a match.
const MAX_ENGINES: usize = 1000;

/// Permitted range of a machine's time factor.
const SCALES: std::ops::RangeInclusive<f64> = 0.01..=100.0;

/// A match as it is played on this machine.
#[derive(Debug)]
pub(crate) struct Joined {
    pub(crate) plan: Plan,
    /// The worker's host, with the game of the match.
    pub(crate) host: Host,
    /// Factor for time limits.
    pub(crate) scale: f64,
}

/// Makes the plan of an announced match for this machine. `fetch` downloads an archive from the coordinator.
///
/// # Errors
/// The reason that this worker does not play the match.
pub(crate) fn join(
    announcement: &Announcement,
    benches: &mut Benches,
    settings: &WorkerSettings,
    host: &Host,
    fetch: &Fetch<'_>,
) -> Result<Joined, String> {
    check(announcement)?;
    let mut plan = portable(&announcement.plan);
    let finder = EngineFinder { settings, fetch };
    let registry = finder.games(host.registry, &plan, announcement.rules.as_ref())?;
    let host = Host {
        registry,
        ..host.clone()
    };
    let known = host.registry.rules(&plan.game);
    known.map_err(|error| error.to_string())?;
    plan.check()?;
    plan.concurrency = concurrency(&plan, settings)?;
    let found = plan.engines.iter().zip(&announcement.engines);
    let found = found.map(|(wired, content)| finder.find(wired, content.as_ref()));
    let found = found.collect::<Result<Vec<_>, _>>()?;
    for (spec, local) in plan.engines.iter_mut().zip(found) {
        let sent = std::mem::take(&mut spec.options);
        local.apply(spec, &sent);
        if !settings.accepts_engines {
            local.set_own_texts(spec, &sent, &announcement.plan, &host)?;
        }
    }
    let scale = scale(announcement, benches, plan.concurrency, &host)?;
    for spec in &mut plan.engines {
        spec.limit = spec.limit.scaled(scale);
    }
    Ok(Joined { plan, host, scale })
}

/// Checks that an announcement describes a valid match that this version can play.
fn check(announcement: &Announcement) -> Result<(), String> {
    let own = env!("CARGO_PKG_VERSION");
    if announcement.format != FORMAT {
        let format = announcement.format;
        return Err(format!(
            "its messages have format {format}: expected {FORMAT}, that of version {own}"
        ));
    }
    let engines = &announcement.plan.engines;
    if engines.len() > MAX_ENGINES || engines.len() != announcement.engines.len() {
        return Err(format!("expected at most {MAX_ENGINES} engines"));
    }
    if announcement.engines.contains(&None) {
        let version = &announcement.version;
        if version != own {
            return Err(format!(
                "its built-in engine is of version {version}: expected {own}, the version here"
            ));
        }
        if announcement.bench.is_none() {
            return Err("a built-in engine without a bench count".to_owned());
        }
    }
    // The name of a second engine of the same name has a number.
    let longest = MAX_NAME + 8;
    let is_name = |spec: &EngineSpec| {
        let name = spec.name.as_deref().unwrap_or_default();
        (1..=longest).contains(&name.chars().count()) && !name.contains('"')
    };
    match engines.iter().all(is_name) {
        true => Ok(()),
        false => Err("an engine with an invalid name".to_owned()),
    }
}

/// Returns the factor of this machine for the time limits of a match.
fn scale(
    announcement: &Announcement,
    benches: &mut Benches,
    n_at_once: usize,
    host: &Host,
) -> Result<f64, String> {
    let Some(wanted) = &announcement.bench else {
        return Ok(1.0);
    };
    let entry = host.registry.find(&wanted.game);
    let game = entry.map_err(|error| error.to_string())?.name;
    let own = benches.measure(&host.executable, game, n_at_once);
    let own = own.map_err(|error| format!("bench: {error}"))?;
    if announcement.engines.contains(&None) && own.nodes != wanted.nodes {
        return Err(format!(
            "the built-in engine differs: bench {} of {}: expected {}, as {} has it",
            own.nodes, wanted.game, wanted.nodes, announcement.host
        ));
    }
    let scale = wanted.nps.map_or(1.0, |nps| nps / own.nps);
    match SCALES.contains(&scale) {
        true => Ok(scale),
        false => Err(format!(
            "time would be multiplied by {scale:.3}: expected a factor from {} to {}",
            SCALES.start(),
            SCALES.end()
        )),
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
    use super::*;
    use crate::record_testing::plan as plan_of;

    fn plan(hash: &str, threads: &str) -> Plan {
        let mut plan = plan_of(&["A", "B"]);
        for spec in &mut plan.engines {
            spec.options = [("hash", hash), ("Threads", threads)]
                .map(|(name, value)| (name.to_owned(), Some(value.to_owned())))
                .to_vec();
        }
        plan
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
