//! Results by machine in a distributed match, and detection of outliers.

use std::collections::BTreeMap;

use serde::Serialize;

use super::tally::Wdl;
use crate::finished::Finished;
use crate::game::{GameRecord, Termination};

/// Probability of a false outlier over all machines of a match together.
const CHANCE: f64 = 0.01;

/// The results of one machine.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MachineRow {
    /// Its host name; empty for games without a recorded machine.
    pub name: String,
    /// The model of its processor.
    pub cpu: String,
    /// Games with a result.
    pub games: u64,
    /// The first player's share of points, 0 to 1.
    pub score: f64,
    /// Games lost on time.
    pub time_losses: u64,
    /// The mean factor of its time limits.
    pub scale: f64,
    /// Its mean load average.
    pub load: f64,
    /// The p-value of Fisher's exact test of its losses on time against the other machines.
    pub chance: f64,
    /// `true` if its losses on time differ significantly, with Bonferroni's correction for the number of machines.
    pub is_outlier: bool,
}

/// Counts games by the machine that played them.
#[derive(Debug, Clone, Default)]
pub struct MachineCounter {
    sums: BTreeMap<String, Sum>,
}

#[derive(Debug, Clone, Default)]
struct Sum {
    cpu: String,
    games: u64,
    points: f64,
    time_losses: u64,
    scales: f64,
    loads: f64,
}

impl MachineCounter {
    /// Counts a game. Points are those of the player `first`.
    pub fn count(&mut self, game: &GameRecord, first: &str) {
        let wdl = Wdl::of(game.result, Finished::from(game).side_of(first));
        if wdl.games() == 0 {
            return;
        }
        let machine = game.machine.as_ref();
        let name = machine.map_or_else(String::new, |machine| machine.name.clone());
        let sum = self.sums.entry(name).or_default();
        sum.games += 1;
        sum.points += wdl.score();
        sum.time_losses += u64::from(game.termination == Termination::TimeForfeit);
        sum.scales += machine.map_or(1.0, |machine| machine.scale);
        sum.loads += machine.map_or(0.0, |machine| machine.load);
        if let Some(machine) = machine {
            sum.cpu.clone_from(&machine.cpu);
        }
    }

    /// The machines, by name.
    pub fn rows(self) -> Vec<MachineRow> {
        let n_games = self.sums.values().map(|sum| sum.games).sum();
        let n_lost = self.sums.values().map(|sum| sum.time_losses).sum();
        let n_machines = self.sums.len() as f64;
        let row = |(name, sum): (String, Sum)| {
            let chance = two_sided(sum.time_losses, sum.games, n_lost, n_games);
            MachineRow {
                name,
                cpu: sum.cpu,
                games: sum.games,
                score: sum.points / sum.games as f64,
                time_losses: sum.time_losses,
                scale: sum.scales / sum.games as f64,
                load: sum.loads / sum.games as f64,
                chance,
                is_outlier: chance * n_machines < CHANCE,
            }
        };
        self.sums.into_iter().map(row).collect()
    }
}

/// Two-sided p-value of Fisher's exact test (R. A. Fisher, "The Design of Experiments", 1935). Of `n_all` games,
/// `k_all` were lost on time. Returns the probability that `n` games drawn at random contain a number of these that is
/// no more likely than `k`.
fn two_sided(k: u64, n: u64, k_all: u64, n_all: u64) -> f64 {
    /// Tolerance for rounding, so that equal likelihoods compare as equal.
    const ROUNDING: f64 = 1e-7;
    let likelihood = |k: u64| {
        let ways = ln_choose(k_all, k) + ln_choose(n_all - k_all, n - k) - ln_choose(n_all, n);
        ways.exp()
    };
    let least = n.saturating_sub(n_all - k_all);
    let most = n.min(k_all);
    let limit = likelihood(k) * (1.0 + ROUNDING);
    let rare = (least..=most)
        .map(likelihood)
        .filter(|likely| *likely <= limit);
    rare.sum::<f64>().min(1.0)
}

/// The logarithm of the binomial coefficient "`n` choose `k`".
fn ln_choose(n: u64, k: u64) -> f64 {
    let ln_factorial = |n: u64| libm::lgamma(n as f64 + 1.0);
    ln_factorial(n) - ln_factorial(k) - ln_factorial(n - k)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Machine;
    use crate::testing::finished_game;

    /// Games of one machine, the first `n_lost` of them lost on time.
    fn games(name: &str, n_games: usize, n_lost: usize) -> Vec<GameRecord> {
        let game = |number: usize| {
            let mut game = finished_game(number);
            game.machine = Some(Machine {
                name: name.to_owned(),
                worker: String::new(),
                cpu: "Z80".to_owned(),
                scale: 2.0,
                load: 0.5,
            });
            if number <= n_lost {
                game.termination = Termination::TimeForfeit;
            }
            game
        };
        (1..=n_games).map(game).collect()
    }

    fn by_machine(games: &[GameRecord]) -> Vec<MachineRow> {
        let mut counter = MachineCounter::default();
        games.iter().for_each(|game| counter.count(game, "A"));
        counter.rows()
    }

    /// Fisher's example of the lady tasting tea: three of four cups right has the p-value 34/70.
    #[test]
    fn the_test_is_fishers() {
        assert!((two_sided(3, 4, 4, 8) - 34.0 / 70.0).abs() < 1e-9);
        assert!((two_sided(4, 4, 4, 8) - 2.0 / 70.0).abs() < 1e-9);
        assert!((two_sided(0, 10, 0, 100) - 1.0).abs() < 1e-9);
        // In whole numbers: choose(10, 9) * choose(9990, 991) / choose(10000, 1000), plus the same for 10.
        let rare = two_sided(9, 1000, 10, 10_000);
        assert!((rare / 8.816_055e-9 - 1.0).abs() < 1e-5, "{rare}");
    }

    #[test]
    fn a_machine_that_loses_on_time_is_named() {
        let all = [games("a", 200, 1), games("b", 200, 0), games("c", 200, 14)].concat();
        let rows = by_machine(&all);
        let named: Vec<(&str, bool)> = rows
            .iter()
            .map(|row| (row.name.as_str(), row.is_outlier))
            .collect();
        assert_eq!(named, [("a", false), ("b", false), ("c", true)]);
        assert_eq!((rows[2].games, rows[2].time_losses), (200, 14));
        assert_eq!(
            (rows[0].score, rows[0].scale, rows[0].load),
            (1.0, 2.0, 0.5)
        );
    }

    #[test]
    fn chance_names_no_machine() {
        let all = [games("a", 100, 2), games("b", 100, 0), games("c", 300, 3)].concat();
        assert!(by_machine(&all).iter().all(|row| !row.is_outlier));
    }
}
