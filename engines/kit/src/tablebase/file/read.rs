//! Reading a table: the header once, blocks on demand through a bounded cache.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use super::block::{N_PER_BLOCK, unpack};
use super::header::{self, BlockEntry, MAGIC, N_FIXED, PackedPart, TableInfo, VERSION};
use crate::bytes::Decoder;
use crate::hash::mix;
use crate::platform::{open_regular, read_exact_at};
use crate::tablebase::TableError;

/// Maximum header length: enough for a directory of more than 2^32 indices.
const MAX_HEADER: usize = 1 << 26;

/// Number of unpacked blocks in the cache: at most 8 MiB.
const N_CACHED: usize = 128;

/// An open table.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    file: File,
    info: TableInfo,
    /// Each block's offset in the file, and its entry in the directory.
    blocks: Vec<(u64, BlockEntry)>,
    cache: Vec<Mutex<Option<CachedBlock>>>,
}

/// The number of a block, and the codes of its indices.
type CachedBlock = (u64, Vec<u16>);

/// Reads the description of a table of any game.
///
/// # Errors
/// The file cannot be read, is not a table, or has a damaged header or a wrong length.
pub fn read_info(path: &Path) -> Result<TableInfo, TableError> {
    TableFile::open(path).map(|table| table.info)
}

impl TableFile {
    /// Opens a table and reads its header. The blocks are checked when they are read.
    pub fn open(path: &Path) -> Result<TableFile, TableError> {
        let file = open_regular(path).map_err(TableError::at(path))?;
        let n_bytes = file.metadata().map_err(TableError::at(path))?.len();
        let header = read_header(&file, n_bytes).map_err(TableError::at(path))?;
        let (mut info, entries, mut offset) = header;
        info.n_bytes = n_bytes;
        let mut blocks = Vec::with_capacity(entries.len());
        for entry in entries {
            blocks.push((offset, entry));
            offset += entry
                .iter()
                .map(|part| u64::from(part.n_bytes))
                .sum::<u64>();
        }
        if offset != n_bytes {
            let what = format!("damaged table: it has {n_bytes} of {offset} bytes");
            return Err(TableError::at(path)(what));
        }
        Ok(TableFile {
            path: path.to_owned(),
            file,
            info,
            blocks,
            cache: (0..N_CACHED).map(|_| Mutex::new(None)).collect(),
        })
    }

    /// Its path.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its header.
    pub fn info(&self) -> &TableInfo {
        &self.info
    }

    /// The code of an index, which must be in the table.
    pub fn code(&self, number: u64) -> Result<u16, TableError> {
        let (block, i) = (number / N_PER_BLOCK, (number % N_PER_BLOCK) as usize);
        let slot = &self.cache[mix(block) as usize % N_CACHED];
        let lock = || slot.lock().expect("no holder of this lock panics");
        if let Some((_, codes)) = lock().as_ref().filter(|cached| cached.0 == block) {
            return Ok(codes[i]);
        }
        let codes = self.codes(block)?;
        let code = codes[i];
        *lock() = Some((block, codes));
        Ok(code)
    }

    /// The codes of one block, which is not cached.
    pub fn codes(&self, block: u64) -> Result<Vec<u16>, TableError> {
        let (offset, entry) = self.blocks[block as usize];
        let [n_values, n_distances] = entry.map(|part| part.n_bytes as usize);
        let mut packed = vec![0; n_values + n_distances];
        read_exact_at(&self.file, &mut packed, offset).map_err(TableError::at(&self.path))?;
        let (values, distances) = packed.split_at(n_values);
        let damaged = |what| {
            let why = format!("damaged table: block {block}: {what}");
            TableError::at(&self.path)(why)
        };
        if entry != [values, distances].map(PackedPart::of) {
            return Err(damaged("wrong checksum"));
        }
        let n_indices = self.info.identity.n_indices - block * N_PER_BLOCK;
        let codes = unpack([values, distances], n_indices.min(N_PER_BLOCK) as usize);
        codes.ok_or_else(|| damaged("cannot be decompressed"))
    }
}

/// Reads and checks the header. Returns the description, the directory, and the offset of the first block.
fn read_header(file: &File, n_bytes: u64) -> Result<(TableInfo, Vec<BlockEntry>, u64), String> {
    let damaged = |what: &str| format!("damaged table: its header {what}");
    let mut fixed = [0; N_FIXED];
    if n_bytes >= N_FIXED as u64 {
        read(file, &mut fixed, 0)?;
    }
    let mut decoder = Decoder(&fixed);
    if decoder.bytes(MAGIC.len()) != Some(MAGIC) {
        return Err("not a table: linesman-lab table build writes one".to_owned());
    }
    let [version, len] = [decoder.u32(), decoder.u32()].map(Option::unwrap_or_default);
    if version != VERSION {
        return Err(format!(
            "a table of version {version}: rebuild it, since this program reads version {VERSION}"
        ));
    }
    let len = len as usize;
    let end = (N_FIXED + len + 4) as u64;
    if len > MAX_HEADER || end > n_bytes {
        return Err(damaged("is incomplete"));
    }
    let mut rest = vec![0; len + 4];
    read(file, &mut rest, N_FIXED as u64)?;
    let (body, crc) = rest.split_at(len);
    let mut hasher = crc32fast::Hasher::new();
    hasher.update(&fixed);
    hasher.update(body);
    if hasher.finalize().to_le_bytes() != *crc {
        return Err(damaged("has a wrong checksum"));
    }
    let (info, entries) = header::decode(body).ok_or_else(|| damaged("is invalid"))?;
    Ok((info, entries, end))
}

/// Fills `bytes` from byte `offset` of the file.
fn read(file: &File, bytes: &mut [u8], offset: u64) -> Result<(), String> {
    let read = read_exact_at(file, bytes, offset);
    read.map_err(|error| error.to_string())
}
