//! The verdict of a sequential test, which a match and all reports of it share.
//!
//! Short games finish first. A test over pairs in the order of finishing would see too many short games, which biases
//! it. A pair is therefore counted once all pairs before it have finished, and the test ends at the first pair that
//! decides it, regardless of later results. The decision depends only on the games, not on their duration.
//!
//! Matches that are pooled are judged one after the other. A PGN file has no schedule: its pairs count in the order of
//! the file, and single games if it has no pairs.

use std::collections::BTreeMap;

use super::sample::{Results, Wdl};
use super::sprt::{Sprt, SprtStatus};
use crate::plan::Plan;

/// Counts the pairs that a test judges: of each match, those before the first unfinished pair.
#[derive(Debug, Clone, Default)]
pub(super) struct SprtCounter {
    test: Sprt,
    /// Id of the current match; empty if unknown.
    id: String,
    /// Number of the first unfinished pair, and the distance between the numbers of consecutive pairs in this part of
    /// the match; `None` without a schedule.
    next: Option<(usize, usize)>,
    /// Number of games in a pair.
    pair_len: usize,
    /// The results of pairs that are incomplete or wait for an earlier one, from the player's point of view.
    waiting: BTreeMap<usize, Vec<Wdl>>,
    /// The judged pairs, and the games that belong to no pair.
    judged: Results,
    /// The final status, once the test is decided.
    decided: Option<SprtStatus>,
}

impl SprtCounter {
    /// Starts without games and without a schedule.
    pub(super) fn new(test: Sprt) -> SprtCounter {
        SprtCounter {
            test,
            pair_len: 2,
            ..SprtCounter::default()
        }
    }

    /// Begins a match, or continues with another copy of it: the games counted next belong to it. `None` for games
    /// without a schedule.
    pub(super) fn begin_source(&mut self, plan: Option<&Plan>) {
        let id = plan.map_or("", |plan| plan.id.as_str());
        if !id.is_empty() && id == self.id {
            return;
        }
        id.clone_into(&mut self.id);
        self.next = plan.map(|plan| plan.shard.map_or((1, 1), |shard| (shard.number, shard.of)));
        self.pair_len = plan.map_or(2, Plan::pair_len);
        self.waiting.clear();
    }

    /// Counts a game of a pair. A pair with a game without a result is skipped.
    pub(super) fn count(&mut self, pair: usize, game: Wdl) {
        if self.decided.is_some() {
            return;
        }
        self.waiting.entry(pair).or_default().push(game);
        match self.next {
            None => {
                self.judged.wdl += game;
                self.judge(pair);
            }
            Some((mut next, step)) => {
                while self.judge(next) {
                    next += step;
                    self.next = Some((next, step));
                }
            }
        }
    }

    /// Judges a pair. Returns `false` if it has not ended, or if it decides the test.
    fn judge(&mut self, pair: usize) -> bool {
        let Some(results) = self
            .waiting
            .get(&pair)
            .filter(|games| games.len() >= self.pair_len)
        else {
            return false;
        };
        match results[..] {
            _ if results.iter().any(|wdl| wdl.games() == 0) => {}
            [first, second] => self.judged.pairs.count(first.halves(), second.halves()),
            _ => results.iter().for_each(|wdl| self.judged.wdl += *wdl),
        }
        self.waiting.remove(&pair);
        let status = self.status();
        self.decided = status.decision.map(|_| status);
        self.decided.is_none()
    }

    /// The status after the pairs counted so far, or after the pair that decided the test.
    pub(super) fn status(&self) -> SprtStatus {
        let now = || self.test.status(&self.judged.sample());
        self.decided.unwrap_or_else(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameRecord;
    use crate::game::GameResult;
    use crate::stats::sprt::{Decision, Model};
    use crate::stats::summary::Summary;
    use crate::testing::{finished_game, plan};

    const TEST: Sprt = Sprt {
        elo0: 0.0,
        elo1: 100.0,
        alpha: 0.05,
        beta: 0.05,
        model: Model::Logistic,
    };

    /// A game between A and B in pairs with sides swapped; `winner` is `A`, `B`, or `*` for no result.
    fn game(number: usize, winner: char) -> GameRecord {
        let mut game = finished_game(number);
        game.pair = number.div_ceil(2);
        if number.is_multiple_of(2) {
            std::mem::swap(&mut game.p1, &mut game.p2);
        }
        game.result = match winner {
            '*' => GameResult::Unknown,
            winner if game.p1.starts_with(winner) => GameResult::P1Win,
            _ => GameResult::P2Win,
        };
        game
    }

    fn counter() -> Summary {
        Summary::of(&Plan {
            sprt: Some(TEST),
            ..plan(&["A", "B"])
        })
    }

    /// A match whose pairs finish out of order gives one verdict while it runs and in reports.
    #[test]
    fn reports_judge_as_the_match_does() {
        let plan = Plan {
            sprt: Some(TEST),
            ..plan(&["A", "B"])
        };
        // Pair 3 has not ended, and the test is decided long after it.
        let games: Vec<GameRecord> = (1..=200)
            .filter(|number| !(5..=6).contains(number))
            .map(|number| game(number, 'A'))
            .collect();
        for n_games in [0, 3, 4, 60, games.len()] {
            let mut running = Summary::of(&plan);
            let mut summary = Summary::new(&["A", "B"], Some(TEST));
            summary.begin_source(Some(&plan));
            for game in &games[..n_games] {
                running.count(game);
                summary.count(game);
            }
            let told = running.standing(200).sprt.expect("there is a test");
            assert_eq!(told.decision, None, "two pairs are judged");
            assert_eq!(summary.sprt(), (n_games > 0).then_some(told));
            let last = summary.progress().pop();
            assert_eq!(
                last.and_then(|point| point.llr),
                (n_games > 0).then_some(told.llr)
            );
        }
    }

    #[test]
    fn without_a_schedule_pairs_count_in_the_order_of_the_file() {
        let mut summary = Summary::new(&["A", "B"], Some(TEST));
        summary.begin_source(None);
        for number in [7, 8, 11] {
            summary.count(&game(number, 'A'));
        }
        let status = summary.sprt().expect("one pairing");
        assert_eq!(status.llr, llr(&[(1, 'A'), (2, 'A')]));
    }

    fn llr(games: &[(usize, char)]) -> f64 {
        let mut counter = counter();
        for (number, winner) in games {
            counter.count(&game(*number, *winner));
        }
        counter.standing(200).sprt.expect("there is a test").llr
    }

    #[test]
    fn a_pair_counts_when_all_pairs_before_it_have_ended() {
        assert_eq!(llr(&[(3, 'A'), (4, 'A')]), 0.0, "pair 1 has not ended");
        let both = llr(&[(3, 'A'), (4, 'A'), (2, 'A'), (1, 'A')]);
        assert_eq!(both, llr(&[(1, 'A'), (2, 'A'), (3, 'A'), (4, 'A')]));
        assert!(both > 0.0, "{both}");
    }

    #[test]
    fn a_pair_without_results_is_passed_over() {
        let with_failed = llr(&[(1, '*'), (2, 'A'), (3, 'A'), (4, 'A')]);
        assert_eq!(with_failed, llr(&[(1, 'A'), (2, 'A')]));
    }

    /// The test ends at the same pair with the same ratio, in any order of the games.
    #[test]
    fn the_decision_does_not_depend_on_the_order_of_ends() {
        let mut games: Vec<GameRecord> = (1..=120)
            .map(|number| game(number, if number <= 80 { 'A' } else { 'B' }))
            .collect();
        let mut statuses = Vec::new();
        for seed in 0..20 {
            let mut counter = counter();
            games.iter().for_each(|game| counter.count(game));
            statuses.push(counter.standing(120).sprt.expect("there is a test"));
            fastrand::Rng::with_seed(seed).shuffle(&mut games);
        }
        assert_eq!(statuses[0].decision, Some(Decision::H1));
        assert!(statuses.iter().all(|status| *status == statuses[0]));
    }

    #[test]
    fn the_pairs_of_a_part_are_counted_in_its_own_order() {
        let part = Plan {
            sprt: Some(TEST),
            shard: Some("2/2".parse().expect("a part")),
            ..plan(&["A", "B"])
        };
        let mut counter = Summary::of(&part);
        for number in [3, 4, 7, 8] {
            counter.count(&game(number, 'A'));
        }
        let llr_of_part = counter.standing(200).sprt.expect("there is a test").llr;
        assert_eq!(llr_of_part, llr(&[(1, 'A'), (2, 'A'), (3, 'A'), (4, 'A')]));
    }
}
