//! A network as bytes.
//!
//! | bytes | what |
//! | --- | --- |
//! | 20 | `linesman network 1` and two line feeds |
//! | 4 | number of inputs |
//! | 4 | [`HIDDEN`] |
//! | inputs x `HIDDEN` | weights of the inputs, one byte each |
//! | 2 x `HIDDEN` | what sums begin with |
//! | 4 x `HIDDEN` | weights of the output: of the player to move, of the opponent |
//! | 4 | CRC-32 of all bytes before |
//!
//! Numbers are little-endian, weights signed.

use super::{HIDDEN, Network, ONE};
use crate::Rejection;

const MAGIC: &[u8; 20] = b"linesman network 1\n\n";
/// Bytes besides the weights of the inputs.
const FRAME: usize = MAGIC.len() + 8 + 6 * HIDDEN + 4;

impl Network {
    /// The content of a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        for number in [self.inputs.len(), HIDDEN] {
            bytes.extend((number as u32).to_le_bytes());
        }
        bytes.extend(self.inputs.iter().flatten().map(|&weight| weight as u8));
        for weight in self.bias.iter().chain(self.output.iter().flatten()) {
            bytes.extend(weight.to_le_bytes());
        }
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The network of a file's content, for a game with this number of inputs. The error says what does not fit.
    pub fn from_bytes(bytes: &[u8], n_inputs: usize) -> Result<Network, Rejection> {
        if !bytes.starts_with(MAGIC) {
            return Err("no network of this version: expected \"linesman network 1\"".into());
        }
        let whole = FRAME + n_inputs * HIDDEN;
        let number = |at: usize| {
            let four = bytes.get(at..at + 4)?.try_into().ok()?;
            Some(u32::from_le_bytes(four) as usize)
        };
        let shape = [number(MAGIC.len()), number(MAGIC.len() + 4)];
        if shape != [Some(n_inputs), Some(HIDDEN)] {
            let why = format!("a network of another game: expected {n_inputs} inputs");
            return Err(Rejection(why));
        }
        if bytes.len() != whole {
            let why = format!("damaged: {} bytes, expected {whole}", bytes.len());
            return Err(Rejection(why));
        }
        if number(whole - 4) != Some(crc32fast::hash(&bytes[..whole - 4]) as usize) {
            return Err("damaged: the checksum is wrong".into());
        }
        let (inputs, rest) = bytes[MAGIC.len() + 8..].split_at(n_inputs * HIDDEN);
        let mut words = rest.chunks_exact(2);
        let mut row = || -> [i16; HIDDEN] {
            std::array::from_fn(|_| {
                let word = words.next().expect("the length was checked");
                i16::from_le_bytes([word[0], word[1]])
            })
        };
        let network = Network {
            inputs: inputs
                .chunks_exact(HIDDEN)
                .map(|chunk| std::array::from_fn(|i| chunk[i] as i8))
                .collect(),
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
