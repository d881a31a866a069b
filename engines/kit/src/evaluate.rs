//! How good a position looks, before anyone knows.

use crate::Game;
use crate::playout::Playout;

/// A game's judgement of its positions.
pub trait Evaluate: Game {
    /// Static score in hundredths of the game's unit, from the side to move; a balanced position is 0. Its size
    /// stays under 20,000: finished positions are never asked about, the search scores them.
    fn evaluate(&self, position: &Self::Position) -> i32;

    /// A move that wins at once, where the game can tell more cheaply than by trying all. Never wrong; `None`
    /// promises nothing.
    fn winning_move(&self, _position: &Self::Position) -> Option<Self::Move> {
        None
    }

    /// How promising a move looks before it is tried, the larger the better. The search adds up to
    /// [`ordering::BONUS`](crate::search::ordering::BONUS) for what it has learned of the move; a promise beyond that
    /// stands above all experience.
    fn promise(&self, _position: &Self::Position, _mv: Self::Move) -> i32 {
        0
    }

    /// The promise of any move of a position, for games that learn much of it from the position as a whole: that is
    /// looked at once, before the first move.
    fn promises<'a>(&'a self, position: &'a Self::Position) -> impl Fn(Self::Move) -> i32 + 'a {
        move |mv| self.promise(position, mv)
    }

    /// Random games, where the game is best searched by them (Monte Carlo tree search). None by default: principal
    /// variation search over the static score plays best.
    fn playout(&self) -> Option<Box<dyn Playout<Self>>> {
        None
    }

    /// Appends the moves that quiescence looks at beyond the search depth, such as threats to win at once.
    /// None by default: the static score stands.
    fn noisy_moves(&self, _position: &Self::Position, _moves: &mut Vec<Self::Move>) {}
}
