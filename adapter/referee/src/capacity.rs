//! System limits that a match or a table needs, checked before its first game; and the CPUs of each concurrent game.

use record::format::CpuList;
use record::plan::Plan;

use crate::platform;

/// Pipes to each engine: standard input, output and error.
const PIPES: u64 = 3;
/// Additional descriptors open while an engine starts: the child's ends of its pipes, and the pipe that reports a
/// failed start.
const STARTING: u64 = 5;
/// The ledger, PGN and log files, and files opened by the C library.
const FILES: u64 = 16;

/// The process that ends the engines if the referee is killed.
const WATCHDOG: u64 = 1;

/// Descriptors of a table: four engines, one a seat, one for hints and one for analysis; its ledger, with the lock; and the
/// pipe that wakes it up.
pub const TABLE_DESCRIPTORS: u64 = 4 * PIPES + STARTING + 4;

/// The number of descriptors that this process may open for connections, in addition to the `reserved` ones.
///
/// # Errors
/// Fewer than `least` are left. The text names the limit that is needed.
pub fn spare_descriptors(reserved: u64, least: u64) -> Result<u64, String> {
    let used = platform::open_descriptors() + FILES + reserved;
    let (needed, limit) = (used + least, platform::max_descriptors());
    match limit {
        Some(limit) if limit < needed => Err(format!(
            "{needed} open files are needed and {limit} are allowed: first run ulimit -n {needed}"
        )),
        _ => Ok(limit.unwrap_or(u64::MAX) - used),
    }
}

/// Largest number of engine processes of a match at a time. Each plays one game; idle ones are kept for later games.
fn engines_of(plan: &Plan) -> u64 {
    let (n_engines, playing) = (plan.engines.len(), 2 * plan.concurrency);
    let waiting = n_engines.max(playing);
    (n_engines * plan.concurrency).min(waiting + playing) as u64
}

/// Largest number of descriptors that a match needs.
pub fn descriptors_of(plan: &Plan) -> u64 {
    let engines = engines_of(plan);
    PIPES * engines + STARTING * engines.min(plan.concurrency as u64) + FILES
}

/// Compares the needs of a match with the limits of this system.
///
/// # Errors
/// The limit that is too low, and the value needed.
pub(crate) fn check(plan: &Plan) -> Result<(), String> {
    let concurrency = plan.concurrency as u64;
    let descriptors = platform::open_descriptors() + descriptors_of(plan);
    let processes = engines_of(plan) + concurrency + WATCHDOG;
    let (files, all) = (platform::max_descriptors(), platform::max_processes());
    compare(concurrency, descriptors, files, "open files", "ulimit -n")?;
    compare(
        concurrency,
        processes,
        all,
        "processes and threads",
        "ulimit -u",
    )
}

fn compare(
    concurrency: u64,
    needed: u64,
    limit: Option<u64>,
    what: &str,
    command: &str,
) -> Result<(), String> {
    match limit {
        Some(limit) if limit < needed => Err(format!(
            "--concurrency {concurrency}: {needed} {what} are needed and {limit} are allowed: lower \
             --concurrency, or first run {command} {needed}"
        )),
        _ => Ok(()),
    }
}

/// Assigns CPUs to the concurrent games of a plan, one list a game, no CPU in two lists; none if its engines are not
/// pinned.
///
/// # Errors
/// The system does not support pinning, or there are too few CPUs. The text names the flag and the number needed.
pub(crate) fn affinity_of(plan: &Plan) -> Result<Vec<Vec<usize>>, String> {
    let Some(wanted) = &plan.affinity else {
        return Ok(Vec::new());
    };
    let allowed = platform::allowed_cpus()
        .ok_or("--affinity: this system cannot pin a process to CPUs, which needs Linux")?;
    let spread = || platform::spread_over_cores(allowed.clone());
    let (n_games, n_each) = (plan.concurrency, plan.cores_of_a_game());
    choose(n_games, n_each, wanted, &allowed, spread)
}

fn choose(
    n_games: usize,
    n_each: usize,
    wanted: &CpuList,
    allowed: &[usize],
    spread: impl FnOnce() -> Vec<usize>,
) -> Result<Vec<Vec<usize>>, String> {
    if let Some(other) = wanted.0.iter().find(|cpu| !allowed.contains(cpu)) {
        let allowed = CpuList(allowed.to_vec());
        return Err(format!(
            "--affinity: CPU {other} is not among those that this process may use. Choose from {allowed}"
        ));
    }
    let (cpus, whose) = match wanted.0.is_empty() {
        true => (spread(), "this process may use"),
        false => (wanted.0.clone(), "are listed"),
    };
    let n_needed = n_games.saturating_mul(n_each);
    if cpus.len() < n_needed {
        let n_cpus = cpus.len();
        return Err(format!(
            "--affinity: --concurrency {n_games} needs {n_needed} CPUs, {n_each} a game, and {n_cpus} {whose}. Lower \
             --concurrency, or give the engines fewer Threads or no ponder"
        ));
    }
    let games = cpus.chunks(n_each.max(1)).take(n_games);
    Ok(games.map(<[usize]>::to_vec).collect())
}

#[cfg(test)]
mod tests {
    use record::engine_spec::EngineSpec;

    use super::*;

    #[test]
    fn what_is_needed_is_named() {
        let needed = descriptors_of(&Plan {
            concurrency: 200,
            engines: vec![EngineSpec::default(); 2],
            ..Plan::default()
        });
        assert!(needed >= 3 * 400, "{needed}");
        let compared = |limit| compare(200, needed, limit, "open files", "ulimit -n");
        assert_eq!(compared(Some(needed)), Ok(()));
        assert_eq!(compared(None), Ok(()));
        let why = compared(Some(1024)).expect_err("1024 are too few");
        assert!(
            why.starts_with(&format!("--concurrency 200: {needed} open files")),
            "{why}"
        );
        assert!(why.ends_with(&format!("ulimit -n {needed}")), "{why}");
    }
}

#[cfg(test)]
mod affinity_tests {
    use super::*;

    #[test]
    fn no_two_games_share_a_cpu() {
        let all = CpuList::default();
        let allowed = [0, 1, 2, 3, 4];
        let spread = || vec![0, 2, 4, 1, 3];
        let chosen = choose(2, 2, &all, &allowed, spread).expect("there are enough");
        assert_eq!(chosen, [[0, 2], [4, 1]]);
        let listed = CpuList(vec![3, 1]);
        let chosen = choose(2, 1, &listed, &allowed, spread).expect("there are enough");
        assert_eq!(chosen, [[3], [1]]);
        let why = choose(3, 2, &all, &allowed, spread).expect_err("six are needed");
        assert!(
            why.starts_with("--affinity: --concurrency 3 needs 6 CPUs, 2 a game, and 5 "),
            "{why}"
        );
        let foreign = CpuList(vec![9]);
        let why = choose(1, 1, &foreign, &allowed, spread).expect_err("there is no CPU 9");
        assert!(why.contains("CPU 9") && why.ends_with("0,1,2,3,4"), "{why}");
    }
}
