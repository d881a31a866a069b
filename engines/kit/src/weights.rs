//! The weights of a network or a policy: their file, and those that are part of an engine's executable.
//!
//! | bytes | content |
//! | --- | --- |
//! | 20 | `linesman network 1` or `linesman policy 1`, filled up with line feeds |
//! | 4 | number of inputs |
//! | 4 | sums of the hidden layer |
//! | | the weights, in the order and the size of the kind |
//! | 4 | CRC-32 of all preceding bytes |
//!
//! Numbers are little-endian, weights signed.

use std::sync::Arc;

use crate::Rejection;
use crate::bytes::{Decoder, Encoder};

/// Weights with a file format.
pub trait Weights: Sized + Send + Sync {
    /// The first bytes of a file.
    const MAGIC: &'static [u8; 20];
    /// The kind of weights, for errors: `network`.
    const KIND: &'static str;
    /// The inputs of such weights, for errors: `inputs`.
    const INPUTS: &'static str;
    /// Number of sums of the hidden layer.
    const WIDTH: usize;
    /// The largest weight of an input and of the bias. With larger ones, sums could overflow.
    const LARGEST: i16;

    /// Number of inputs.
    fn n_inputs(&self) -> usize;

    /// Appends the weights.
    fn encode(&self, bytes: &mut Vec<u8>);

    /// Reads weights with this many inputs; `None` if there are too few bytes.
    fn decode(n_inputs: usize, body: &mut Decoder<'_>) -> Option<Self>;

    /// The weights that are added up: those of the inputs and the bias.
    fn summed(&self) -> impl Iterator<Item = i16>;

    /// Encodes the weights as a file.
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Encoder(Self::MAGIC.to_vec());
        bytes.put_u32(self.n_inputs() as u32);
        bytes.put_u32(Self::WIDTH as u32);
        self.encode(&mut bytes.0);
        bytes.finish()
    }

    /// Decodes a file with any number of inputs.
    ///
    /// # Errors
    /// The content is damaged or of another version.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Rejection> {
        let mut body = Decoder::checked(bytes, Self::MAGIC, Self::KIND)?;
        let n_inputs = body.shape(Self::WIDTH);
        let weights = n_inputs.and_then(|n_inputs| Self::decode(n_inputs, &mut body));
        let weights = weights.filter(|_| body.end().is_some());
        let weights = weights.ok_or("damaged: of another shape or length")?;
        let most = Self::LARGEST;
        if !weights
            .summed()
            .all(|weight| (-most..=most).contains(&weight))
        {
            return Err(format!("a weight beyond {most}: sums would overflow").into());
        }
        Ok(weights)
    }

    /// As [`from_bytes`](Weights::from_bytes), for a game with this number of inputs.
    ///
    /// # Errors
    /// The content is damaged, or of another version or game.
    fn of_game(bytes: &[u8], n_inputs: usize) -> Result<Self, Rejection> {
        let weights = Self::from_bytes(bytes)?;
        if weights.n_inputs() != n_inputs {
            let (kind, inputs) = (Self::KIND, Self::INPUTS);
            return Err(format!("a {kind} of another game: expected {n_inputs} {inputs}").into());
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
