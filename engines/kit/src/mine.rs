//! Mining: positions with a forced win and one move to it, found in games that the engine plays against itself.
//!
//! Repeatable: seeded, and without a clock. The games begin with random moves, and every now and then one more is
//! thrown in, for without mistakes there is nothing to punish. From the end of each game the way goes back through
//! the positions of its winner, as long as a proof within [`MiningSettings::nodes`] says how many plies the win takes.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use std::time::Instant;

use fastrand::Rng;

use crate::puzzle::{Search, find_win};
use crate::search::{Control, Limits, Request, Searcher};
use crate::{DynHistory, Engine, Outcome, PositionHistory, Side};

/// Where to mine, and how much.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MiningSettings {
    /// Games to play.
    pub games: u64,
    /// Seed of the games.
    pub seed: u64,
    /// One move in so many is random, at least one.
    pub mistakes: u32,
    /// Positions to bring home at most.
    pub count: usize,
    /// Positions that one proof may look at.
    pub nodes: u64,
    /// Plies of the shortest win to look for.
    pub shortest: u32,
    /// Plies of the longest win to look for.
    pub longest: u32,
}

/// A position in which one move alone wins so fast.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Mined {
    /// The position string.
    pub fen: String,
    /// The code of the move.
    pub best: String,
    /// Plies to the end against the longest defence.
    pub plies: u32,
    /// Whether a short search chooses another move.
    pub is_hard: bool,
}

/// Positions that choose a move in the games.
const NODES_PER_MOVE: u64 = 1_000;
/// Random moves at the beginning of a game.
const OPENING_PLIES: std::ops::RangeInclusive<usize> = 2..=8;
/// Games are broken off here.
const LONGEST_GAME: usize = 160;
/// What a short search is.
const NODES_OF_A_LOOK: u64 = 10_000;

/// Plays the games and returns the best of what they hold, from short to long wins: as many lengths as there are,
/// and of each length first those that a short search gets wrong.
pub fn mine<G: Engine>(game: &G, quarry: &MiningSettings) -> Vec<Mined> {
    let mut found = HashSet::new();
    for index in 0..quarry.games {
        let mut rng = Rng::with_seed(quarry.seed ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut history = play(game, quarry.mistakes, &mut rng);
        if let Some(Outcome::Win(winner)) = history.outcome() {
            found.extend(dig(&mut history, winner, quarry));
        }
    }
    choose(found, quarry.count)
}

/// A game of the engine against itself.
fn play<G: Engine>(game: &G, mistakes: u32, rng: &mut Rng) -> PositionHistory<G> {
    let mut history = PositionHistory::start(game.clone());
    let mut searcher = Searcher::new(1, 1);
    let opening = rng.usize(OPENING_PLIES);
    while history.outcome().is_none() && history.ply() < LONGEST_GAME {
        let mv = if history.ply() < opening || rng.u32(..mistakes) == 0 {
            let moves = history.moves();
            moves[rng.usize(..moves.len())]
        } else {
            look(&history, &mut searcher, NODES_PER_MOVE)
        };
        history.play(mv);
    }
    history
}

/// The move that a search of so many positions chooses.
fn look<G: Engine>(history: &PositionHistory<G>, searcher: &mut Searcher, nodes: u64) -> G::Move {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let request = Request::new(history.moves(), limits);
    let control = Control::new(Instant::now(), false);
    let found = searcher.search(history, &request, &control, &mut |_| {});
    found.lines[0].pv[0]
}

/// Goes back through the winner's positions of a finished game while their wins can be proved; takes the game back.
fn dig<G: Engine>(
    history: &mut PositionHistory<G>,
    winner: Side,
    quarry: &MiningSettings,
) -> Vec<Mined> {
    let mut found = Vec::new();
    while history.undo().is_some() {
        if history.side() != winner {
            continue;
        }
        // Read back from its string, the position has no past.
        let alone = PositionHistory::new(history.game().clone(), history.position().clone());
        let Some((plies, best)) = shortest_win(&alone, quarry) else {
            break;
        };
        if plies >= quarry.shortest && is_alone(&alone, best, plies, quarry) {
            found.push(Mined {
                fen: alone.fen(),
                best: alone.game().format_move(alone.position(), best),
                plies,
                is_hard: look(&alone, &mut Searcher::new(16, 1), NODES_OF_A_LOOK) != best,
            });
        }
    }
    found
}

/// Plies of the quickest win of the side to move and a move to it, if they can be proved.
fn shortest_win<G: Engine>(
    history: &PositionHistory<G>,
    quarry: &MiningSettings,
) -> Option<(u32, G::Move)> {
    let moves = history.moves();
    for plies in 1..=quarry.longest {
        match find_win(history, &moves, plies, Some(quarry.nodes)) {
            Search::Win(mv) => return Some((plies, mv)),
            Search::NoWin => {}
            Search::Unknown => return None,
        }
    }
    None
}

/// Whether it can be proved that there are other moves, and none of them wins as fast.
fn is_alone<G: Engine>(
    history: &PositionHistory<G>,
    best: G::Move,
    plies: u32,
    quarry: &MiningSettings,
) -> bool {
    let moves = history.moves();
    let others: Vec<G::Move> = moves.into_iter().filter(|mv| *mv != best).collect();
    let found = find_win(history, &others, plies, Some(quarry.nodes));
    !others.is_empty() && matches!(found, Search::NoWin)
}

fn choose(found: HashSet<Mined>, count: usize) -> Vec<Mined> {
    let mut by_length: BTreeMap<u32, Vec<Mined>> = BTreeMap::new();
    for mined in found {
        by_length.entry(mined.plies).or_default().push(mined);
    }
    for shelf in by_length.values_mut() {
        // Taken from the back.
        shelf.sort_by_cached_key(|mined| (mined.is_hard, Reverse(mined.fen.clone())));
    }
    let mut chosen = Vec::new();
    while chosen.len() < count && by_length.values().any(|shelf| !shelf.is_empty()) {
        for shelf in by_length.values_mut().rev() {
            chosen.extend(shelf.pop());
        }
    }
    chosen.truncate(count);
    chosen.sort_by_key(|mined| mined.plies);
    chosen
}
