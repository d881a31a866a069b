//! Random games by the rules alone, with or without a bias towards rare situations.

use std::collections::HashSet;

use fastrand::Rng;
use kit::{DynHistory, Outcome};

use super::case::{Case, board};
use crate::opening::Opening;
use crate::registry::Rules;

/// The aim of the moves of a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Bias {
    /// Uniformly random moves.
    None,
    /// Ending the game.
    Ends,
    /// Leaving the other player few moves.
    Scarcity,
    /// Repeating an earlier position.
    Returns,
    /// Not ending the game.
    Length,
}

impl Bias {
    /// The aims of the random games, in turn.
    pub(super) const IN_TURN: [Bias; 4] = [Bias::None, Bias::Ends, Bias::Scarcity, Bias::Returns];
}

/// Number of random moves from which the best one for the bias is chosen.
const N_SAMPLED: usize = 24;

/// A game from the start position to its end, or to `longest` plies.
pub(super) fn play(rules: &Rules, bias: Bias, longest: usize, rng: &mut Rng) -> Opening {
    let mut board = rules.start();
    let mut seen = HashSet::new();
    let mut moves = Vec::new();
    while moves.len() < longest {
        let Some(code) = choose(&mut *board, bias, &seen, rng) else {
            break;
        };
        if bias == Bias::Returns {
            seen.insert(place(&*board));
        }
        moves.push(board.play(&code).expect("a listed move is legal"));
    }
    Opening { fen: None, moves }
}

fn choose(
    board: &mut dyn DynHistory,
    bias: Bias,
    seen: &HashSet<String>,
    rng: &mut Rng,
) -> Option<String> {
    let mut moves = board.moves();
    rng.shuffle(&mut moves);
    // One move in four is random, so that games differ. A single one could end a game that must be long.
    if bias == Bias::Length || bias != Bias::None && rng.u8(..4) > 0 {
        moves.truncate(N_SAMPLED);
        return moves
            .into_iter()
            .max_by_key(|code| merit(board, bias, seen, code));
    }
    moves.pop()
}

/// How well a move serves the bias.
fn merit(board: &mut dyn DynHistory, bias: Bias, seen: &HashSet<String>, code: &str) -> i64 {
    board.play(code).expect("a listed move is legal");
    let merit = match bias {
        Bias::None => 0,
        Bias::Ends => i64::from(board.outcome().is_some()),
        Bias::Scarcity if board.outcome().is_some() => i64::MIN,
        Bias::Scarcity => -(board.moves().len() as i64),
        Bias::Length => i64::from(board.outcome().is_none()),
        Bias::Returns => i64::from(seen.contains(&place(board))),
    };
    board.undo();
    merit
}

/// The first two fields of a position string, board and side to move. Some games have counters behind them.
fn place(board: &dyn DynHistory) -> String {
    let fen = board.fen();
    fen.splitn(3, ' ').take(2).collect::<Vec<_>>().join(" ")
}

impl Case<'_> {
    /// Positions `1..=plies` plies before the end of won games, where the rules are known.
    pub(super) fn near_ends(&self, plies: usize, salt: u64) -> Vec<Opening> {
        const N_GAMES: usize = 8;
        const LONGEST: usize = 200;
        let Ok(rules) = self.rules() else {
            return Vec::new();
        };
        let mut rng = self.rng(salt);
        let mut games = (0..N_GAMES).map(|_| play(rules, Bias::Ends, LONGEST, &mut rng));
        let is_won = |game: &Opening| matches!(board(rules, game).outcome(), Some(Outcome::Win(_)));
        let won: Vec<Opening> = games.by_ref().filter(is_won).collect();
        let cut = |game: &Opening, back: usize| Opening {
            fen: None,
            moves: game.moves[..game.moves.len() - back].to_vec(),
        };
        let backs = |game: Opening| {
            let most = plies.min(game.moves.len());
            (1..=most)
                .map(move |back| cut(&game, back))
                .collect::<Vec<_>>()
        };
        won.into_iter().flat_map(backs).collect()
    }
}
