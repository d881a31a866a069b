//! CPU affinity: assigns CPUs to the engines of each concurrent game.

use record::format::CpuList;
use record::plan::Plan;

use crate::platform;

/// Assigns CPUs to the concurrent games of a plan, one list a game, no CPU in two lists; `None` if its engines are not
/// pinned.
///
/// # Errors
/// The system does not support pinning, or there are too few CPUs. The text names the flag and the number needed.
pub(crate) fn affinity_of(plan: &Plan) -> Result<Option<Vec<Vec<usize>>>, String> {
    let Some(wanted) = &plan.affinity else {
        return Ok(None);
    };
    let allowed = platform::allowed_cpus()
        .ok_or("--affinity: this system cannot pin a process to CPUs, which needs Linux")?;
    let spread = || platform::spread_over_cores(allowed.clone());
    let (n_games, n_each) = (plan.concurrency, plan.cores_of_a_game());
    choose(n_games, n_each, wanted, &allowed, spread).map(Some)
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
