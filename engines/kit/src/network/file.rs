//! The [file](crate::weights) of a network. Its weights are those of the inputs, one byte each; the hidden layer's bias;
//! and the output weights, for the player to move and for the opponent. The latter two have two bytes each.

use super::{HIDDEN, Network, QA};
use crate::bytes::Decoder;
use crate::weights::Weights;

impl Weights for Network {
    const MAGIC: &'static [u8; 20] = b"linesman network 1\n\n";
    const KIND: &'static str = "network";
    const INPUTS: &'static str = "inputs";
    const WIDTH: usize = HIDDEN;
    const LARGEST: i16 = QA;

    fn n_inputs(&self) -> usize {
        self.inputs.len()
    }

    fn encode(&self, bytes: &mut Vec<u8>) {
        let weights = self.inputs.iter().flatten();
        bytes.extend(weights.map(|&weight| weight as u8));
        for weight in self.bias.iter().chain(self.output.iter().flatten()) {
            bytes.extend(weight.to_le_bytes());
        }
    }

    fn decode(n_inputs: usize, body: &mut Decoder<'_>) -> Option<Network> {
        let (inputs, _) = body.bytes(n_inputs * HIDDEN)?.as_chunks::<HIDDEN>();
        let inputs = inputs.iter().map(|row| row.map(|weight| weight as i8));
        Some(Network {
            inputs: inputs.collect(),
            bias: body.row()?,
            output: [body.row()?, body.row()?],
        })
    }

    fn summed(&self) -> impl Iterator<Item = i16> {
        let inputs = self.inputs.iter().flatten();
        inputs.map(|&weight| weight.into()).chain(self.bias)
    }
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
