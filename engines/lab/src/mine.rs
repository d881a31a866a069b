//! Mining: finds positions in self-play games in which a single move forces a win.
//!
//! Equal seeds give equal results; no clock is used. Games begin with random moves and contain a few more, because
//! positions with a forced win come from mistakes. From the end of each game, the search goes back through the winner's
//! positions as long as a proof within [`MiningSettings::nodes`] finds the length of the win.

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};

use fastrand::Rng;

use crate::learn::random_move;
use kit::search::Searcher;
use kit::search::proof::Verdict;
use kit::{DynHistory, Outcome, Rejection, Side};

/// Number of games, and which positions to take from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MiningSettings {
    /// Number of games to play.
    pub games: u64,
    /// Seed of the games.
    pub seed: u64,
    /// One move in this many is random, at least 1.
    pub mistakes: u32,
    /// Maximum number of positions to return.
    pub count: usize,
    /// Maximum number of positions visited by one proof.
    pub nodes: u64,
    /// Length of the shortest win to return, in plies.
    pub shortest: u32,
    /// Length of the longest win to search for, in plies.
    pub longest: u32,
}

/// A position in which only one move wins within this number of plies.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Mined {
    /// The position string.
    pub fen: String,
    /// The code of the move.
    pub best: String,
    /// Plies to the end against the longest defence.
    pub plies: u32,
    /// `true` if a short search chooses another move.
    pub is_hard: bool,
}

/// Nodes of the search that chooses a move in the games.
const NODES_PER_MOVE: u64 = 1_000;
/// Random moves at the beginning of a game.
const OPENING_PLIES: std::ops::RangeInclusive<usize> = 2..=8;
/// Length in plies at which a game ends without a result.
const LONGEST_GAME: usize = 160;
/// Nodes of the short search that classifies a position as hard.
const SHORT_SEARCH: u64 = 10_000;

/// Plays the games and returns positions from them, ordered by the length of the win: as many different lengths as
/// length first those that a short search gets wrong. The engine is at the start position. `on_game` receives the number
/// of finished games.
///
/// # Errors
/// The game's rules are a program that has failed.
pub fn mine(
    engine: &dyn DynHistory,
    settings: &MiningSettings,
    on_game: &dyn Fn(u64),
) -> Result<Vec<Mined>, Rejection> {
    let mut found = HashSet::new();
    for index in 0..settings.games {
        let mut rng = Rng::with_seed(settings.seed ^ index.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut played = play(engine, settings.mistakes, &mut rng)?;
        if let Some(Outcome::Win(winner)) = played.outcome() {
            found.extend(wins_of_game(played.as_mut(), winner, settings));
        }
        if let Some(why) = played.fault() {
            return Err(Rejection(why));
        }
        on_game(index + 1);
    }
    Ok(choose(found, settings.count))
}

/// Plays a self-play game.
fn play(
    engine: &dyn DynHistory,
    mistakes: u32,
    rng: &mut Rng,
) -> Result<Box<dyn DynHistory>, Rejection> {
    let mut engine = engine.fork();
    let mut searcher = Searcher::new(1, 1);
    let opening = rng.usize(OPENING_PLIES);
    // After a failure of the rules there are no moves.
    while engine.ply() < LONGEST_GAME && !engine.moves().is_empty() {
        let code = if engine.ply() < opening || rng.u32(..mistakes) == 0 {
            random_move(engine.as_ref(), rng)
        } else {
            let mut line = engine.search_nodes(&mut searcher, NODES_PER_MOVE, 0);
            line.pv.swap_remove(0)
        };
        engine.play(&code)?;
    }
    Ok(engine)
}

/// Takes back the moves of a finished game and collects the winner's positions while their wins can be proved.
fn wins_of_game(
    engine: &mut dyn DynHistory,
    winner: Side,
    settings: &MiningSettings,
) -> Vec<Mined> {
    let mut found = Vec::new();
    while engine.undo() {
        if engine.side() != winner {
            continue;
        }
        // The position string does not contain the earlier moves.
        let alone = engine.without_past();
        let Some((plies, best)) = shortest_win(alone.as_ref(), settings) else {
            break;
        };
        if plies >= settings.shortest && is_only_win(alone.as_ref(), &best, plies, settings) {
            let line = alone.search_nodes(&mut Searcher::new(16, 1), SHORT_SEARCH, 0);
            found.push(Mined {
                fen: alone.fen(),
                is_hard: line.pv.first() != Some(&best),
                best,
                plies,
            });
        }
    }
    found
}

/// Length in plies and first move of the shortest win, if they can be proved.
fn shortest_win(engine: &dyn DynHistory, settings: &MiningSettings) -> Option<(u32, String)> {
    let moves = engine.moves();
    for plies in 1..=settings.longest {
        match engine.find_win(&moves, plies, Some(settings.nodes)) {
            Verdict::Win { mut pv, .. } => return Some((plies, pv.swap_remove(0))),
            Verdict::NoWin => {}
            Verdict::Unknown => return None,
        }
    }
    None
}

/// `true` if there are other moves, and it is proved that none of them wins within `plies`.
fn is_only_win(engine: &dyn DynHistory, best: &str, plies: u32, settings: &MiningSettings) -> bool {
    let mut others = engine.moves();
    others.retain(|code| code != best);
    let found = engine.find_win(&others, plies, Some(settings.nodes));
    !others.is_empty() && found == Verdict::NoWin
}

fn choose(found: HashSet<Mined>, count: usize) -> Vec<Mined> {
    let mut by_length: BTreeMap<u32, Vec<Mined>> = BTreeMap::new();
    for mined in found {
        by_length.entry(mined.plies).or_default().push(mined);
    }
    for group in by_length.values_mut() {
        // The best positions are at the end, where `pop` takes them.
        group.sort_by_cached_key(|mined| (mined.is_hard, Reverse(mined.fen.clone())));
    }
    let mut chosen = Vec::new();
    while chosen.len() < count && by_length.values().any(|group| !group.is_empty()) {
        for group in by_length.values_mut().rev() {
            chosen.extend(group.pop());
        }
    }
    chosen.truncate(count);
    chosen.sort_by_key(|mined| mined.plies);
    chosen
}
