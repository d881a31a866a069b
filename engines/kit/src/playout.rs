//! Random games to the end, for Monte Carlo tree search.

use fastrand::Rng;

use crate::{Game, Outcome, PositionHistory, Side};

/// Plays random games, by any shortcut that does not change who wins. Each thread has its own, with its own memory.
pub trait Playout<G: Game>: Send {
    /// Plays a game that is not over to its end and adds to `amaf_moves` who made which moves from here on. `history` stays
    /// as it is. All chance comes from `rng`, so equal seeds give equal games.
    fn play(
        &mut self,
        history: &PositionHistory<G>,
        rng: &mut Rng,
        amaf_moves: &mut AmafMoves,
    ) -> Outcome;

    /// Whether a move that is made after this one is another move than before it, so that AMAF must not mix them.
    fn resets_amaf(&self, _mv: G::Move) -> bool {
        false
    }
}

/// Who made which moves in a game at any time, for AMAF ("all moves as first"). A move is known by its index.
#[derive(Debug, Clone)]
pub struct AmafMoves(Vec<u8>);

impl AmafMoves {
    /// No moves yet, of `n_indices` possible ones.
    pub fn new(n_indices: usize) -> AmafMoves {
        AmafMoves(vec![0; n_indices])
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds a move of a player.
    #[inline]
    pub fn add(&mut self, index: usize, side: Side) {
        self.0[index] |= 1 << side.index();
    }

    /// Whether a player made a move.
    #[inline]
    pub fn has(&self, index: usize, side: Side) -> bool {
        self.0[index] >> side.index() & 1 != 0
    }
}
