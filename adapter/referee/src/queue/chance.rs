//! Workers whose results differ from those of the others beyond chance.
//!
//! Each worker plays pairs of the same match, so the pairs that it has played are a random sample of all of them.
//! Fisher's exact test compares how many of its pairs were won or lost with the pairs of all other workers.

use std::collections::BTreeMap;

use record::finished::Finished;
use record::game::GameResult;
use record::stats::ln_tail;

use super::key_of;

/// Probability that any honest worker of a match is found by chance.
const FALSE_ALARM: f64 = 1e-3;

/// Number of workers from which the one that differs can be named.
const MIN_WORKERS: usize = 3;

/// A finding.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Finding {
    /// The results of this worker differ from those of the others.
    Worker(String),
    /// The results of the only two workers differ.
    Two([String; 2]),
}

/// Counts the pairs of each worker by result.
#[derive(Debug, Default)]
pub(super) struct ScoreTest {
    /// For each two players, the counts of the workers by their keys, with the last name of each.
    meetings: BTreeMap<[String; 2], BTreeMap<String, (String, Count)>>,
}

/// Pairs by result for the first of two players.
#[derive(Debug, Default, Clone, Copy)]
struct Count {
    n_pairs: u64,
    n_won: u64,
    n_lost: u64,
}

impl Count {
    fn plus(self, other: Count) -> Count {
        Count {
            n_pairs: self.n_pairs + other.n_pairs,
            n_won: self.n_won + other.n_won,
            n_lost: self.n_lost + other.n_lost,
        }
    }
}

impl ScoreTest {
    /// Counts the games of a pair by this worker. Returns a worker, or two, whose results differ beyond chance.
    pub(super) fn count(&mut self, worker: &str, games: &[Finished<'_>]) -> Option<Finding> {
        let first = games.first()?;
        let mut players = [first.p1.to_owned(), first.p2.to_owned()];
        players.sort();
        let points: Option<i32> = games.iter().map(|game| points(*game, &players[0])).sum();
        let points = points?;
        let rows = self.meetings.entry(players).or_default();
        let key = key_of(worker);
        let (name, count) = rows.entry(key.to_owned()).or_default();
        worker.clone_into(name);
        count.n_pairs += 1;
        count.n_won += u64::from(points > 0);
        count.n_lost += u64::from(points < 0);
        let counts = rows.values().map(|(_, count)| *count);
        let all = counts.fold(Count::default(), Count::plus);
        // With all workers tested at each pair, the cost would grow with their number.
        if all.n_pairs % rows.len() as u64 != 0 {
            return None;
        }
        let chances = rows
            .values()
            .map(|(name, count)| (name, ln_chance(*count, all)));
        // A worker that differs makes the others differ from the mean, too, but less than itself.
        let (name, chance) = chances.min_by(|one, other| one.1.total_cmp(&other.1))?;
        // The sum of 1 / (n * (n + 1)) over all n is 1, so the test may be repeated after each pair.
        let n_tests = all.n_pairs as f64 * (all.n_pairs as f64 + 1.0) * rows.len() as f64;
        if chance >= (FALSE_ALARM / n_tests).ln() {
            return None;
        }
        if rows.len() >= MIN_WORKERS {
            return Some(Finding::Worker(name.clone()));
        }
        let mut names = rows.values().map(|(name, _)| name.clone());
        Some(Finding::Two([names.next()?, names.next()?]))
    }

    /// Forgets the results of a worker.
    pub(super) fn remove(&mut self, worker: &str) {
        for rows in self.meetings.values_mut() {
            rows.remove(key_of(worker));
        }
    }
}

/// 1, 0 or -1 for the player's win, draw or loss; `None` for a game without a result.
fn points(game: Finished<'_>, player: &str) -> Option<i32> {
    match game.result {
        GameResult::Unknown => None,
        GameResult::Draw => Some(0),
        result if result == GameResult::win(game.side_of(player)) => Some(1),
        _ => Some(-1),
    }
}

/// Logarithm of the probability that a random sample of all pairs differs as much as these, in one of four ways: more or
/// fewer pairs won, or lost.
fn ln_chance(own: Count, all: Count) -> f64 {
    let chance = |n: u64, n_all: u64| ln_tail(n, own.n_pairs, n_all, all.n_pairs);
    let least = chance(own.n_won, all.n_won).min(chance(own.n_lost, all.n_lost));
    least + 4.0_f64.ln()
}

#[cfg(test)]
mod tests {
    use record::game::GameRecord;

    use super::*;
    use crate::record_testing::finished_game;

    /// A game that A wins (1), draws (0) or loses (-1).
    fn game(points: i32) -> GameRecord {
        GameRecord {
            result: match points {
                1 => GameResult::P1Win,
                0 => GameResult::Draw,
                _ => GameResult::P2Win,
            },
            ..finished_game(1)
        }
    }

    /// Plays a match in which `forger` always wins with A from this pair on, and others win with A, draw or lose with
    /// given probabilities. Returns the number of pairs until a worker is found, and the worker.
    fn find(
        n_workers: usize,
        forger: Option<usize>,
        won: f64,
        lost: f64,
        seed: u64,
    ) -> (usize, Option<Finding>) {
        let mut rng = fastrand::Rng::with_seed(seed);
        let mut test = ScoreTest::default();
        for pair in 1..=2000 {
            let worker = rng.usize(0..n_workers);
            let luck = rng.f64();
            let is_won = luck < won || Some(worker) == forger;
            let is_lost = !is_won && luck < won + lost;
            let record = game(i32::from(is_won) - i32::from(is_lost));
            let found = test.count(&format!("w{worker}"), &[Finished::from(&record)]);
            if found.is_some() {
                return (pair, found);
            }
        }
        (2000, None)
    }

    #[test]
    fn a_worker_that_only_wins_is_found_among_five() {
        for (won, lost) in [(0.3, 0.3), (0.05, 0.05), (0.0, 0.5), (0.6, 0.3)] {
            for seed in 0..5 {
                let (n_pairs, found) = find(5, Some(3), won, lost, seed);
                assert_eq!(
                    found,
                    Some(Finding::Worker("w3".to_owned())),
                    "{won} {lost}"
                );
                assert!(n_pairs < 500, "{won} {lost}: {n_pairs}");
            }
        }
        let (_, found) = find(2, Some(1), 0.3, 0.3, 0);
        assert_eq!(
            found,
            Some(Finding::Two(["w0".to_owned(), "w1".to_owned()]))
        );
    }

    #[test]
    fn honest_workers_are_left_alone() {
        for (won, lost) in [(0.3, 0.3), (0.98, 0.01), (0.01, 0.0), (0.5, 0.5)] {
            for seed in 0..20 {
                assert_eq!(
                    find(5, None, won, lost, seed).1,
                    None,
                    "{won} {lost} {seed}"
                );
            }
        }
    }
}
