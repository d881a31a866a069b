//! Learning from games of an engine against itself: the weights of a network or of a policy.
//!
//! [`SelfPlay`] plays games and keeps the scores of the searches. A [`SelfPlayTrainer`] takes its examples from such games:
//! for a network, positions with their targets; for a policy, positions with the shares of the search's games among their
//! moves ([`PolicyTrainer`]).

mod policy_trainer;
mod self_play;
mod self_play_trainer;

pub use policy_trainer::{PolicyExample, PolicyTrainer};
pub(crate) use self_play::random_move;
pub use self_play::{PlayedGame, SelfPlay};
pub use self_play_trainer::SelfPlayTrainer;
