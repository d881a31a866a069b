//! Lists of solved positions in bounded memory, roughly sorted by the sections of their predecessors.
//!
//! A list has a bucket for each group of sections. A bucket consists of chunks, which all lists take from one pool. If
//! the pool is empty, entries are dropped and the list is marked incomplete; the cells still contain the missing
//! entries.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use kit::tablebase::PredecessorBlock;

/// Log2 of the number of sections in a bucket: few enough to sort a bucket within the cache.
const BUCKET_BITS: u32 = 6;

/// Entries in a chunk, except in small tables.
const MAX_CHUNK_LEN: u64 = 256;

/// The item in the lowest bits, then a bit for a won position, then the section within its bucket.
type ListEntry = u32;

type Chunk = Vec<ListEntry>;

const WON: ListEntry = 1 << 16;

/// Two lists with their pool: positions solved at even and at odd distances.
pub(super) struct Lists {
    pool: Pool,
    of: [List; 2],
    n_sections: u64,
}

/// The memory for chunks.
struct Pool {
    chunk_len: usize,
    max_chunks: usize,
    n_used: AtomicUsize,
    free: Mutex<Vec<Chunk>>,
}

struct List {
    buckets: Vec<Mutex<Vec<Chunk>>>,
    /// `false` if entries were dropped.
    is_complete: AtomicBool,
}

/// A writer that appends to a list; each thread has its own.
pub(super) struct Writer<'a> {
    pool: &'a Pool,
    list: &'a List,
    /// The last chunk of each bucket.
    heads: Vec<Chunk>,
}

/// The entries of a bucket, sorted by section.
pub(super) struct Sorted {
    /// End of the items of each section and kind; they begin at the end of the previous ones.
    ends: Vec<usize>,
    items: Vec<u16>,
}

/// Memory of all chunks in bytes.
pub(crate) const fn n_list_bytes(n_indices: u64) -> u64 {
    n_indices / 8
}

impl Lists {
    /// Creates empty lists for `n_sections` sections of `size` indices.
    pub(super) fn new(n_sections: u64, size: u64, n_threads: usize) -> Lists {
        let n_indices = n_sections * size;
        let chunk_len = (n_indices >> 22).clamp(4, MAX_CHUNK_LEN);
        let n_buckets = n_sections.div_ceil(1 << BUCKET_BITS);
        let n_chunks = n_list_bytes(n_indices) / (chunk_len * size_of::<ListEntry>() as u64);
        // Half of the pool must hold what all threads together can find, each in one section.
        let least = 2 * n_threads as u64 * (n_buckets + size.div_ceil(chunk_len));
        let list = || List {
            buckets: (0..n_buckets).map(|_| Mutex::default()).collect(),
            is_complete: AtomicBool::new(true),
        };
        Lists {
            pool: Pool {
                chunk_len: chunk_len as usize,
                max_chunks: n_chunks.max(least) as usize,
                n_used: AtomicUsize::new(0),
                free: Mutex::default(),
            },
            of: [list(), list()],
            n_sections,
        }
    }

    /// `true` if half of the memory is in use.
    pub(super) fn is_half_full(&self) -> bool {
        self.pool.n_used.load(Relaxed) >= self.pool.max_chunks / 2
    }

    pub(super) fn n_buckets(&self) -> u64 {
        self.of[0].buckets.len() as u64
    }

    /// The sections of a bucket.
    pub(super) fn sections(&self, bucket: u64) -> Range<u64> {
        let first = bucket << BUCKET_BITS;
        first..(first + (1 << BUCKET_BITS)).min(self.n_sections)
    }

    /// `true` if the list of a distance contains everything found.
    pub(super) fn is_complete(&self, plies: u32) -> bool {
        self.list(plies).is_complete.load(Relaxed)
    }

    /// Creates a writer for the list of a distance. Its entries are in the list once the writer is dropped.
    pub(super) fn writer(&self, plies: u32) -> Writer<'_> {
        let list = self.list(plies);
        Writer {
            pool: &self.pool,
            list,
            heads: list.buckets.iter().map(|_| Chunk::new()).collect(),
        }
    }

    /// Empties the list of a distance.
    pub(super) fn clear(&self, plies: u32, is_complete: bool) {
        let list = self.list(plies);
        for bucket in &list.buckets {
            for chunk in std::mem::take(&mut *lock(bucket)) {
                self.pool.give_back(chunk);
            }
        }
        list.is_complete.store(is_complete, Relaxed);
    }

    /// Removes the entries of a bucket and sorts them into `sorted`.
    pub(super) fn take(&self, plies: u32, bucket: u64, sorted: &mut Sorted) {
        let chunks = std::mem::take(&mut *lock(&self.list(plies).buckets[bucket as usize]));
        sorted.sort(&chunks);
        for chunk in chunks {
            self.pool.give_back(chunk);
        }
    }

    fn list(&self, plies: u32) -> &List {
        &self.of[(plies % 2) as usize]
    }
}

impl Pool {
    fn take(&self) -> Option<Chunk> {
        let mut free = lock(&self.free);
        let n_used = self.n_used.load(Relaxed);
        if n_used == self.max_chunks {
            return None;
        }
        self.n_used.store(n_used + 1, Relaxed);
        let chunk = free.pop();
        Some(chunk.unwrap_or_else(|| Vec::with_capacity(self.chunk_len)))
    }

    fn give_back(&self, mut chunk: Chunk) {
        chunk.clear();
        let mut free = lock(&self.free);
        free.push(chunk);
        self.n_used.fetch_sub(1, Relaxed);
    }
}

impl Writer<'_> {
    #[inline]
    pub(super) fn push(&mut self, block_before: PredecessorBlock, is_won: bool) {
        let bucket = (block_before.section >> BUCKET_BITS) as usize;
        let head = &mut self.heads[bucket];
        if head.len() == head.capacity() && !renew(self.pool, self.list, bucket, head) {
            return;
        }
        let place = block_before.section & ((1 << BUCKET_BITS) - 1);
        head.push(place << 17 | u32::from(is_won) << 16 | u32::from(block_before.item));
    }
}

/// Replaces a full chunk, or one without capacity, by an empty one. Returns `false` if the pool is empty.
#[cold]
fn renew(pool: &Pool, list: &List, bucket: usize, head: &mut Chunk) -> bool {
    let Some(chunk) = pool.take() else {
        list.is_complete.store(false, Relaxed);
        return false;
    };
    let full = std::mem::replace(head, chunk);
    if !full.is_empty() {
        lock(&list.buckets[bucket]).push(full);
    }
    true
}

impl Drop for Writer<'_> {
    fn drop(&mut self) {
        let heads = self.heads.drain(..).zip(&self.list.buckets);
        for (head, bucket) in heads.filter(|(head, _)| !head.is_empty()) {
            lock(bucket).push(head);
        }
    }
}

impl Sorted {
    pub(super) fn new() -> Sorted {
        Sorted {
            ends: vec![0; 2 << BUCKET_BITS],
            items: Vec::new(),
        }
    }

    /// The won or the lost items of a section of the bucket.
    pub(super) fn items(&self, section: u64, is_won: bool) -> &[u16] {
        let place = section as usize % (1 << BUCKET_BITS);
        let kind = 2 * place + usize::from(is_won);
        let start = kind.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start..self.ends[kind]]
    }

    /// Counting sort.
    fn sort(&mut self, chunks: &[Chunk]) {
        let entries = || chunks.iter().flatten();
        self.ends.fill(0);
        let mut n = 0;
        for entry in entries() {
            self.ends[(entry / WON) as usize] += 1;
            n += 1;
        }
        let mut start = 0;
        for end in &mut self.ends {
            start += std::mem::replace(end, start);
        }
        self.items.clear();
        self.items.resize(n, 0);
        for entry in entries() {
            let end = &mut self.ends[(entry / WON) as usize];
            self.items[*end] = *entry as u16;
            *end += 1;
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().expect("no holder of this lock panics")
}
