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

/// All games of a match, in order: each pairing's first pair, then each pairing's second, and so on. Slots are made as
/// they are asked for, so that a schedule of any length costs nothing.
pub fn schedule(plan: &Plan) -> impl Iterator<Item = Slot> + Send + use<> {
    let pairings = pairings(plan.entrants().len(), plan.format);
    let (games, pair_len) = (plan.games, if plan.swaps { 2 } else { 1 });
    (0..n_pairs(plan.games, plan.swaps)).flat_map(move |opening| {
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
    })
}

/// How many games a match has in all.
pub fn n_games(plan: &Plan) -> usize {
    plan.games * pairings(plan.entrants().len(), plan.format).len()
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
