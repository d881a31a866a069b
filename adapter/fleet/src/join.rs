//! Checks whether a worker can play a match, and makes the plan of the match for its machine.

use std::collections::btree_map::Entry;

use record::engine_spec::EngineSpec;
use record::plan::Plan;
use referee::host::Host;

use crate::bench::{Benches, measure};
use crate::local_engine::{EngineFinder, Fetch, WorkerSettings, is_same, set_own_texts};
use crate::platform;
use crate::wire::{Announcement, FORMAT, portable};

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
    let registry = finder.games(host.registry, &plan, announcement.settings.rules.as_ref())?;
    let host = Host {
        registry,
        ..host.clone()
    };
    let known = host.registry.rules(&plan.game);
    known.map_err(|error| error.to_string())?;
    plan.check()?;
    plan.concurrency = concurrency(
        &plan,
        settings.concurrency,
        platform::cores(),
        platform::memory_mib(),
    )?;
    let found = plan.engines.iter().zip(&announcement.settings.engines);
    let found = found.map(|(wired, content)| finder.find(wired, content.as_ref()));
    let found = found.collect::<Result<Vec<_>, _>>()?;
    let scale = scale(announcement, benches, plan.concurrency, &host)?;
    for (spec, (program, mut own)) in plan.engines.iter_mut().zip(found) {
        spec.program = program;
        if !settings.accepts_engines {
            set_own_texts(spec, &own, &announcement.plan, &host)?;
        }
        own.retain(|(name, _)| !spec.options.iter().any(|sent| is_same(&sent.0, name)));
        spec.options.splice(0..0, own);
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
    let (n_engines, contents) = (
        announcement.plan.engines.len(),
        &announcement.settings.engines,
    );
    if n_engines != contents.len() {
        let n = contents.len();
        return Err(format!("contents of {n} engines: expected {n_engines}"));
    }
    let version = &announcement.version;
    if contents.contains(&None) && version != own {
        return Err(format!(
            "its built-in engine is of version {version}: expected {own}, the version here"
        ));
    }
    Ok(())
}

/// Returns the factor of this machine for the time limits of a match.
fn scale(
    announcement: &Announcement,
    benches: &mut Benches,
    n_at_once: usize,
    host: &Host,
) -> Result<f64, String> {
    let Some(wanted) = &announcement.settings.bench else {
        return Ok(1.0);
    };
    let entry = host.registry.find(&wanted.game);
    let game = entry.map_err(|error| error.to_string())?.name;
    let own = match benches.entry((game.to_owned(), n_at_once)) {
        Entry::Occupied(known) => *known.get(),
        Entry::Vacant(new) => {
            let measured = measure(&host.executable, game, n_at_once);
            *new.insert(measured.map_err(|error| format!("bench: {error}"))?)
        }
    };
    if announcement.settings.engines.contains(&None) && own.nodes != wanted.nodes {
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

/// Returns the number of simultaneous games, at most `wanted`, which never need more cores or memory than the machine
/// has.
fn concurrency(
    plan: &Plan,
    wanted: Option<usize>,
    cores: usize,
    memory: u64,
) -> Result<usize, String> {
    let (cores_each, memory_each) = (plan.cores_of_a_game().max(1), hash_of_a_game(plan).max(1));
    if cores_each > cores {
        return Err(format!(
            "a game keeps {cores_each} cores busy: expected at most {cores}, as many as there are"
        ));
    }
    if memory_each > memory {
        return Err(format!(
            "the hash tables of a game have {memory_each} MiB: expected at most {memory}, the memory of this machine"
        ));
    }
    let most = usize::try_from(memory / memory_each).unwrap_or(usize::MAX);
    let most = most.min(cores / cores_each);
    Ok(wanted.unwrap_or(most).min(most))
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
    fn games_at_once_never_need_more_than_the_machine_has() {
        let games =
            |hash, threads, cores, memory| concurrency(&plan(hash, threads), None, cores, memory);
        assert_eq!(games("16", "1", 1, 32), Ok(1));
        assert_eq!(games("1", "1", 8, 1000), Ok(8));
        assert_eq!(games("16", "1", 8, 63), Ok(1));
        assert_eq!(concurrency(&plan("1", "1"), Some(3), 8, 1000), Ok(3));
        let why = games("65536", "1", 1, 4096).expect_err("too large");
        assert!(why.contains("131072 MiB: expected at most 4096"), "{why}");
        let why = games("1", "2", 1, 4096).expect_err("too many");
        assert!(why.contains("2 cores busy: expected at most 1"), "{why}");
    }
}
