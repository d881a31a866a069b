//! The file format of a network.
//!
//! | bytes | content |
//! | --- | --- |
//! | 20 | `linesman network 1` and two line feeds |
//! | 4 | number of inputs |
//! | 4 | [`HIDDEN`] |
//! | inputs x `HIDDEN` | input weights, one byte each |
//! | 2 x `HIDDEN` | hidden-layer bias |
//! | 4 x `HIDDEN` | output weights: for the player to move, for the opponent |
//! | 4 | CRC-32 of all preceding bytes |
//!
//! Numbers are little-endian, weights signed.

use super::{HIDDEN, Network, QA};
use crate::Rejection;
use crate::bytes::{Decoder, Encoder};
use crate::weights::Weights;

const MAGIC: &[u8; 20] = b"linesman network 1\n\n";

impl Weights for Network {
    const KIND: &'static str = "a network";
    const INPUTS: &'static str = "inputs";

    fn n_inputs(&self) -> usize {
        self.inputs.len()
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Encoder(MAGIC.to_vec());
        bytes.put_u32(self.inputs.len() as u32);
        bytes.put_u32(HIDDEN as u32);
        let weights = self.inputs.iter().flatten();
        bytes.0.extend(weights.map(|&weight| weight as u8));
        for weight in self.bias.iter().chain(self.output.iter().flatten()) {
            bytes.0.extend(weight.to_le_bytes());
        }
        bytes.finish()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Network, Rejection> {
        let body = Decoder::checked(bytes, MAGIC, "network")?;
        let network = decode(body).ok_or("damaged: of another shape or length")?;
        let inputs = network.inputs.iter().flatten();
        let mut weights = inputs.map(|&weight| i16::from(weight)).chain(network.bias);
        if weights.any(|weight| weight.unsigned_abs() > QA.unsigned_abs()) {
            return Err(Rejection(format!(
                "a weight beyond {QA}: sums would overflow"
            )));
        }
        Ok(network)
    }
}

fn decode(mut body: Decoder<'_>) -> Option<Network> {
    let n_inputs = body.shape(HIDDEN)?;
    let (inputs, _) = body.bytes(n_inputs * HIDDEN)?.as_chunks::<HIDDEN>();
    let inputs = inputs.iter().map(|row| row.map(|weight| weight as i8));
    let network = Network {
        inputs: inputs.collect(),
        bias: body.row()?,
        output: [body.row()?, body.row()?],
    };
    body.end().map(|()| network)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network() -> Network {
        Network {
            inputs: vec![[1; HIDDEN], [-64; HIDDEN], [64; HIDDEN]],
            bias: std::array::from_fn(|i| i as i16 - 5),
            output: [[300; HIDDEN], [-3; HIDDEN]],
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
