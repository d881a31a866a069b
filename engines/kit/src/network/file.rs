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

use std::array;

use super::{HIDDEN, Network, ONE};
use crate::Rejection;
use crate::bytes::{Decoder, Encoder};

const MAGIC: &[u8; 20] = b"linesman network 1\n\n";
/// Size of the file without the input weights.
const FRAME: usize = MAGIC.len() + 8 + 6 * HIDDEN + 4;

impl Network {
    /// Encodes the network as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Encoder(MAGIC.to_vec());
        bytes.put_u32(self.inputs.len() as u32);
        bytes.put_u32(HIDDEN as u32);
        let weights = self.inputs.iter().flatten();
        bytes.0.extend(weights.map(|&weight| weight as u8));
        for weight in self.bias.iter().chain(self.output.iter().flatten()) {
            bytes.0.extend(weight.to_le_bytes());
        }
        let checksum = crc32fast::hash(&bytes.0);
        bytes.put_u32(checksum);
        bytes.0
    }

    /// Decodes a network from a file, for a game with this number of inputs. The error names what does not fit.
    pub fn from_bytes(bytes: &[u8], n_inputs: usize) -> Result<Network, Rejection> {
        let Some(body) = bytes.strip_prefix(MAGIC) else {
            return Err("no network of this version: expected \"linesman network 1\"".into());
        };
        let mut body = Decoder(body);
        let shape = [body.take_u32(), body.take_u32()];
        if shape != [Some(n_inputs as u32), Some(HIDDEN as u32)] {
            let why = format!("a network of another game: expected {n_inputs} inputs");
            return Err(Rejection(why));
        }
        let whole = FRAME + n_inputs * HIDDEN;
        if bytes.len() != whole {
            let why = format!("damaged: {} bytes, expected {whole}", bytes.len());
            return Err(Rejection(why));
        }
        let (checked, checksum) = bytes.split_at(whole - 4);
        if checksum != crc32fast::hash(checked).to_le_bytes() {
            return Err("damaged: the checksum is wrong".into());
        }
        let mut take = |n| body.take(n).expect("the length was checked");
        let inputs = take(n_inputs * HIDDEN).chunks_exact(HIDDEN);
        let inputs = inputs.map(|row| array::from_fn(|i| row[i] as i8)).collect();
        let mut row = || -> [i16; HIDDEN] {
            let row = take(2 * HIDDEN);
            array::from_fn(|i| i16::from_le_bytes([row[2 * i], row[2 * i + 1]]))
        };
        let network = Network {
            inputs,
            bias: row(),
            output: [row(), row()],
        };
        let weights = network
            .inputs
            .iter()
            .flatten()
            .map(|&weight| i16::from(weight));
        if weights.chain(network.bias).any(|weight| weight.abs() > ONE) {
            return Err(Rejection(format!(
                "a weight beyond {ONE}: sums would overflow"
            )));
        }
        Ok(network)
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
        assert_eq!(Network::from_bytes(&network().to_bytes(), 3), Ok(network()));
    }

    #[test]
    fn a_damaged_or_foreign_file_is_refused_wherever_it_is_damaged() {
        let bytes = network().to_bytes();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(Network::from_bytes(&damaged, 3).is_err(), "byte {at}");
            assert!(Network::from_bytes(&bytes[..at], 3).is_err(), "cut at {at}");
        }
        let why = Network::from_bytes(&bytes, 4).expect_err("another game");
        assert_eq!(
            why.to_string(),
            "a network of another game: expected 4 inputs"
        );
    }
}
