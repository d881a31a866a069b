//! A block of a table file: the values of its indices in two bits each, and the distances of those won or lost in one
//! byte each.

use ruzstd::decoding::FrameDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::Value;
use crate::tablebase::code::{self, UNUSED, decode, later, loss, win};

/// Indices in a block, except the last one of a file. A multiple of 4.
pub const N_PER_BLOCK: u64 = 1 << 15;

const DRAW: u8 = 0;
const WIN: u8 = 1;
const LOSS: u8 = 2;
const NOTHING: u8 = 3;
/// The lower bit of each two-bit value in a word.
const ONE_OF_EACH: u64 = u64::MAX / 3;

/// Packs the codes of one block: its values and its distances, each compressed.
pub fn pack(codes: &[u16]) -> [Vec<u8>; 2] {
    let mut values = vec![0; codes.len().div_ceil(4)];
    let mut distances = Vec::new();
    for (i, &code) in codes.iter().enumerate() {
        let (value, plies) = match decode(code) {
            None => (NOTHING, None),
            Some(Value::Draw) => (DRAW, None),
            Some(Value::Win(plies)) => (WIN, Some(plies as u8)),
            Some(Value::Loss(plies)) => (LOSS, Some(plies as u8)),
        };
        distances.extend(plies);
        values[i / 4] |= value << (2 * (i % 4));
    }
    [values, distances].map(|bytes| compress_to_vec(&bytes[..], CompressionLevel::Fastest))
}

/// Decompresses `bytes`; `None` if the result does not have exactly `n_bytes`.
pub(super) fn unpack(bytes: &[u8], n_bytes: usize) -> Option<Vec<u8>> {
    let mut unpacked = vec![0; n_bytes];
    let n = FrameDecoder::new().decode_all(bytes, &mut unpacked).ok()?;
    (n == n_bytes).then_some(unpacked)
}

/// Number of won or lost positions among the first `n` of a block, which is the index of the next one's distance.
pub(super) fn n_distances(values: &[u8], n: usize) -> usize {
    let (words, last) = values[..n.div_ceil(4)].as_chunks::<8>();
    let last = last
        .iter()
        .rev()
        .fold(0, |word, &byte| word << 8 | u64::from(byte));
    let words = words.iter().map(|&word| u64::from_le_bytes(word));
    let n_decided = |word: u64| ((word ^ word >> 1) & ONE_OF_EACH).count_ones() as usize;
    let n_all: usize = words.chain([last]).map(n_decided).sum();
    // The last byte may contain values beyond the first `n`.
    let beyond = values.get(n / 4).filter(|_| !n.is_multiple_of(4));
    n_all - beyond.map_or(0, |&byte| n_decided(u64::from(byte) >> (2 * (n % 4))))
}

/// The code at offset `i` of a block, by its values alone: with distance 0 for a win or loss.
pub(super) fn code_at(values: &[u8], i: usize) -> u16 {
    match values[i / 4] >> (2 * (i % 4)) & 3 {
        WIN => win(0),
        LOSS => loss(0),
        DRAW => code::DRAW,
        _ => UNUSED,
    }
}

/// As [`code_at`], with the distance of a win or loss.
pub(super) fn with_distance<E>(
    code: u16,
    distance: impl FnOnce() -> Result<u8, E>,
) -> Result<u16, E> {
    match code == win(0) || code == loss(0) {
        true => distance().map(|plies| later(code, plies)),
        false => Ok(code),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_found_by_the_values_before() {
        let mut rng = fastrand::Rng::with_seed(5);
        for n in (0..300_usize).chain([8_191, 32_768]) {
            let codes: Vec<u16> = (0..n)
                .map(|_| {
                    *rng.choice(&[DRAW_CODE, UNUSED, win(3), loss(250)])
                        .expect("a code")
                })
                .collect();
            let [values, distances] = pack(&codes);
            let values = unpack(&values, n.div_ceil(4)).expect("values");
            let distances = unpack(&distances, n_distances(&values, n)).expect("distances");
            for (i, &code) in codes.iter().enumerate() {
                let distance = || Ok::<_, ()>(distances[n_distances(&values, i)]);
                let found = with_distance(code_at(&values, i), distance);
                assert_eq!(found, Ok(code), "{i} of {n}");
            }
        }
    }

    const DRAW_CODE: u16 = code::DRAW;
}
