//! Who meets whom, in which order, from which opening.

use crate::plan::{Format, Plan};

/// One game that is to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// The number in the schedule, from 1.
    pub game: usize,
    /// The number of the pair, from 1: the games with the same two players and the same opening.
    pub pair: usize,
    /// Index of player 1 among the plan's entrants.
    pub p1: usize,
    /// Index of player 2 among the plan's entrants.
    pub p2: usize,
    /// Index of the opening.
    pub opening: usize,
}

/// All games of a match, or of its shard, in order: each pairing's first pair, then each pairing's second, and so on. Slots are made as
/// they are asked for, so that a schedule of any length costs nothing.
pub fn schedule(plan: &Plan) -> impl Iterator<Item = Slot> + Send + use<> {
    let pairings = pairings(plan.entrants().len(), plan.format);
    let (games, pair_len) = (plan.games, if plan.swaps { 2 } else { 1 });
    let shard = plan.shard;
    let slots = (0..n_pairs(plan.games, plan.swaps)).flat_map(move |opening| {
        let n_before = opening * pair_len;
        let n_legs = pair_len.min(games - n_before);
        let (first_game, first_pair) = (n_before * pairings.len(), opening * pairings.len());
        pairings
            .clone()
            .into_iter()
            .enumerate()
            .flat_map(move |(at, (first, second))| {
                let seats = [(first, second), (second, first)];
                (0..n_legs).map(move |leg| Slot {
                    game: first_game + at * n_legs + leg + 1,
                    pair: first_pair + at + 1,
                    p1: seats[leg].0,
                    p2: seats[leg].1,
                    opening,
                })
            })
    });
    slots.filter(move |slot| shard.is_none_or(|shard| shard.has_pair(slot.pair)))
}

/// How many games a match has in all, or its shard.
pub fn n_games(plan: &Plan) -> usize {
    let pairings = pairings(plan.entrants().len(), plan.format).len();
    let Some(shard) = plan.shard else {
        return plan.games * pairings;
    };
    let pairs = n_pairs(plan.games, plan.swaps) * pairings;
    let n_played = shard.n_pairs(pairs);
    if !plan.swaps {
        return n_played;
    }
    // With an odd number of games each pairing's last pair is one game.
    let halves = if plan.games % 2 == 1 { pairings } else { 0 };
    2 * n_played - (n_played - shard.n_pairs(pairs - halves))
}

/// How many openings a pairing of so many games needs.
pub fn n_pairs(games: usize, swaps: bool) -> usize {
    if swaps { games.div_ceil(2) } else { games }
}

fn pairings(n_entrants: usize, format: Format) -> Vec<(usize, usize)> {
    let n_hosts = match format {
        Format::RoundRobin => n_entrants,
        Format::Gauntlet => n_entrants.min(1),
    };
    (0..n_hosts)
        .flat_map(|first| (first + 1..n_entrants).map(move |second| (first, second)))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Shard;
    use crate::testing::plan;

    #[test]
    fn parts_share_the_pairs_of_a_match() {
        for (names, games, swaps) in [
            (&["A", "B"][..], 10, true),
            (&["A", "B"], 7, true),
            (&["A", "B", "C"], 5, true),
            (&["A", "B", "C", "D"], 4, false),
        ] {
            let whole = Plan {
                games,
                swaps,
                ..plan(names)
            };
            let all: Vec<Slot> = schedule(&whole).collect();
            assert_eq!(all.len(), n_games(&whole));
            for of in [1, 2, 3, 7, 100] {
                let mut played = Vec::new();
                for number in 1..=of {
                    let shard = Some(Shard { number, of });
                    let part = Plan {
                        shard,
                        ..whole.clone()
                    };
                    let slots: Vec<Slot> = schedule(&part).collect();
                    assert_eq!(slots.len(), n_games(&part), "{names:?} {games} {shard:?}");
                    played.extend(slots);
                }
                played.sort_by_key(|slot| slot.game);
                assert_eq!(played, all, "{names:?}, {games} games in {of} parts");
            }
        }
    }

    #[test]
    fn a_part_is_written_as_k_of_n() {
        for text in ["1/1", "3/4", "1000000/1000000"] {
            let shard: Shard = text.parse().expect("a part");
            assert_eq!(shard.to_string(), text);
        }
        for text in [
            "0/4",
            "5/4",
            "1",
            "1/",
            "/2",
            "a/b",
            "1/0",
            "-1/2",
            "1/1000001",
        ] {
            assert!(text.parse::<Shard>().is_err(), "{text}");
        }
    }
}
