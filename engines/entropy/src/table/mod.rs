//! The table of Entropy: a number for each position, and the moves between the numbers.
//!
//! All is said from the player to move: *mover* is the set of his pieces, *waiting* that of his opponent's. The rules treat both
//! colours alike, so the colours themselves do not matter. [`Graph`] gives the numbers, [`walker`] the moves. Passes are not
//! part of a number: the value of a position does not depend on them, because a game in which both players can only pass is a
//! draw either way.

mod graph;
mod rank;
mod symmetry;
mod walker;

pub use graph::Graph;
pub use walker::EntropyWalker;
