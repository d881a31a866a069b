//! A block of a table file: the values of its indices in two bits each, and the distances of those won or lost in one
//! byte each.

use ruzstd::decoding::FrameDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::Value;
use crate::tablebase::code::{self, UNUSED, decode, loss, win};

/// Indices in a block, except the last one of a file. A multiple of 4.
pub const N_PER_BLOCK: u64 = 1 << 15;

const DRAW: u8 = 0;
const WIN: u8 = 1;
const LOSS: u8 = 2;
const NOTHING: u8 = 3;

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

/// The codes of a block of `n` indices, from its packed values and distances; `None` if they are damaged.
pub(super) fn unpack([values, distances]: [&[u8]; 2], n: usize) -> Option<Vec<u16>> {
    let values = decompress(values, n.div_ceil(4))?;
    let values = || (0..n).map(|i| values[i / 4] >> (2 * (i % 4)) & 3);
    let n_decided = values().filter(|value| [WIN, LOSS].contains(value)).count();
    let mut distances = decompress(distances, n_decided)?.into_iter().map(u32::from);
    let code = |value| {
        Some(match value {
            WIN => win(distances.next()?),
            LOSS => loss(distances.next()?),
            DRAW => code::DRAW,
            _ => UNUSED,
        })
    };
    values().map(code).collect()
}

/// Decompresses `bytes`; `None` if the result does not have exactly `n_bytes`.
fn decompress(bytes: &[u8], n_bytes: usize) -> Option<Vec<u8>> {
    let mut plain = vec![0; n_bytes];
    let n = FrameDecoder::new().decode_all(bytes, &mut plain).ok()?;
    (n == n_bytes).then_some(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_any_length_read_back() {
        let mut rng = fastrand::Rng::with_seed(5);
        for n in (0..300_usize).chain([8_191, 32_768]) {
            let all = [code::DRAW, UNUSED, win(3), loss(250)];
            let codes: Vec<u16> = (0..n).map(|_| all[rng.usize(..4)]).collect();
            let [values, distances] = pack(&codes);
            let unpacked = unpack([&values, &distances], n);
            assert_eq!(unpacked, Some(codes), "{n}");
            assert_eq!(unpack([&values, &distances], n + 4), None, "{n}");
        }
    }
}
