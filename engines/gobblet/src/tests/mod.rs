//! Tests of Gobblet! through its public interface: worked examples, perft, a second implementation, the laws, the
//! search.

mod diagram;
mod differential;
mod naive;
mod notation;
mod perft;
mod places;
mod rules;
mod search;
mod tables;

use crate::Gobblet;

/// A game in progress: `Case::new(position).play("3@b2").refusal(...)`.
type Case = laws::testing::Case<Gobblet>;

/// The game on the board of this width.
fn game(width: u8) -> Gobblet {
    laws::testing::game(&format!("Size={width}"))
}

/// A game in progress on the board of this width, from the start position.
fn start(width: u8) -> Case {
    Case::with("startpos", &format!("Size={width}"))
}
