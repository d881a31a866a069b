//! The header of a table file: game, statistics, and the directory of blocks.

use std::fmt;

use super::block::N_PER_BLOCK;
use crate::Value;
use crate::bytes::{Decoder, Encoder};
use crate::tablebase::MAX_PLIES;

pub(super) const MAGIC: &[u8; 8] = b"LINESTBL";
pub(super) const VERSION: u32 = 2;

/// Bytes before the text: magic number, version, length of the header.
pub(super) const N_FIXED: usize = 16;

/// The identity of a table: which positions it contains.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// The game's name.
    pub game: String,
    /// Such as `Size=3 SlideLimit=6`; empty if no option affects the values.
    pub options: String,
    /// The number of its numbers, used or not.
    pub n_indices: u64,
}

/// Number of positions by value, each counted once up to symmetry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Counts {
    /// Won for the side to move.
    pub won: u64,
    /// Lost for the side to move.
    pub lost: u64,
    /// Won for neither.
    pub drawn: u64,
}

/// The description of a table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TableInfo {
    /// The positions that it contains.
    pub identity: Identity,
    /// Number of positions by value.
    pub counts: Counts,
    /// Plies of the longest win, and the index of a position that has it.
    pub longest_win: Option<(u32, u64)>,
    /// The value of the start position.
    pub start: Value,
    /// Size of the file in bytes.
    pub n_bytes: u64,
}

/// Length and checksum of a compressed part of a block.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PackedPart {
    /// Its bytes.
    pub n_bytes: u32,
    /// The CRC-32 of these.
    pub crc: u32,
}

/// The entry of a block in the directory: its values, then its distances.
pub type BlockEntry = [PackedPart; 2];

impl PackedPart {
    /// The part with these bytes.
    pub fn of(bytes: &[u8]) -> PackedPart {
        PackedPart {
            n_bytes: bytes.len() as u32,
            crc: crc32fast::hash(bytes),
        }
    }
}

impl Identity {
    /// The number of blocks in its file.
    pub fn n_blocks(&self) -> u64 {
        self.n_indices.div_ceil(N_PER_BLOCK)
    }

    /// Name of the table's file in a folder of tables.
    pub fn file_name(&self) -> String {
        let words = [self.game.as_str()].into_iter();
        let words: Vec<&str> = words.chain(self.options.split_whitespace()).collect();
        format!("{}.table", words.join("-"))
    }
}

impl fmt::Display for Identity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(format!("{} {}", self.game, self.options).trim_end())
    }
}

/// Encodes the header with its directory and the checksum of both.
pub fn encode(info: &TableInfo, entries: &[BlockEntry]) -> Vec<u8> {
    let mut body = Encoder::default();
    body.put_text(&info.identity.game);
    body.put_text(&info.identity.options);
    body.put_u64(info.identity.n_indices);
    body.put_u32(N_PER_BLOCK as u32);
    for count in [info.counts.won, info.counts.lost, info.counts.drawn] {
        body.put_u64(count);
    }
    let (plies, number) = info.longest_win.unwrap_or_default();
    body.put_u32(plies);
    body.put_u64(number);
    let (kind, plies) = match info.start {
        Value::Draw => (0, 0),
        Value::Win(plies) => (1, plies),
        Value::Loss(plies) => (2, plies),
    };
    body.put_u32(kind);
    body.put_u32(plies);
    for part in entries.iter().flatten() {
        body.put_u32(part.n_bytes);
        body.put_u32(part.crc);
    }
    let mut header = Encoder(MAGIC.to_vec());
    header.put_u32(VERSION);
    header.put_u32(body.0.len() as u32);
    header.0.extend(body.0);
    header.finish()
}

/// Decodes the description and the directory from the bytes between the fixed part and the checksum; `None` if they are
/// inconsistent.
pub(super) fn decode(body: &[u8]) -> Option<(TableInfo, Vec<BlockEntry>)> {
    let mut body = Decoder(body);
    let identity = Identity {
        game: body.text()?,
        options: body.text()?,
        n_indices: body.u64()?,
    };
    if u64::from(body.u32()?) != N_PER_BLOCK {
        return None;
    }
    let counts = Counts {
        won: body.u64()?,
        lost: body.u64()?,
        drawn: body.u64()?,
    };
    let longest_win = (body.u32()?, body.u64()?);
    let start = match (body.u32()?, body.u32()?) {
        (0, _) => Value::Draw,
        (1, plies) => Value::Win(plies),
        (2, plies) => Value::Loss(plies),
        _ => return None,
    };
    let info = TableInfo {
        identity,
        counts,
        longest_win: (counts.won > 0).then_some(longest_win),
        start,
        n_bytes: 0,
    };
    let n_blocks = info.identity.n_blocks();
    if body.0.len() as u64 != n_blocks.checked_mul(16)? {
        return None;
    }
    let mut part = || {
        let (n_bytes, crc) = (body.u32()?, body.u32()?);
        Some(PackedPart { n_bytes, crc })
    };
    let entries = (0..n_blocks).map(|_| Some([part()?, part()?]));
    let entries = entries.collect::<Option<Vec<_>>>()?;
    let most = info.longest_win.map_or(0, |(plies, _)| plies);
    (most <= MAX_PLIES).then_some((info, entries))
}
