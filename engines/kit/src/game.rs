//! The rules of a game, as search, session and referee see them.

use std::fmt::Debug;
use std::hash::Hash;

pub use draw::Side;

use crate::options::{OptionDecl, Options};

/// The reason why a text or a move is not accepted, for a person: lower case, no full stop, with what was expected.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Rejection(pub String);

impl<T: Into<String>> From<T> for Rejection {
    fn from(text: T) -> Rejection {
        Rejection(text.into())
    }
}

/// The result of a finished game.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// This player won; either player may have moved last.
    Win(Side),
    /// A draw.
    Draw,
}

impl Outcome {
    /// The answer to `query result`: `none`, `p1win`, `p2win` or `draw`.
    pub fn result_word(outcome: Option<Outcome>) -> &'static str {
        match outcome {
            None => "none",
            Some(Outcome::Win(Side::P1)) => "p1win",
            Some(Outcome::Win(Side::P2)) => "p2win",
            Some(Outcome::Draw) => "draw",
        }
    }

    /// Parses the answer to `query result`. Returns `None` if it is none of the four words.
    pub fn from_result_word(word: &str) -> Option<Option<Outcome>> {
        let outcomes = [
            None,
            Some(Outcome::Win(Side::P1)),
            Some(Outcome::Win(Side::P2)),
            Some(Outcome::Draw),
        ];
        outcomes
            .into_iter()
            .find(|outcome| Outcome::result_word(*outcome) == word)
    }

    /// Points for a player: 1 for a win, 0.5 for a draw, 0 for a loss.
    pub fn points(self, side: Side) -> f32 {
        self.half_points(side) as f32 / 2.0
    }

    /// Half points for a player: 2 for a win, 1 for a draw, 0 for a loss.
    #[inline]
    pub(crate) fn half_points(self, side: Side) -> u32 {
        match self {
            Outcome::Draw => 1,
            Outcome::Win(winner) if winner == side => 2,
            Outcome::Win(_) => 0,
        }
    }
}

/// The rules of a game on one board, with the options chosen and the tables built.
///
/// The players move in turn: after each [`play`](Game::play) the other player is to move, so a turn of several steps is
/// one move. Search, tables and clocks rely on this.
///
/// All positions on that board share one value of this type, so it holds the geometry and the option values. Clones
/// must be cheap: keep large tables behind an `Arc`. Positions change in place by [`play`](Game::play) and
/// [`undo`](Game::undo). Repetition is not part of these rules; [`PositionHistory`](crate::PositionHistory) counts it.
pub trait Game: Clone + Send + Sync + 'static {
    /// The name in the registry and in the protocol.
    const NAME: &'static str;

    /// Everything that the rules depend on except repetition; includes the side to move.
    type Position: Clone + Debug + PartialEq + Send + Sync + 'static;

    /// A move, small and cheap to copy. Valid only on this board.
    type Move: Copy + Debug + Eq + Hash + Send + Sync + 'static;

    /// The information that [`undo`](Game::undo) needs in addition to the move.
    type Undo: Clone + Debug + Send + Sync + 'static;

    /// The options that change the board or the rules, with their defaults.
    fn options() -> Vec<OptionDecl>;

    /// Creates the game from options that hold a valid value for each of [`options`](Game::options).
    fn new(options: &Options) -> Self;

    /// The position before the first move.
    fn start(&self) -> Self::Position;

    /// The player to move; in a finished game, the player who would move next.
    fn side(&self, position: &Self::Position) -> Side;

    /// The result by the rules without repetition; `None` if the game is not over.
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Appends the legal moves in canonical order. The game must not be over.
    fn moves(&self, position: &Self::Position, moves: &mut Vec<Self::Move>);

    /// Number of legal moves. The game must not be over. Override this if counting is cheaper than listing.
    fn count_moves(&self, position: &Self::Position) -> usize {
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        moves.len()
    }

    /// Checks that a move of this board is legal here. The game must not be over.
    ///
    /// # Errors
    /// The reason in words for a person, without the move, which the caller adds.
    fn check(&self, position: &Self::Position, mv: Self::Move) -> Result<(), Rejection>;

    /// Makes a legal move.
    fn play(&self, position: &mut Self::Position, mv: Self::Move) -> Self::Undo;

    /// Takes back the last move; the position is then equal to the one before it.
    fn undo(&self, position: &mut Self::Position, mv: Self::Move, undo: Self::Undo);

    /// A hash of the board and its rules, different for each choice of [`options`](Game::options). The kit mixes it
    /// into all keys that a search stores, so [`key`](Game::key) and [`search_key`](Game::search_key) need not
    /// distinguish boards. Compute it with [`hash`](crate::hash::hash). The default is for games without options.
    fn rules_key(&self) -> u64 {
        0
    }

    /// A 64-bit hash of everything that makes two positions equal for repetition.
    fn key(&self, position: &Self::Position) -> u64;

    /// A 64-bit hash of everything the rest of the game depends on except repetition: the [`key`](Game::key) and, if
    /// the rules have one, a counter towards a draw. A higher counter must never help the winning side; the search
    /// relies on this.
    fn search_key(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }

    /// The number of occurrences at which a position draws the game; `None` if repetition has no effect.
    fn repetition_limit(&self) -> Option<usize> {
        None
    }

    /// An upper bound on how many plies ago this position can have occurred before: the plies since the last
    /// irreversible move, if the game knows it.
    fn reversible_plies(&self, _position: &Self::Position) -> usize {
        usize::MAX
    }

    /// A number below [`n_move_indices`](Game::n_move_indices), unique for each move of this board.
    fn move_index(&self, mv: Self::Move) -> usize;

    /// Number of move indices, at most 65,535.
    fn n_move_indices(&self) -> usize;
}
