//! A sequential test over the pairs in schedule order.
//!
//! Short games finish first. A test over pairs in the order of finishing would see too many short games, which biases
//! it. A pair is therefore counted once all pairs before it have finished, and the test ends at the first pair that
//! decides it, regardless of later results. The decision depends only on the games, not on their duration.

use std::collections::BTreeMap;

use super::sample::{Pairs, Sample};
use super::sprt::{Sprt, SprtStatus};
use super::tally::Wdl;
use crate::game::GameRecord;
use crate::plan::Plan;

/// The longest prefix of pairs that have all finished.
#[derive(Debug, Clone)]
pub(super) struct PairPrefix {
    test: Sprt,
    /// Number of the first unfinished pair.
    next: usize,
    /// Distance between the numbers of consecutive pairs in this part of the match.
    step: usize,
    /// Number of games in a pair.
    pair_len: usize,
    /// The results of pairs that are incomplete or wait for an earlier one, from the first player's point of view.
    waiting: BTreeMap<usize, Vec<Wdl>>,
    pairs: Pairs,
    games: Wdl,
    /// The final status, once the test is decided.
    decided: Option<SprtStatus>,
}

impl PairPrefix {
    pub(super) fn new(plan: &Plan, test: Sprt) -> PairPrefix {
        PairPrefix {
            test,
            next: plan.shard.map_or(1, |shard| shard.number),
            step: plan.shard.map_or(1, |shard| shard.of),
            pair_len: if plan.swaps { 2 } else { 1 },
            waiting: BTreeMap::new(),
            pairs: Pairs::default(),
            games: Wdl::default(),
            decided: None,
        }
    }

    /// Counts a game from `player`'s point of view. A pair with a game without a result is skipped.
    pub(super) fn count(&mut self, game: &GameRecord, player: &str) {
        if self.decided.is_some() {
            return;
        }
        let side = game.side_of(player);
        let seen = self.waiting.entry(game.pair).or_default();
        seen.push(Wdl::of(game.result, side));
        while self.decided.is_none() && self.has_ended(self.next) {
            let results = self.waiting.remove(&self.next).unwrap_or_default();
            self.next += self.step;
            if results.iter().all(|wdl| wdl.games() > 0) {
                self.take(&results);
            }
        }
    }

    fn has_ended(&self, pair: usize) -> bool {
        let results = self.waiting.get(&pair);
        results.is_some_and(|results| results.len() >= self.pair_len)
    }

    fn take(&mut self, results: &[Wdl]) {
        match results {
            [first, second] => self.pairs.count(first.halves(), second.halves()),
            _ => self.games = results.iter().fold(self.games, |sum, wdl| sum.plus(*wdl)),
        }
        let status = self.test.status(&self.sample());
        self.decided = status.decision.map(|_| status);
    }

    fn sample(&self) -> Sample {
        match self.pair_len {
            1 => Sample::of_games(self.games),
            _ => Sample::of_pairs(self.pairs.counts),
        }
    }

    /// The status after the pairs counted so far, or after the pair that decided the test.
    pub(super) fn status(&self) -> SprtStatus {
        let now = || self.test.status(&self.sample());
        self.decided.unwrap_or_else(now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::GameResult;
    use crate::stats::sprt::{Decision, Model};
    use crate::stats::standing::Counter;
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

    fn counter() -> Counter {
        Counter::of(&Plan {
            sprt: Some(TEST),
            ..plan(&["A", "B"])
        })
    }

    fn llr(games: &[(usize, char)]) -> f64 {
        let mut counter = counter();
        for (number, winner) in games {
            counter.count(&game(*number, *winner));
        }
        counter.sprt().expect("there is a test").llr
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

    /// The test ends at the same pair with the same ratio, in whatever order the games finish.
    #[test]
    fn the_decision_does_not_depend_on_the_order_of_ends() {
        let mut games: Vec<GameRecord> = (1..=120)
            .map(|number| game(number, if number <= 80 { 'A' } else { 'B' }))
            .collect();
        let mut statuses = Vec::new();
        for seed in 0..20 {
            let mut counter = counter();
            games.iter().for_each(|game| counter.count(game));
            statuses.push(counter.sprt().expect("there is a test"));
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
        let mut counter = Counter::of(&part);
        for number in [3, 4, 7, 8] {
            counter.count(&game(number, 'A'));
        }
        let llr_of_part = counter.sprt().expect("there is a test").llr;
        assert_eq!(llr_of_part, llr(&[(1, 'A'), (2, 'A'), (3, 'A'), (4, 'A')]));
    }
}
