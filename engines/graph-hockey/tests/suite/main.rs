//! Tests of Graph Hockey through its public interface: worked examples, perft, a second implementation, the laws, the
//! search.

mod differential;
mod examples;
mod naive;
mod search;

use graph_hockey::GraphHockey;

/// A game in progress: `Case::new("4x8 GH").play("J").moves()`.
type Case = laws::testing::Case<GraphHockey>;

/// The game on the default field.
fn game() -> GraphHockey {
    laws::testing::game("")
}

/// The letters of the legal moves, run together.
fn letters(case: &Case) -> String {
    case.moves().concat()
}

#[test]
fn keeps_the_laws() {
    laws::check::<GraphHockey>();
}
