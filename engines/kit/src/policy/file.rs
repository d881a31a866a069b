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
use crate::weights::Weights;

const MAGIC: &[u8; 20] = b"linesman policy 1\n\n\n";

impl Weights for Policy {
    const KIND: &'static str = "a policy";
    const INPUTS: &'static str = "features";

    fn n_inputs(&self) -> usize {
        self.features.len()
    }

    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Encoder(MAGIC.to_vec());
        bytes.put_u32(self.features.len() as u32);
        bytes.put_u32(WIDTH as u32);
        let rows = self.features.iter().chain([&self.bias, &self.output]);
        for weight in rows.flatten() {
            bytes.0.extend(weight.to_le_bytes());
        }
        bytes.finish()
    }

    fn from_bytes(bytes: &[u8]) -> Result<Policy, Rejection> {
        let body = Decoder::checked(bytes, MAGIC, "policy")?;
        let policy = decode(body).ok_or("damaged: of another shape or length")?;
        let is_small = |weight: &i16| weight.unsigned_abs() <= LARGEST.unsigned_abs();
        let rows = || policy.features.iter().chain([&policy.bias]);
        if !rows().flatten().all(is_small) {
            return Err(Rejection(format!(
                "a weight beyond {LARGEST}: sums would overflow"
            )));
        }
        Ok(policy)
    }
}

fn decode(mut body: Decoder<'_>) -> Option<Policy> {
    let features: Option<Vec<_>> = (0..body.shape(WIDTH)?).map(|_| body.row()).collect();
    let policy = Policy {
        features: features?,
        bias: body.row()?,
        output: body.row()?,
    };
    body.end().map(|()| policy)
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
        assert_eq!(Policy::of_game(&policy().to_bytes(), 3), Ok(policy()));
    }

    #[test]
    fn a_damaged_or_foreign_file_is_refused_wherever_it_is_damaged() {
        let bytes = policy().to_bytes();
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            assert!(Policy::of_game(&damaged, 3).is_err(), "byte {at}");
            assert!(Policy::of_game(&bytes[..at], 3).is_err(), "cut at {at}");
        }
        let why = Policy::of_game(&bytes, 4).expect_err("another game");
        assert_eq!(
            why.to_string(),
            "a policy of another game: expected 4 features"
        );
    }

    #[test]
    fn weights_whose_sums_could_overflow_are_refused() {
        let mut large = policy();
        large.features[1][3] = LARGEST + 1;
        let why = Policy::of_game(&large.to_bytes(), 3).expect_err("too large");
        assert_eq!(why.to_string(), "a weight beyond 1024: sums would overflow");
    }
}
