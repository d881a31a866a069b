//! The weights of a network or a policy: their file, and those that are part of an engine's executable.

use std::sync::{Arc, OnceLock};

use crate::Rejection;

/// Weights with a file format.
pub trait Weights: Sized + Send + Sync {
    /// The kind of weights, for errors: `a network`.
    const KIND: &'static str;
    /// The inputs of such weights, for errors: `inputs`.
    const INPUTS: &'static str;

    /// Number of inputs.
    fn n_inputs(&self) -> usize;

    /// Encodes the weights as a file.
    fn to_bytes(&self) -> Vec<u8>;

    /// Decodes a file with any number of inputs.
    ///
    /// # Errors
    /// The content is damaged or of another version.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Rejection>;

    /// As [`from_bytes`](Weights::from_bytes), for a game with this number of inputs.
    ///
    /// # Errors
    /// The content is damaged, or of another version or game.
    fn of_game(bytes: &[u8], n_inputs: usize) -> Result<Self, Rejection> {
        let weights = Self::from_bytes(bytes)?;
        if weights.n_inputs() != n_inputs {
            let (kind, inputs) = (Self::KIND, Self::INPUTS);
            let why = format!("{kind} of another game: expected {n_inputs} {inputs}");
            return Err(Rejection(why));
        }
        Ok(weights)
    }
}

/// The weights that an engine is built with, decoded when they are first needed.
#[derive(Debug)]
pub struct BuiltIn<W> {
    bytes: &'static [u8],
    weights: OnceLock<Arc<W>>,
}

impl<W: Weights> BuiltIn<W> {
    /// The weights in the content of a file.
    pub const fn new(bytes: &'static [u8]) -> BuiltIn<W> {
        BuiltIn {
            bytes,
            weights: OnceLock::new(),
        }
    }

    /// The weights.
    ///
    /// # Panics
    /// If the file is damaged.
    pub fn get(&self) -> Arc<W> {
        let decode = || Arc::new(W::from_bytes(self.bytes).expect("the engine's own weights"));
        Arc::clone(self.weights.get_or_init(decode))
    }
}
