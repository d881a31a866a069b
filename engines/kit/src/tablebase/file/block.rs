//! A block: so many numbers, their values two bits each, their distances a byte each.

use ruzstd::decoding::FrameDecoder;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use crate::tablebase::cells::{Decoded, UNUSED, decode, loss, win};

/// Numbers in a block, but for the last of a file. A multiple of 4.
pub(in crate::tablebase) const N_PER_BLOCK: u64 = 1 << 15;

const DRAW: u8 = 0;
const WIN: u8 = 1;
const LOSS: u8 = 2;
const NOTHING: u8 = 3;

/// A block as it stands in a file.
#[derive(Debug)]
pub(super) struct Packed {
    pub(super) values: Vec<u8>,
    pub(super) distances: Vec<u8>,
}

/// Packs the codes of one block.
pub(super) fn pack(codes: &[u16]) -> Packed {
    let mut values = vec![0; codes.len().div_ceil(4)];
    let mut distances = Vec::with_capacity(codes.len());
    let mut last = 0;
    for (i, &code) in codes.iter().enumerate() {
        let value = match decode(code) {
            Decoded::Draw => DRAW,
            Decoded::Unused => NOTHING,
            Decoded::Win(plies) => {
                last = plies as u8;
                WIN
            }
            Decoded::Loss(plies) => {
                last = plies as u8;
                LOSS
            }
        };
        values[i / 4] |= value << (2 * (i % 4));
        // What has no distance repeats the last one, which takes least room.
        distances.push(last);
    }
    let compress = |bytes: &[u8]| compress_to_vec(bytes, CompressionLevel::Fastest);
    Packed {
        values: compress(&values),
        distances: compress(&distances),
    }
}

/// Decompresses to exactly so many bytes.
pub(super) fn unpack(bytes: &[u8], n_bytes: usize) -> Option<Vec<u8>> {
    let mut unpacked = vec![0; n_bytes];
    let n = FrameDecoder::new().decode_all(bytes, &mut unpacked).ok()?;
    (n == n_bytes).then_some(unpacked)
}

/// The code at a place of a block, from its values and distances.
pub(super) fn code_at(values: &[u8], i: usize, distance: impl FnOnce() -> u8) -> u16 {
    match values[i / 4] >> (2 * (i % 4)) & 3 {
        WIN => win(distance().into()),
        LOSS => loss(distance().into()),
        DRAW => crate::tablebase::cells::DRAW,
        _ => UNUSED,
    }
}
