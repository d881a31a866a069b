//! Writing a table: several threads pack the blocks, and the header is written last.

use std::cmp::Reverse;
use std::fs::File;
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::Path;
use std::sync::Mutex;

use crate::parallel::{Threads, block};
use kit::Value;
use kit::tablebase::TableError;
use kit::tablebase::code::decode;
use kit::tablebase::file::{BlockEntry, Counts, N_PER_BLOCK, PackedPart, TableInfo, encode, pack};

use super::solver::Codes;

/// Blocks per thread that are packed before they are written.
const N_AT_ONCE: u64 = 64;

/// A block as it is written, and what the header says of its positions: how many are won, lost and drawn, and the first of
/// the longest wins.
type Packed = ([Vec<u8>; 2], [u64; 3], Option<(u32, Reverse<u64>)>);

fn packed(numbers: Range<u64>, codes: &[u16]) -> Packed {
    let (mut counts, mut longest) = ([0; 3], None);
    for (number, &code) in numbers.zip(codes) {
        let kind = match decode(code) {
            None => continue,
            Some(Value::Win(plies)) => {
                longest = longest.max(Some((plies, Reverse(number))));
                0
            }
            Some(Value::Loss(_)) => 1,
            Some(Value::Draw) => 2,
        };
        counts[kind] += 1;
    }
    (pack(codes), counts, longest)
}

/// Writes a table to a new file and completes its description; `false` if it was stopped.
pub(super) fn write(
    path: &Path,
    info: &mut TableInfo,
    codes_of: &Codes,
    threads: Threads<'_>,
    on_progress: &mut dyn FnMut(u64, u64),
) -> Result<bool, TableError> {
    let io = TableError::at::<io::Error>(path);
    let n_blocks = info.identity.n_blocks();
    let mut entries = Vec::with_capacity(n_blocks as usize);
    let file = File::create(path).map_err(&io)?;
    let mut out = BufWriter::with_capacity(1 << 20, file);
    let empty = vec![BlockEntry::default(); n_blocks as usize];
    let start = encode(info, &empty).len() as u64;
    out.seek(SeekFrom::Start(start)).map_err(&io)?;
    info.n_bytes = start;
    let (mut sums, mut longest) = ([0; 3], None);
    let n_at_once = N_AT_ONCE * threads.count as u64;
    for first in (0..n_blocks).step_by(n_at_once as usize) {
        let n = n_at_once.min(n_blocks - first);
        let blocks: Vec<Mutex<Packed>> = (0..n).map(|_| Mutex::default()).collect();
        let n_indices = info.identity.n_indices;
        let pack = |codes: &mut Vec<u16>, i: u64| {
            let numbers = block(first + i, N_PER_BLOCK, n_indices);
            codes.clear();
            codes_of(numbers.clone(), codes);
            let slot = blocks[i as usize].lock();
            *slot.expect("no holder of this lock panics") = packed(numbers, codes);
        };
        let mut on_progress = |done| on_progress(first + done, n_blocks);
        if !threads.for_each(n, Vec::new, pack, &mut on_progress) {
            return Ok(false);
        }
        for block in blocks {
            let block = block.into_inner().expect("no holder of this lock panics");
            let (parts, counts, win) = block;
            for part in &parts {
                out.write_all(part).map_err(&io)?;
                info.n_bytes += part.len() as u64;
            }
            entries.push(parts.map(|part| PackedPart::of(&part)));
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum += counts[i];
            }
            longest = longest.max(win);
        }
    }
    let [won, lost, drawn] = sums;
    info.counts = Counts { won, lost, drawn };
    info.longest_win = longest.map(|(plies, Reverse(number))| (plies, number));
    out.seek(SeekFrom::Start(0)).map_err(&io)?;
    out.write_all(&encode(info, &entries)).map_err(&io)?;
    let file = out.into_inner().map_err(|error| io(error.into_error()))?;
    file.sync_all().map_err(&io)?;
    Ok(true)
}
