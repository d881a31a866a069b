//! What the training of a network and that of a policy share.

use super::policy_trainer::{PolicyExample, PolicyTrainer};
use super::trainer::{self, Example, Trainer};
use crate::Rejection;
use crate::network::Network;
use crate::policy::Policy;

/// Weights while they learn, in floating point.
pub trait Train: Sized + 'static {
    /// The weights as the engine has them, in integers.
    type Weights: Send + Sync;
    /// A position to learn from.
    type Example;

    /// What the weights are called.
    const NAME: &'static str;
    /// The ending of their file.
    const ENDING: &'static str;
    /// Examples of one step.
    const BATCH: usize;
    /// The first step of a weight.
    const RATE: f32;

    /// Weights that know nothing, of so many inputs.
    fn untrained(n_inputs: usize, seed: u64) -> Self;

    /// Moves the weights one step, of at most about `rate` each.
    fn learn(&mut self, batch: &[&Self::Example], rate: f32);

    /// The mean error on some examples.
    fn error<'a>(&self, examples: impl IntoIterator<Item = &'a Self::Example>) -> f64;

    /// The weights rounded to integers.
    fn weights(&self) -> Self::Weights;

    /// The content of the weights' file.
    fn to_bytes(weights: &Self::Weights) -> Vec<u8>;

    /// The weights of a file's content. The error says what does not fit.
    fn from_bytes(bytes: &[u8], n_inputs: usize) -> Result<Self::Weights, Rejection>;
}

impl Train for Trainer {
    type Weights = Network;
    type Example = Example;

    const NAME: &'static str = "network";
    const ENDING: &'static str = "net";
    const BATCH: usize = trainer::BATCH;
    const RATE: f32 = 0.0005;

    fn untrained(n_inputs: usize, seed: u64) -> Trainer {
        Trainer::new(n_inputs, seed)
    }

    fn learn(&mut self, batch: &[&Example], rate: f32) {
        Trainer::learn(self, batch, rate);
    }

    fn error<'a>(&self, examples: impl IntoIterator<Item = &'a Example>) -> f64 {
        Trainer::error(self, examples)
    }

    fn weights(&self) -> Network {
        self.network()
    }

    fn to_bytes(network: &Network) -> Vec<u8> {
        network.to_bytes()
    }

    fn from_bytes(bytes: &[u8], n_inputs: usize) -> Result<Network, Rejection> {
        Network::from_bytes(bytes, n_inputs)
    }
}

impl Train for PolicyTrainer {
    type Weights = Policy;
    type Example = PolicyExample;

    const NAME: &'static str = "policy";
    const ENDING: &'static str = "policy";
    const BATCH: usize = 32;
    const RATE: f32 = 0.005;

    fn untrained(n_features: usize, seed: u64) -> PolicyTrainer {
        PolicyTrainer::new(n_features, seed)
    }

    fn learn(&mut self, batch: &[&PolicyExample], rate: f32) {
        PolicyTrainer::learn(self, batch, rate);
    }

    fn error<'a>(&self, examples: impl IntoIterator<Item = &'a PolicyExample>) -> f64 {
        PolicyTrainer::error(self, examples)
    }

    fn weights(&self) -> Policy {
        self.policy()
    }

    fn to_bytes(policy: &Policy) -> Vec<u8> {
        policy.to_bytes()
    }

    fn from_bytes(bytes: &[u8], n_features: usize) -> Result<Policy, Rejection> {
        Policy::from_bytes(bytes, n_features)
    }
}
