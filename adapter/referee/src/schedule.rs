//! Who meets whom, in which order, from which opening.

use crate::plan::{Format, Plan};

/// One game that is to be played.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Slot {
    /// The number in the schedule, from 1.
    pub game: usize,
    /// The number of the pair, from 1: the games with the same two players and the same opening.
    pub pair: usize,
    /// Index of player 1 among the plan's engines.
    pub p1: usize,
    /// Index of player 2 among the plan's engines.
    pub p2: usize,
    /// Index into the plan's openings, before it wraps round.
    pub opening: usize,
}

/// All games of a match, in order: each pairing's first pair, then each pairing's second, and so on.
pub fn schedule(plan: &Plan) -> Vec<Slot> {
    let mut slots = Vec::new();
    let mut pair = 0;
    let pairings = pairings(plan.engines.len(), plan.format);
    let pair_len = if plan.swaps { 2 } else { 1 };
    for opening in 0..n_pairs(plan.games, plan.swaps) {
        for &(first, second) in &pairings {
            pair += 1;
            let left = plan.games - opening * pair_len;
            let seats = [(first, second), (second, first)];
            for &(p1, p2) in seats.iter().take(pair_len.min(left)) {
                let game = slots.len() + 1;
                slots.push(Slot {
                    game,
                    pair,
                    p1,
                    p2,
                    opening,
                });
            }
        }
    }
    slots
}

/// How many openings a pairing of so many games sees.
pub fn n_pairs(games: usize, swaps: bool) -> usize {
    if swaps { games.div_ceil(2) } else { games }
}

fn pairings(n_engines: usize, format: Format) -> Vec<(usize, usize)> {
    let n_hosts = match format {
        Format::RoundRobin => n_engines,
        Format::Gauntlet => n_engines.min(1),
    };
    (0..n_hosts)
        .flat_map(|first| (first + 1..n_engines).map(move |second| (first, second)))
        .collect()
}
