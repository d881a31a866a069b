//! The weights of a network or a policy: their file, and those that are part of an engine's executable.

use std::sync::Arc;

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

/// The weights that an engine is built with.
///
/// # Panics
/// If the file is damaged.
pub fn built_in<W: Weights>(bytes: &[u8]) -> Arc<W> {
    Arc::new(W::from_bytes(bytes).expect("the engine's own weights"))
}
