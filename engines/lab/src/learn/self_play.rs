//! Self-play games, and games between two sets of weights.

use std::any::Any;

use fastrand::Rng;
use serde::{Deserialize, Serialize};

use kit::search::Searcher;
use kit::{DynHistory, Outcome, PositionHistory, Side};
use projex::{Projex, SearchTree};

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
    ///
    /// # Panics
    /// If `engine` is not at the start of a game that is in progress.
    pub fn play(&self, engine: &dyn DynHistory, number: u64) -> PlayedGame {
        let mut rng = self.rng(number);
        let mut searcher = searcher(engine);
        let opening = rng.usize(1..=LONGEST_OPENING);
        let mut engine = engine.fork();
        let (mut moves, mut scores, mut visits) = (Vec::new(), Vec::new(), Vec::new());
        while engine.outcome().is_none() && engine.ply() < LONGEST_GAME {
            let mut tried = Vec::new();
            let (code, score) = if engine.ply() < opening || rng.u32(..MISTAKES) == 0 {
                (random_move(engine.as_ref(), &mut rng), None)
            } else {
                let mut line = engine.search_nodes(&mut searcher, self.nodes, rng.u64(1..));
                tried = often_tried(&searcher);
                (line.pv.swap_remove(0), Some(line.score))
            };
            if projex(engine.as_ref()).is_some() {
                visits.push(tried);
            }
            scores.push(score);
            moves.push(play(engine.as_mut(), &code));
        }
        PlayedGame {
            number,
            moves,
            scores,
            visits,
            winner: winner(engine.as_ref()),
        }
    }

    /// Two games between two sets of weights with the same opening, the first set moving first, then second. Returns the half
    /// points of the first set in each: 2 for a win, 1 for a draw.
    pub fn pair(&self, engines: [&dyn DynHistory; 2], number: u64) -> [u32; 2] {
        let opening = self.opening(engines[0], number);
        Side::BOTH.map(|first| {
            let mut searchers = engines.map(searcher);
            let mut engines = engines.map(|engine| engine.fork());
            let play_both = |engines: &mut [Box<dyn DynHistory>; 2], code: &str| {
                for engine in engines {
                    play(engine.as_mut(), code);
                }
            };
            for code in &opening {
                play_both(&mut engines, code);
            }
            while engines[0].outcome().is_none() && engines[0].ply() < LONGEST_GAME {
                let mover = usize::from(engines[0].side() != first);
                let line =
                    engines[mover].search_nodes(&mut searchers[mover], self.nodes, number + 1);
                play_both(&mut engines, &line.pv[0]);
            }
            match winner(engines[0].as_ref()) {
                Some(side) if side == first => 2,
                Some(_) => 0,
                None => 1,
            }
        })
    }

    /// Random opening moves that do not end the game.
    fn opening(&self, engine: &dyn DynHistory, number: u64) -> Vec<String> {
        let mut rng = self.rng(number);
        loop {
            let mut engine = engine.fork();
            let mut codes = Vec::new();
            for _ in 0..LONGEST_OPENING / 2 {
                if engine.outcome().is_none() {
                    let code = random_move(engine.as_ref(), &mut rng);
                    codes.push(play(engine.as_mut(), &code));
                }
            }
            if engine.outcome().is_none() {
                return codes;
            }
        }
    }

    fn rng(&self, number: u64) -> Rng {
        Rng::with_seed(kit::hash::hash([self.seed, number]))
    }
}

/// The game of the only engine with a policy, if it is that one.
pub(super) fn projex(engine: &dyn DynHistory) -> Option<&PositionHistory<Projex>> {
    (engine as &dyn Any).downcast_ref()
}

/// A searcher for games that depend only on the seed.
fn searcher(engine: &dyn DynHistory) -> Searcher {
    let has_tree = projex(engine).is_some();
    Searcher::new(if has_tree { TREE_MIB } else { 1 }, 1)
}

/// Index and visits of the moves that the last tree search visited often.
fn often_tried(searcher: &Searcher) -> Vec<(usize, u32)> {
    let tree = searcher.own::<Projex>().map(|own| own as &dyn Any);
    let tree = tree.and_then(|own| own.downcast_ref::<SearchTree>());
    let mut visits = tree.map_or_else(Vec::new, SearchTree::root_visits);
    let total: u32 = visits.iter().map(|&(_, n)| n).sum();
    visits.retain(|&(_, n)| n > 0 && n >= total / SELDOM);
    visits
}

pub(crate) fn random_move(engine: &dyn DynHistory, rng: &mut Rng) -> String {
    let mut moves = engine.moves();
    moves.swap_remove(rng.usize(..moves.len()))
}

/// Plays a code of this engine's; returns it.
fn play(engine: &mut dyn DynHistory, code: &str) -> String {
    engine.play(code).expect("the engine names legal moves")
}

fn winner(engine: &dyn DynHistory) -> Option<Side> {
    match engine.outcome() {
        Some(Outcome::Win(side)) => Some(side),
        Some(Outcome::Draw) | None => None,
    }
}
