//! A number for each position: all that probing needs to know of a game.

use std::fmt::Debug;

use crate::Game;

/// A number for each position of a game by one choice of options.
pub trait Indexing<G: Game>: Debug + Send + Sync {
    /// The options that the values depend on, as `Size=3`, in a fixed order. A table is used only where all are equal.
    fn options(&self) -> Vec<(&'static str, String)>;

    /// How many numbers there are, from 0.
    fn n_indices(&self) -> u64;

    /// The number of a position in a game that is not over, earlier occurrences aside; positions of equal value by
    /// symmetry have the same. `None` for a position that the table does not hold.
    fn index(&self, position: &G::Position) -> Option<u64>;

    /// A position with this number. `None` for a number that no position has.
    fn position(&self, number: u64) -> Option<G::Position>;

    /// The bytes that the indexing itself takes.
    fn n_bytes(&self) -> u64;
}

/// The result of a game, from the point of view of one player.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// That player wins.
    Win,
    /// That player loses.
    Loss,
    /// Neither wins.
    Draw,
}
