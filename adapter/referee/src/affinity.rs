//! CPU affinity: assigns CPUs to the engines of each concurrent game.

use std::fmt;
use std::str::FromStr;

use crate::plan::Plan;
use crate::platform;
use crate::text_serde::serde_as_text;

/// Largest CPU number accepted.
const MAX_CPU: usize = 1023;

/// A list of CPU numbers, written as `0,2,4-7`. The empty list means all CPUs that this process may use.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct CpuList(Vec<usize>);

impl CpuList {
    /// The index of a CPU in the list; 0 if the list does not contain it.
    pub(crate) fn rank(&self, cpu: usize) -> usize {
        self.0.iter().position(|known| *known == cpu).unwrap_or(0)
    }
}

impl FromStr for CpuList {
    type Err = String;

    fn from_str(text: &str) -> Result<CpuList, String> {
        let mut cpus = Vec::new();
        for part in text.split(',').filter(|_| !text.is_empty()) {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let range = first.parse().ok().zip(last.parse().ok());
            let range = range.filter(|(first, last)| first <= last && *last <= MAX_CPU);
            let (first, last) = range.ok_or_else(|| {
                format!("expected numbers of CPUs up to {MAX_CPU}, as in 0,2,4-7")
            })?;
            for cpu in first..=last {
                if cpus.contains(&cpu) {
                    return Err(format!("CPU {cpu} twice: expected each once"));
                }
                cpus.push(cpu);
            }
        }
        Ok(CpuList(cpus))
    }
}

impl fmt::Display for CpuList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let numbers: Vec<String> = self.0.iter().map(usize::to_string).collect();
        f.write_str(&numbers.join(","))
    }
}

serde_as_text!(CpuList);

/// The CPUs of each concurrent game: one list a game, no CPU in two lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Affinity(Vec<Vec<usize>>);

impl Affinity {
    /// Assigns CPUs to the concurrent games of a plan; `None` if its engines are not pinned.
    ///
    /// # Errors
    /// The system does not support pinning, or there are too few CPUs. The text names the flag and the number needed.
    pub(crate) fn of(plan: &Plan) -> Result<Option<Affinity>, String> {
        let Some(wanted) = &plan.affinity else {
            return Ok(None);
        };
        let Some(allowed) = platform::allowed_cpus() else {
            return Err(
                "--affinity: this system cannot pin a process to CPUs: expected Linux".to_owned(),
            );
        };
        let spread = || platform::spread_over_cores(allowed.clone());
        choose(
            plan.concurrency,
            plan.cores_of_a_game(),
            wanted,
            &allowed,
            spread,
        )
        .map(Some)
    }

    /// The CPUs of the concurrent game with this index.
    pub(crate) fn cpus(&self, place: usize) -> &[usize] {
        self.0.get(place).map_or(&[], Vec::as_slice)
    }
}

fn choose(
    n_games: usize,
    n_each: usize,
    wanted: &CpuList,
    allowed: &[usize],
    spread: impl FnOnce() -> Vec<usize>,
) -> Result<Affinity, String> {
    if let Some(other) = wanted.0.iter().find(|cpu| !allowed.contains(cpu)) {
        let allowed = CpuList(allowed.to_vec());
        return Err(format!(
            "--affinity: CPU {other} is not among those that this process may use: expected some of {allowed}"
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
            "--affinity: --concurrency {n_games} needs {n_needed} CPUs, {n_each} a game, and {n_cpus} {whose}: expected a \
             smaller --concurrency, or engines with fewer Threads or without ponder"
        ));
    }
    let games = cpus.chunks(n_each.max(1)).take(n_games);
    Ok(Affinity(games.map(<[usize]>::to_vec).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_written_as_numbers_and_ranges() {
        for (text, cpus) in [("", &[][..]), ("3", &[3]), ("0,2,4-6", &[0, 2, 4, 5, 6])] {
            let list: CpuList = text.parse().expect(text);
            assert_eq!(list.0, cpus);
            assert_eq!(list.to_string().parse(), Ok(list));
        }
        for text in ["x", "1,", "-1", "4-2", "1,0-2", "1024", "0 1"] {
            assert!(text.parse::<CpuList>().is_err(), "{text}");
        }
    }

    #[test]
    fn no_two_games_share_a_cpu() {
        let all = CpuList::default();
        let allowed = [0, 1, 2, 3, 4];
        let spread = || vec![0, 2, 4, 1, 3];
        let chosen = choose(2, 2, &all, &allowed, spread).expect("there are enough");
        assert_eq!(chosen.0, [[0, 2], [4, 1]]);
        assert_eq!(chosen.cpus(7), &[] as &[usize]);
        let listed = CpuList(vec![3, 1]);
        let chosen = choose(2, 1, &listed, &allowed, spread).expect("there are enough");
        assert_eq!(chosen.0, [[3], [1]]);
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
