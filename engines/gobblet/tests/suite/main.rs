//! Tests of Gobblet! through its public interface: worked examples, perft, a second implementation, the laws, the
//! search.

mod differential;
mod examples;
mod naive;
mod places;
mod search;
mod tables;

use gobblet::Gobblet;

/// A game in progress: `Case::new(position).play("3@b2").moves()`.
type Case = laws::testing::Case<Gobblet>;

/// A game in progress on the board of this width, from the start position.
fn start(width: u8) -> Case {
    Case::with("startpos", &format!("Size={width}"))
}
