//! Reading a table: the header once, blocks on demand through a bounded cache.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::block::{N_PER_BLOCK, code_at, n_distances, unpack, with_distance};
use super::header::{self, BlockEntry, MAGIC, N_FIXED, PackedPart, TableInfo, VERSION};
use crate::bytes::Decoder;
use crate::hash::mix;
use crate::platform::{open_regular, read_exact_at};
use crate::tablebase::TableError;

/// Maximum header length: enough for a directory of more than 2^32 indices.
const MAX_HEADER: usize = 1 << 26;

/// Number of unpacked block parts in the cache: at most 8 MiB.
const N_CACHED: usize = 256;

/// An open table.
#[derive(Debug)]
pub struct TableFile {
    path: PathBuf,
    file: File,
    info: TableInfo,
    blocks: Vec<StoredBlock>,
    cache: Vec<Mutex<Option<Cached>>>,
}

/// A block's offset in the file and its entry in the directory.
#[derive(Debug)]
struct StoredBlock {
    offset: u64,
    entry: BlockEntry,
}

#[derive(Debug, Clone)]
struct Cached {
    key: u64,
    bytes: Arc<Vec<u8>>,
}

/// The indices of a block's parts.
const VALUES: usize = 0;
const DISTANCES: usize = 1;

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
            blocks.push(StoredBlock { offset, entry });
            offset += entry
                .map(|part| u64::from(part.n_bytes))
                .iter()
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
        let values = self.values(block)?;
        let distance = || Ok(self.distances(block, &values)?[n_distances(&values, i)]);
        with_distance(code_at(&values, i), distance)
    }

    /// As [`code`](TableFile::code), but with distance 0 for each win and loss; reads no distances.
    pub fn code_without_distance(&self, number: u64) -> Result<u16, TableError> {
        let (block, i) = (number / N_PER_BLOCK, (number % N_PER_BLOCK) as usize);
        Ok(code_at(&self.values(block)?, i))
    }

    /// The codes of one block, which is not cached.
    pub fn codes(&self, block: u64) -> Result<Vec<u16>, TableError> {
        let n_indices = self.n_indices(block);
        let values = self.read(block, VALUES, n_indices.div_ceil(4))?;
        let n_distances = n_distances(&values, n_indices);
        let distances = self.read(block, DISTANCES, n_distances)?;
        let mut distances = distances.iter();
        let mut next = || Ok(*distances.next().expect("a distance for each win and loss"));
        (0..n_indices)
            .map(|i| with_distance(code_at(&values, i), &mut next))
            .collect()
    }

    fn values(&self, block: u64) -> Result<Arc<Vec<u8>>, TableError> {
        self.part(block, VALUES, || self.n_indices(block).div_ceil(4))
    }

    fn distances(&self, block: u64, values: &[u8]) -> Result<Arc<Vec<u8>>, TableError> {
        let n_bytes = || n_distances(values, self.n_indices(block));
        self.part(block, DISTANCES, n_bytes)
    }

    fn n_indices(&self, block: u64) -> usize {
        (self.info.identity.n_indices - block * N_PER_BLOCK).min(N_PER_BLOCK) as usize
    }

    /// A part of a block, from the cache or the file. `n_bytes` returns its unpacked size.
    fn part(
        &self,
        block: u64,
        part: usize,
        n_bytes: impl FnOnce() -> usize,
    ) -> Result<Arc<Vec<u8>>, TableError> {
        let key = 2 * block + part as u64;
        let slot = &self.cache[mix(key) as usize % N_CACHED];
        let lock = || slot.lock().expect("no holder of this lock panics");
        if let Some(cached) = lock().as_ref().filter(|cached| cached.key == key) {
            return Ok(Arc::clone(&cached.bytes));
        }
        let bytes = Arc::new(self.read(block, part, n_bytes())?);
        *lock() = Some(Cached {
            key,
            bytes: Arc::clone(&bytes),
        });
        Ok(bytes)
    }

    fn read(&self, block: u64, part: usize, n_bytes: usize) -> Result<Vec<u8>, TableError> {
        let StoredBlock { offset, entry } = &self.blocks[block as usize];
        let PackedPart {
            n_bytes: n_packed,
            crc,
        } = entry[part];
        let before = entry[..part].iter().map(|part| u64::from(part.n_bytes));
        let offset = offset + before.sum::<u64>();
        let mut packed = vec![0; n_packed as usize];
        read_exact_at(&self.file, &mut packed, offset).map_err(TableError::at(&self.path))?;
        let name = ["values", "distances"][part];
        let damaged = |what| {
            let why = format!("damaged table: {name} of block {block}: {what}");
            TableError::at(&self.path)(why)
        };
        if crc32fast::hash(&packed) != crc {
            return Err(damaged("wrong checksum"));
        }
        unpack(&packed, n_bytes).ok_or_else(|| damaged("cannot be decompressed"))
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
