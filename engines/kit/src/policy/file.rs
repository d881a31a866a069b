//! The file format of a policy.
//!
//! | bytes | content |
//! | --- | --- |
//! | 20 | `linesman policy 1` and three line feeds |
//! | 4 | number of features |
//! | 4 | [`WIDTH`] |
//! | 2 x features x `WIDTH` | feature weights |
//! | 2 x `WIDTH` | bias |
//! | 2 x `WIDTH` | output weights |
//! | 4 | CRC-32 of all preceding bytes |
//!
//! Numbers are little-endian, weights signed.

use super::{LARGEST, Policy, WIDTH};
use crate::Rejection;
use crate::bytes::{Decoder, Encoder};

const MAGIC: &[u8; 20] = b"linesman policy 1\n\n\n";

impl Policy {
    /// Encodes the policy as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Encoder(MAGIC.to_vec());
        bytes.put_u32(self.features.len() as u32);
        bytes.put_u32(WIDTH as u32);
        let rows = self.features.iter().chain([&self.bias, &self.output]);
        for weight in rows.flatten() {
            bytes.0.extend(weight.to_le_bytes());
        }
        let checksum = crc32fast::hash(&bytes.0);
        bytes.put_u32(checksum);
        bytes.0
    }

    /// Decodes a policy from a file, for a game with this number of features. The error names what does not fit.
    pub fn from_bytes(bytes: &[u8], n_features: usize) -> Result<Policy, Rejection> {
        let Some(body) = bytes.strip_prefix(MAGIC) else {
            return Err("no policy of this version: expected \"linesman policy 1\"".into());
        };
        let mut body = Decoder(body);
        let shape = [body.take_u32(), body.take_u32()];
        if shape != [Some(n_features as u32), Some(WIDTH as u32)] {
            let why = format!("a policy of another game: expected {n_features} features");
            return Err(Rejection(why));
        }
        let whole = MAGIC.len() + 8 + 2 * WIDTH * (n_features + 2) + 4;
        if bytes.len() != whole {
            let why = format!("damaged: {} bytes, expected {whole}", bytes.len());
            return Err(Rejection(why));
        }
        let (checked, checksum) = bytes.split_at(whole - 4);
        if checksum != crc32fast::hash(checked).to_le_bytes() {
            return Err("damaged: the checksum is wrong".into());
        }
        let mut row = || -> [i16; WIDTH] {
            let row = body.take(2 * WIDTH).expect("the length was checked");
            std::array::from_fn(|i| i16::from_le_bytes([row[2 * i], row[2 * i + 1]]))
        };
        let policy = Policy {
            features: (0..n_features).map(|_| row()).collect(),
            bias: row(),
            output: row(),
        };
        let weights = policy.features.iter().chain([&policy.bias]).flatten();
        if weights
            .into_iter()
            .any(|weight| weight.unsigned_abs() > LARGEST.unsigned_abs())
        {
            return Err(Rejection(format!(
                "a weight beyond {LARGEST}: sums would overflow"
            )));
        }
        Ok(policy)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> Policy {
        Policy {
            features: vec![[1; WIDTH], [-LARGEST; WIDTH], [LARGEST; WIDTH]],
            bias: std::array::from_fn(|i| i as i16 - 5),
            output: [-300; WIDTH],
        }
    }

    #[test]
    fn a_file_reads_back() {
        assert_eq!(Policy::from_bytes(&policy().to_bytes(), 3), Ok(policy()));
    }

    #[test]
    fn a_damaged_or_foreign_file_is_refused_wherever_it_is_damaged() {
        let bytes = policy().to_bytes();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(Policy::from_bytes(&damaged, 3).is_err(), "byte {at}");
            assert!(Policy::from_bytes(&bytes[..at], 3).is_err(), "cut at {at}");
        }
        let why = Policy::from_bytes(&bytes, 4).expect_err("another game");
        assert_eq!(
            why.to_string(),
            "a policy of another game: expected 4 features"
        );
    }

    #[test]
    fn weights_whose_sums_could_overflow_are_refused() {
        let mut large = policy();
        large.features[1][3] = LARGEST + 1;
        let why = Policy::from_bytes(&large.to_bytes(), 3).expect_err("too large");
        assert_eq!(why.to_string(), "a weight beyond 1024: sums would overflow");
    }
}
