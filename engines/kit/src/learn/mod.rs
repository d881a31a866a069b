//! Learning: the weights of a [`Network`](crate::network::Network) from positions with targets.
//!
//! A [`Trainer`] fits weights by gradient descent: `rows` has the hidden layer and its step, which trainers share. A
//! [`NetworkTrainer`] fits a network. An [`OnlineLearner`] does so after each game that the engine plays, and
//! keeps its [`LearningHistory`].

mod history;
mod network_trainer;
mod online_learner;
mod rows;

pub use history::{LearnedGame, LearningHistory};
pub use network_trainer::{Example, NetworkTrainer};
pub use online_learner::{LearnedChange, Learner, OnlineLearner};
pub use rows::{Adam, HiddenLayer, Row, logistic};

use crate::weights::StoredWeights;

/// Weights during training, in floating point.
pub trait Trainer: Sized + 'static {
    /// The weights as the engine uses them, in integers.
    type Weights: StoredWeights;
    /// A training position.
    type Example;

    /// Examples in a batch.
    const BATCH: usize;
    /// Step size of the first batch.
    const RATE: f32;

    /// Random weights of this many inputs, without knowledge of the game.
    fn untrained(n_inputs: usize, seed: u64) -> Self;

    /// Moves each weight one step, of at most about `rate`, that shrinks the error on the batch.
    fn learn(&mut self, batch: &[&Self::Example], rate: f32) {
        for example in batch {
            self.add_gradients(example, 1.0 / batch.len() as f32);
        }
        self.step(rate);
    }

    /// Adds the gradients of an example's error, weighted by `share`.
    fn add_gradients(&mut self, example: &Self::Example, share: f32);

    /// Moves each weight one step down its gradient, of at most about `rate`, and clears the gradients.
    fn step(&mut self, rate: f32);

    /// The mean error on some examples.
    fn error(&self, examples: &[Self::Example]) -> f64 {
        let errors = examples.iter().map(|example| self.error_on(example));
        errors.map(f64::from).sum::<f64>() / examples.len().max(1) as f64
    }

    /// The error on an example.
    fn error_on(&self, example: &Self::Example) -> f32;

    /// The weights rounded to integers.
    fn weights(&self) -> Self::Weights;
}
