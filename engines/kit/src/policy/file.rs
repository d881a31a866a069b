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
        bytes.finish()
    }

    /// The policy of a file's content, for a game with this number of features.
    ///
    /// # Errors
    /// The content is damaged, or of another version or game.
    pub fn from_bytes(bytes: &[u8], n_features: usize) -> Result<Policy, Rejection> {
        let mut body = Decoder::checked(bytes, MAGIC, "policy")?;
        body.check_shape([n_features, WIDTH], ("a policy", "features"))?;
        let policy = Policy::read(&mut body, n_features).ok_or("damaged: wrong length")?;
        let is_small = |weight: &i16| weight.unsigned_abs() <= LARGEST.unsigned_abs();
        if !policy
            .features
            .iter()
            .chain([&policy.bias])
            .flatten()
            .all(is_small)
        {
            return Err(Rejection(format!(
                "a weight beyond {LARGEST}: sums would overflow"
            )));
        }
        Ok(policy)
    }

    fn read(body: &mut Decoder<'_>, n_features: usize) -> Option<Policy> {
        let features: Option<Vec<_>> = (0..n_features).map(|_| body.row()).collect();
        let policy = Policy {
            features: features?,
            bias: body.row()?,
            output: body.row()?,
        };
        body.end().map(|()| policy)
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
