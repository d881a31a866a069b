//! The table of Entropy: an index for each position, and the moves between the indices.
//!
//! Everything is from the point of view of the player to move: *mover* is the set of that player's pieces, *waiting*
//! the opponent's. The rules treat both colours equally, so the colours themselves do not matter. [`EntropyPositions`] provides
//! the indices, [`walker`] the moves. Passes are not part of an index: the value of a position does not depend on them,
//! because a game in which both players can only pass is a draw in any case.

mod graph;
mod rank;
mod symmetry;
mod walker;

pub use graph::EntropyPositions;
pub use walker::EntropyWalker;
