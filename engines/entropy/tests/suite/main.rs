//! Tests of Entropy through its public interface: worked examples, perft, a second implementation, the laws, the
//! search.

mod differential;
mod examples;
mod naive;
mod search;
mod tables;

use entropy::Entropy;

/// A game in progress: `Case::new(figure).play("a4-c4").moves()`.
type Case = laws::testing::Case<Entropy>;

/// The game with this value of the option `Goal`.
fn game(goal: &str) -> Entropy {
    laws::testing::game(&format!("Goal={goal}"))
}

/// A game in progress with this value of the option `Goal`.
fn with_goal(goal: &str, position: &str) -> Case {
    Case::with(position, &format!("Goal={goal}"))
}
