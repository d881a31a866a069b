//! Writing a table: several threads pack the blocks, the header is written last, and the file is renamed once it is on
//! disk.

use std::fs::{self, File};
use std::io::{self, BufWriter, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU16, Ordering::Relaxed};

use crate::parallel::{Threads, block};
use kit::tablebase::TableError;
use kit::tablebase::file::{BlockEntry, N_PER_BLOCK, PackedPart, TableInfo, encode, pack};

/// Blocks per thread that are packed before they are written.
const N_AT_ONCE: u64 = 64;

/// Writes a table under a name that no file has; `false` if it was stopped. Until it is complete, the file has the name
/// with `.tmp` after it; it is removed on failure.
pub(super) fn write(
    path: &Path,
    info: &mut TableInfo,
    cells: &[AtomicU16],
    threads: Threads<'_>,
    on_progress: &mut dyn FnMut(u64, u64),
) -> Result<bool, TableError> {
    let temporary = path.with_added_extension("tmp");
    let written = write_all(&temporary, info, cells, threads, on_progress);
    let kept = match written {
        Ok(true) => fs::rename(&temporary, path)
            .map_err(TableError::at(path))
            .map(|()| true),
        other => other,
    };
    if !matches!(kept, Ok(true)) {
        // The write error is returned below.
        let _ = fs::remove_file(temporary);
    }
    kept
}

fn write_all(
    path: &Path,
    info: &mut TableInfo,
    cells: &[AtomicU16],
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
    let n_at_once = N_AT_ONCE * threads.count as u64;
    for first in (0..n_blocks).step_by(n_at_once as usize) {
        let n = n_at_once.min(n_blocks - first);
        let packed: Vec<Mutex<[Vec<u8>; 2]>> = (0..n).map(|_| Mutex::default()).collect();
        let pack = |codes: &mut Vec<u16>, i: u64| {
            let numbers = block(first + i, N_PER_BLOCK, cells.len() as u64);
            let cells = &cells[numbers.start as usize..numbers.end as usize];
            codes.clear();
            codes.extend(cells.iter().map(|cell| cell.load(Relaxed)));
            let slot = packed[i as usize].lock();
            *slot.expect("no holder of this lock panics") = pack(codes);
        };
        let mut on_progress = |done| on_progress(first + done, n_blocks);
        if !threads.for_each(n, Vec::new, pack, &mut on_progress) {
            return Ok(false);
        }
        for packed in packed {
            let packed = packed.into_inner().expect("no holder of this lock panics");
            for part in &packed {
                out.write_all(part).map_err(&io)?;
                info.n_bytes += part.len() as u64;
            }
            entries.push(packed.map(|part| PackedPart::of(&part)));
        }
    }
    out.seek(SeekFrom::Start(0)).map_err(&io)?;
    out.write_all(&encode(info, &entries)).map_err(&io)?;
    let file = out.into_inner().map_err(|error| io(error.into_error()))?;
    file.sync_all().map_err(&io)?;
    Ok(true)
}
