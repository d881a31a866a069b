//! What a game is, to everything that plays it.

use std::fmt::{self, Debug};
use std::hash::Hash;

use serde::{Deserialize, Serialize};

use crate::notation::Rejection;
use crate::options::{OptionDecl, Options};

/// One of the two players: the person or engine, not the stones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// Moves first.
    P1,
    /// Moves second.
    P2,
}

impl Side {
    /// Both players, in the order of their first moves.
    pub const BOTH: [Side; 2] = [Side::P1, Side::P2];

    /// The opponent.
    #[inline]
    pub const fn other(self) -> Side {
        match self {
            Side::P1 => Side::P2,
            Side::P2 => Side::P1,
        }
    }

    /// 0 for player 1, 1 for player 2.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl fmt::Display for Side {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Side::P1 => "p1",
            Side::P2 => "p2",
        })
    }
}

/// How a finished game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player won; either player may have moved last.
    Win(Side),
    /// A draw.
    Draw,
}

impl Outcome {
    /// The share of the point that a player gets.
    pub(crate) fn points(self, side: Side) -> f32 {
        match self {
            Outcome::Draw => 0.5,
            Outcome::Win(winner) if winner == side => 1.0,
            Outcome::Win(_) => 0.0,
        }
    }
}

/// The rules of a game on one board: the options are chosen, the tables built.
///
/// A value is shared by all positions on that board, so it is where geometry and option values live; clones are
/// cheap (keep large tables behind an `Arc`). Positions change in place by [`play`](Game::play) and
/// [`undo`](Game::undo). Nothing here knows repetition: [`PositionHistory`](crate::PositionHistory) counts it.
pub trait Game: Clone + Send + Sync + 'static {
    /// The name in the catalogue and on the wire.
    const NAME: &'static str;

    /// Everything the rules need to know of a game in play but repetition, whose turn it is included.
    type Position: Clone + Debug + PartialEq + Send + Sync + 'static;

    /// A move, small and cheap to copy; it means something only on this board.
    type Move: Copy + Debug + Eq + Hash + Send + Sync + 'static;

    /// What [`undo`](Game::undo) needs besides the move.
    type Undo: Clone + Debug + Send + Sync + 'static;

    /// The options that change the board or the rules, with their defaults.
    fn options() -> Vec<OptionDecl>;

    /// The game by these options, which hold a valid value for each of [`options`](Game::options).
    fn new(options: &Options) -> Self;

    /// The position before the first move.
    fn start(&self) -> Self::Position;

    /// The player to move; on a finished game, the one who would move next.
    fn side(&self, position: &Self::Position) -> Side;

    /// How the game ended, repetition aside; `None` while it goes on.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Appends the legal moves in canonical order. The game is not over.
    fn moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// How many moves are legal. The game is not over. Override it where counting is cheaper than listing.
    fn count_moves(&self, position: &Self::Position) -> usize {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.len()
    }

    /// Whether a move of this board is legal here, and if not, why, in words for a person (the move itself is
    /// named by the caller). The game is not over.
    fn check(&self, position: &Self::Position, mv: Self::Move) -> Result<(), Rejection>;

    /// Makes a legal move.
    fn play(&self, position: &mut Self::Position, mv: Self::Move) -> Self::Undo;

    /// Takes back the last move made; the position is again what it was.
    fn undo(&self, position: &mut Self::Position, mv: Self::Move, undo: Self::Undo);

    /// A hash of the board and its rules: another for each choice of [`options`](Game::options). The kit mixes it into the
    /// keys of all that a search keeps, so [`key`](Game::key) and [`search_key`](Game::search_key) need not tell boards apart.
    /// [`hash`](crate::hash::hash) makes one. The default is for a game without options.
    fn rules_key(&self) -> u64 {
        0
    }

    /// A 64-bit hash of what makes two positions the same for repetition.
    fn key(&self, position: &Self::Position) -> u64;

    /// A 64-bit hash of all that the rest of the game depends on, repetition aside: the [`key`](Game::key) and, if the rules
    /// have one, a counter towards a draw. A higher counter must never help the side that wins; the search relies on it.
    fn search_key(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }

    /// The occurrence of a position that draws the game; `None` where repetition means nothing.
    fn repetition_limit(&self) -> Option<usize> {
        None
    }

    /// An upper bound of the plies back at which this position can have stood before: the plies since the last
    /// irreversible move, where the game knows it.
    fn reversible_plies(&self, _position: &Self::Position) -> usize {
        usize::MAX
    }

    /// A number below [`n_move_indices`](Game::n_move_indices), another for each move of this board.
    fn move_index(&self, mv: Self::Move) -> usize;

    /// How many move indices there are; at most 65,535.
    fn n_move_indices(&self) -> usize;
}
