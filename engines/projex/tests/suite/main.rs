//! Tests of Projex: worked examples, counted trees, a second implementation, the laws, the search, the policy.

mod differential;
mod examples;
mod far_side;
mod forced;
mod naive;
mod places;
mod policy;
mod rules;
mod search;

use laws::testing;
use projex::Projex;

/// A game in progress.
type Play = kit::PositionHistory<Projex>;

/// Creates the game from options such as `Size=5 Swap=false`.
fn game(options: &str) -> Projex {
    testing::game(options)
}

/// A game that begins at a position string, or at the start for `startpos`.
fn at(options: &str, position: &str) -> Play {
    testing::at(options, position)
}

/// The game after these moves.
fn after(options: &str, codes: &str) -> Play {
    let mut play = at(options, "startpos");
    testing::play(&mut play, codes);
    play
}

#[test]
fn keeps_the_laws() {
    laws::check::<Projex>();
}
