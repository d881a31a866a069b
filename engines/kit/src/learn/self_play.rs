//! Self-play games, and games between two sets of weights.

use std::mem;

use fastrand::Rng;
use serde::{Deserialize, Serialize};

use crate::mine::search_nodes;
use crate::search::Searcher;
use crate::{Engine, Outcome, PositionHistory, Side};

/// A finished game with the scores of its searches.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// Number of the game from 0. The seed of the game depends on it.
    pub number: u64,
    /// All moves as codes.
    pub moves: Vec<String>,
    /// For each move, the score of the search that chose it, in hundredths from the side to move; `None` for a random
    /// move.
    pub scores: Vec<Option<i32>>,
    /// For each move, the visits of the tree search that chose it: index and visits of each move with at least 1/200 of
    /// them. An entry is empty for a random move; the vector is empty for a game without a policy.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub visits: Vec<Vec<(usize, u32)>>,
    /// The winner; `None` for a draw.
    pub winner: Option<Side>,
}

/// Settings of the games.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct SelfPlay {
    /// Seed of all games.
    pub seed: u64,
    /// Nodes of the search that chooses a move.
    pub nodes: u64,
}

/// Maximum number of random moves at the beginning of a game.
const LONGEST_OPENING: usize = 8;
/// After the opening, one move in this many is random, so that the games reach positions that good moves avoid.
const MISTAKES: u32 = 30;
/// Moves with less than one part in this many of a tree search's visits are not stored.
const SELDOM: u32 = 200;
/// Memory of a tree search in MiB; other searches have 1 MiB.
const TREE_MIB: usize = 16;
/// Length in plies at which a game counts as drawn.
const LONGEST_GAME: usize = 4_000;

impl PlayedGame {
    /// The result; a game stopped for its length counts as drawn.
    pub fn outcome(&self) -> Outcome {
        self.winner.map_or(Outcome::Draw, Outcome::Win)
    }
}

impl SelfPlay {
    /// Plays the game of this number.
    pub fn play<G: Engine>(&self, game: &G, number: u64) -> PlayedGame {
        let mut rng = self.rng(number);
        let mut searcher = searcher::<G>();
        let opening = rng.usize(1..=LONGEST_OPENING);
        let mut history = PositionHistory::start(game.clone());
        let (mut moves, mut scores) = (Vec::new(), Vec::new());
        let (mut visits, mut tried) = (Vec::new(), Vec::new());
        while history.outcome().is_none() && history.ply() < LONGEST_GAME {
            let (mv, score) = if history.ply() < opening || rng.u32(..MISTAKES) == 0 {
                (random_move(&history, &mut rng), None)
            } else {
                let line = search_nodes(&history, &mut searcher, self.nodes, rng.u64(1..));
                tried = often_tried(&searcher);
                (line.pv[0], Some(line.score))
            };
            moves.push(history.game().format_move(history.position(), mv));
            scores.push(score);
            if G::N_MOVE_FEATURES > 0 {
                visits.push(mem::take(&mut tried));
            }
            history.play(mv);
        }
        PlayedGame {
            number,
            moves,
            scores,
            visits,
            winner: winner(&history),
        }
    }

    /// Plays two games between two sets of weights from the same opening; the first set moves first in one and second
    /// in the other. Returns the half points of the first set in each: 2 for a win, 1 for a draw.
    pub fn pair<G: Engine>(&self, games: [&G; 2], number: u64) -> [u32; 2] {
        let opening = self.opening(games[0], number);
        Side::BOTH.map(|first| {
            let mut searchers = [searcher::<G>(), searcher::<G>()];
            let mut histories = games.map(|game| PositionHistory::start(game.clone()));
            for &mv in &opening {
                histories.iter_mut().for_each(|history| history.play(mv));
            }
            while histories[0].outcome().is_none() && histories[0].ply() < LONGEST_GAME {
                let mover = usize::from(histories[0].side() != first);
                let (history, searcher) = (&histories[mover], &mut searchers[mover]);
                let line = search_nodes(history, searcher, self.nodes, number + 1);
                histories
                    .iter_mut()
                    .for_each(|history| history.play(line.pv[0]));
            }
            match winner(&histories[0]) {
                Some(side) if side == first => 2,
                Some(_) => 0,
                None => 1,
            }
        })
    }

    /// Random opening moves that do not end the game.
    fn opening<G: Engine>(&self, game: &G, number: u64) -> Vec<G::Move> {
        let mut rng = self.rng(number);
        loop {
            let mut history = PositionHistory::start(game.clone());
            for _ in 0..LONGEST_OPENING / 2 {
                if history.outcome().is_none() {
                    let mv = random_move(&history, &mut rng);
                    history.play(mv);
                }
            }
            if history.outcome().is_none() {
                return history.played().collect();
            }
        }
    }

    fn rng(&self, number: u64) -> Rng {
        Rng::with_seed(crate::hash::hash([self.seed, number]))
    }
}

/// A searcher for games that depend only on the seed.
fn searcher<G: Engine>() -> Searcher {
    Searcher::new(if G::N_MOVE_FEATURES > 0 { TREE_MIB } else { 1 }, 1)
}

/// Index and visits of the moves that the last tree search visited often.
fn often_tried(searcher: &Searcher) -> Vec<(usize, u32)> {
    let mut visits = searcher.root_visits();
    let total: u32 = visits.iter().map(|&(_, n)| n).sum();
    visits.retain(|&(_, n)| n > 0 && n >= total / SELDOM);
    visits
}

pub(super) fn random_move<G: Engine>(history: &PositionHistory<G>, rng: &mut Rng) -> G::Move {
    let moves = history.moves();
    moves[rng.usize(..moves.len())]
}

fn winner<G: Engine>(history: &PositionHistory<G>) -> Option<Side> {
    match history.outcome() {
        Some(Outcome::Win(side)) => Some(side),
        Some(Outcome::Draw) | None => None,
    }
}
