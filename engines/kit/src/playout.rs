//! Random games to the end, for Monte Carlo tree search.

use fastrand::Rng;

use crate::{Game, Outcome, PositionHistory, Side};

/// Plays random games, by any shortcut that does not change the winner. Each thread has a separate value with its
/// buffers.
pub trait Playout<G: Game>: Send {
    /// Plays an unfinished game to its end, and adds the moves made from here on and their players to `amaf_moves`.
    /// `history` is unchanged. All randomness comes from `rng`, so equal seeds give equal games.
    fn play(
        &mut self,
        history: &PositionHistory<G>,
        rng: &mut Rng,
        amaf_moves: &mut AmafMoves,
    ) -> Outcome;

    /// `true` if the same move code means a different move before and after this one, so that AMAF must not mix the
    /// two.
    fn resets_amaf(&self, _mv: G::Move) -> bool {
        false
    }
}

/// The moves of each player in a game, at any ply, for AMAF (all moves as first; Gelly and Silver 2007). Indexed by
/// move index; a bit for each side.
#[derive(Debug, Clone)]
pub struct AmafMoves(Vec<u8>);

impl AmafMoves {
    /// An empty set over `n_indices` move indices.
    pub fn new(n_indices: usize) -> AmafMoves {
        AmafMoves(vec![0; n_indices])
    }

    /// Removes all moves.
    pub fn clear(&mut self) {
        self.0.fill(0);
    }

    /// Adds a move by a player.
    #[inline]
    pub fn add(&mut self, index: usize, side: Side) {
        self.0[index] |= bit(side);
    }

    /// `true` if the player made the move.
    #[inline]
    pub fn has(&self, index: usize, side: Side) -> bool {
        self.0[index] & bit(side) != 0
    }
}

/// 1 for the first player, 2 for the second.
#[inline]
fn bit(side: Side) -> u8 {
    1 + side.index() as u8
}
