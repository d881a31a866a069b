//! The weights of a hidden layer, and their file: those of a network, or of a game's policy.
//!
//! | bytes | content |
//! | --- | --- |
//! | 20 | `linesman network 1` or `linesman policy 1`, filled up with line feeds |
//! | 4 | number of inputs |
//! | 4 | sums of the hidden layer |
//! | | for each input its weights, of one byte in a network and two in a policy; the bias and each row of output weights, of two bytes |
//! | 4 | CRC-32 of all preceding bytes |
//!
//! Numbers are little-endian, weights signed.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use crate::Rejection;
use crate::bytes::{Decoder, Encoder};

/// The properties in which a network and a policy differ.
pub trait WeightsKind: fmt::Debug + Clone + PartialEq + Eq + Send + Sync {
    /// The first bytes of a file.
    const MAGIC: &'static [u8; 20];
    /// The kind of weights, for errors: `network`.
    const NAME: &'static str;
    /// The inputs of such weights, for errors: `inputs`.
    const INPUTS: &'static str;
    /// The largest weight of an input and of the bias. With larger ones, sums could overflow.
    const LARGEST: i16;
    /// The bytes of an input's weight in the file: one, if the largest fits, or two.
    const INPUT_BYTES: usize;
}

/// The weights of a hidden layer of `N` sums, which feed `OUT` rows of output weights, as integers.
#[derive(Clone, PartialEq, Eq)]
pub struct Weights<K: WeightsKind, const N: usize, const OUT: usize> {
    /// Input weights; shape: a row for each input.
    pub inputs: Vec<[i16; N]>,
    /// The initial sums, in the unit of the input weights.
    pub bias: [i16; N],
    /// Output weights of the sums.
    pub output: [[i16; N]; OUT],
    /// The kind.
    pub kind: PhantomData<K>,
}

/// Weights with a file, of any shape.
pub trait StoredWeights: Sized + Send + Sync {
    /// [`WeightsKind::NAME`].
    const NAME: &'static str;

    /// Encodes the weights as a file.
    fn to_bytes(&self) -> Vec<u8>;

    /// Decodes a file with any number of inputs.
    ///
    /// # Errors
    /// The content is damaged or of another version.
    fn from_bytes(bytes: &[u8]) -> Result<Self, Rejection>;

    /// As [`from_bytes`](StoredWeights::from_bytes), for a game with this number of inputs.
    ///
    /// # Errors
    /// The content is damaged, or of another version or game.
    fn of_game(bytes: &[u8], n_inputs: usize) -> Result<Self, Rejection>;
}

impl<K: WeightsKind, const N: usize, const OUT: usize> StoredWeights for Weights<K, N, OUT> {
    const NAME: &'static str = K::NAME;

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Encoder(K::MAGIC.to_vec());
        bytes.put_u32(self.inputs.len() as u32);
        bytes.put_u32(N as u32);
        for weight in self.inputs.iter().flatten() {
            bytes.0.extend(&weight.to_le_bytes()[..K::INPUT_BYTES]);
        }
        for weight in self.bias.iter().chain(self.output.iter().flatten()) {
            bytes.0.extend(weight.to_le_bytes());
        }
        bytes.finish()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Self, Rejection> {
        let body = Decoder::checked(bytes, K::MAGIC, K::NAME)?;
        let weights = Self::decode(body).ok_or("damaged: of another shape or length")?;
        let inputs = weights.inputs.iter().flatten().copied();
        let most = K::LARGEST;
        if !inputs
            .chain(weights.bias)
            .all(|weight| (-most..=most).contains(&weight))
        {
            return Err(format!("a weight beyond {most}: sums would overflow").into());
        }
        Ok(weights)
    }

    fn of_game(bytes: &[u8], n_inputs: usize) -> Result<Self, Rejection> {
        let weights = Self::from_bytes(bytes)?;
        if weights.inputs.len() != n_inputs {
            let (kind, inputs) = (K::NAME, K::INPUTS);
            return Err(format!("a {kind} of another game: expected {n_inputs} {inputs}").into());
        }
        Ok(weights)
    }
}

impl<K: WeightsKind, const N: usize, const OUT: usize> Weights<K, N, OUT> {
    fn decode(mut body: Decoder<'_>) -> Option<Self> {
        let n_inputs = body.shape(N)?;
        let inputs = body.bytes(n_inputs.checked_mul(N * K::INPUT_BYTES)?)?;
        let mut inputs = inputs
            .chunks_exact(K::INPUT_BYTES)
            .map(|bytes| match *bytes {
                [byte] => i16::from(byte as i8),
                [low, high] => i16::from_le_bytes([low, high]),
                _ => unreachable!("a weight has one or two bytes"),
            });
        let mut row = |_| std::array::from_fn(|_| inputs.next().expect("as many as counted"));
        let inputs = (0..n_inputs).map(&mut row).collect();
        let bias = body.row()?;
        let output: Option<Vec<[i16; N]>> = (0..OUT).map(|_| body.row()).collect();
        body.end()?;
        Some(Weights {
            inputs,
            bias,
            output: output?.try_into().ok()?,
            kind: PhantomData,
        })
    }
}

impl<K: WeightsKind, const N: usize, const OUT: usize> fmt::Debug for Weights<K, N, OUT> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} {}", K::NAME, self.inputs.len(), K::INPUTS)
    }
}

/// The weights that an engine is built with.
///
/// # Panics
/// If the file is damaged.
pub fn built_in<W: StoredWeights>(bytes: &[u8]) -> Arc<W> {
    Arc::new(W::from_bytes(bytes).expect("the engine's own weights"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::network::{HIDDEN, Network, QA};

    fn network() -> Network {
        Network {
            inputs: vec![[1; HIDDEN], [-64; HIDDEN], [64; HIDDEN]],
            bias: std::array::from_fn(|i| i as i16 - 5),
            output: [[300; HIDDEN], [-3; HIDDEN]],
            kind: PhantomData,
        }
    }

    #[test]
    fn a_file_reads_back() {
        assert_eq!(Network::of_game(&network().to_bytes(), 3), Ok(network()));
    }

    #[test]
    fn weights_whose_sums_could_overflow_are_refused() {
        for weight in [QA + 1, -QA - 1, i16::MIN, i16::MAX] {
            let mut large = network();
            large.bias[3] = weight;
            let why = Network::of_game(&large.to_bytes(), 3).expect_err("too large");
            assert_eq!(why.to_string(), "a weight beyond 64: sums would overflow");
        }
    }

    #[test]
    fn a_damaged_or_foreign_file_is_refused_wherever_it_is_damaged() {
        let bytes = network().to_bytes();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(Network::from_bytes(&damaged).is_err(), "byte {at}");
            assert!(Network::from_bytes(&bytes[..at]).is_err(), "cut at {at}");
        }
        let why = Network::of_game(&bytes, 4).expect_err("another game");
        assert_eq!(
            why.to_string(),
            "a network of another game: expected 4 inputs"
        );
    }
}
