//! The common interface of network and policy training.

use super::policy_trainer::{PolicyExample, PolicyTrainer};
use super::trainer::{self, Example, Trainer};
use crate::Rejection;
use crate::network::Network;
use crate::policy::Policy;

/// Weights in training, in floating point.
pub trait Train: Sized + 'static {
    /// The engine's weights, in integers.
    type Weights: Send + Sync;
    /// A training position.
    type Example;

    /// Name of the weights, for messages.
    const NAME: &'static str;
    /// File extension.
    const ENDING: &'static str;
    /// Examples per step.
    const BATCH: usize;
    /// Initial learning rate.
    const RATE: f32;

    /// Untrained weights with this number of inputs.
    fn untrained(n_inputs: usize, seed: u64) -> Self;

    /// Trains on one batch; each weight changes by at most about `rate`.
    fn learn(&mut self, batch: &[&Self::Example], rate: f32);

    /// Mean error on these examples.
    fn error<'a>(&self, examples: impl IntoIterator<Item = &'a Self::Example>) -> f64;

    /// Returns the weights rounded to integers.
    fn weights(&self) -> Self::Weights;

    /// Encodes weights as a file.
    fn to_bytes(weights: &Self::Weights) -> Vec<u8>;

    /// Decodes weights from a file. The error names what does not fit.
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
