//! Tests of SUSAN: worked examples, perft tables, the laws of every game, and comparison with a second implementation.

use crate::Susan;
use kit::PositionHistory;
use laws::testing;

mod diagram;
mod differential;
mod learning;
mod naive;
mod notation;
mod perft;
mod places;
mod rules;
mod search;
mod tables;

/// Creates the game from options such as `Size=3 SlideLimit=0`.
fn game(options: &str) -> Susan {
    testing::game(options)
}

/// A game in progress at a position, or at `startpos`.
fn at(options: &str, position: &str) -> PositionHistory<Susan> {
    testing::at(options, position)
}

/// The game after these moves, separated by commas.
fn after(options: &str, position: &str, codes: &str) -> PositionHistory<Susan> {
    let mut history = at(options, position);
    testing::play(&mut history, codes);
    history
}
