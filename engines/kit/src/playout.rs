//! Random games to the end, for Monte Carlo tree search.

use fastrand::Rng;

use crate::{Game, Outcome, PositionHistory, Side};

/// Plays games at random, by any shortcut that does not change who wins. One for each thread: it holds the memory
/// that it plays in.
pub trait Playout<G: Game>: Send {
    /// Plays a game that is not over to its end, in memory of its own, and notes who used which moves in it; those
    /// played before do not matter. `rng` decides all that is left open, so that equal numbers give equal games.
    fn play(
        &mut self,
        history: &PositionHistory<G>,
        rng: &mut Rng,
        uses: &mut AmafMoves,
    ) -> Outcome;

    /// Whether the same moves before and after this one have nothing to do with each other.
    fn is_watershed(&self, _mv: G::Move) -> bool {
        false
    }
}

/// Who used which moves in a game, sooner or later; a move counts by its index.
#[derive(Debug, Clone)]
pub struct AmafMoves(Vec<u8>);

impl AmafMoves {
    /// None, of so many moves.
    pub fn new(n_indices: usize) -> AmafMoves {
        AmafMoves(vec![0; n_indices])
    }

    /// Forgets all.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Takes note that a player used the move with this index.
    #[inline]
    pub fn note(&mut self, index: usize, side: Side) {
        self.0[index] |= 1 << side.index();
    }

    /// Whether a player used the move with this index.
    #[inline]
    pub fn has(&self, index: usize, side: Side) -> bool {
        self.0[index] >> side.index() & 1 != 0
    }
}
