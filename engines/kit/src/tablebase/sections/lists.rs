//! Lists of solved positions in bounded memory, sorted roughly by the sections in which their predecessors are.
//!
//! A list has a bucket for each few sections. A bucket is made of chunks, which all lists take from one pool. Where the pool is
//! empty, entries are dropped and the list is no longer complete; the cells still hold what it lacks.

use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};

use super::super::numbering::Origin;

/// Sections of a bucket, as a power of two: few enough for a bucket to be sorted in the cache.
const BUCKET_BITS: u32 = 6;

/// Entries of a chunk, in all but small tables.
const MAX_CHUNK_LEN: u64 = 256;

/// The item in the lowest bits, then whether the position is won, then the section within its bucket.
type Entry = u32;

type Chunk = Vec<Entry>;

const WON: Entry = 1 << 16;

/// Two lists with their pool: what was solved at even and at odd distances.
pub(super) struct Lists {
    pool: Pool,
    of: [List; 2],
    n_sections: u64,
}

/// Memory for chunks.
struct Pool {
    chunk_len: usize,
    max_chunks: usize,
    n_used: AtomicUsize,
    free: Mutex<Vec<Chunk>>,
}

struct List {
    buckets: Vec<Mutex<Vec<Chunk>>>,
    /// Whether nothing was dropped.
    is_complete: AtomicBool,
}

/// Appends to a list; each thread has its own.
pub(super) struct Writer<'a> {
    pool: &'a Pool,
    list: &'a List,
    /// The last chunk of each bucket.
    heads: Vec<Chunk>,
}

/// The entries of a bucket by their sections.
pub(super) struct Sorted {
    /// Where the items of a section and kind end; they begin where those before end.
    ends: Vec<usize>,
    items: Vec<u16>,
}

/// The memory of all chunks, in bytes.
pub(in crate::tablebase) const fn n_list_bytes(n_numbers: u64) -> u64 {
    n_numbers / 8
}

impl Lists {
    /// Empty lists for so many sections of this size.
    pub(super) fn new(n_sections: u64, size: u64, n_threads: usize) -> Lists {
        let n_numbers = n_sections * size;
        let chunk_len = (n_numbers >> 22).clamp(4, MAX_CHUNK_LEN);
        let n_buckets = n_sections.div_ceil(1 << BUCKET_BITS);
        let n_chunks = n_list_bytes(n_numbers) / (chunk_len * size_of::<Entry>() as u64);
        // Half of the pool must hold what all threads can find in one section each.
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

    /// Whether half of the memory is in use.
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

    /// Whether the list of a distance has all that was found.
    pub(super) fn is_complete(&self, plies: u32) -> bool {
        self.list(plies).is_complete.load(Relaxed)
    }

    /// A writer to the list of a distance, which has what was written when the writer is dropped.
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

    /// Takes the entries out of a bucket.
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
    pub(super) fn push(&mut self, origin: Origin, is_won: bool) {
        let bucket = (origin.section >> BUCKET_BITS) as usize;
        let head = &mut self.heads[bucket];
        if head.len() == head.capacity() && !renew(self.pool, self.list, bucket, head) {
            return;
        }
        let place = origin.section & ((1 << BUCKET_BITS) - 1);
        head.push(place << 17 | u32::from(is_won) << 16 | u32::from(origin.item));
    }
}

/// Replaces a full chunk by an empty one, and one of no size, too; `false` if there is none.
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

    /// The items of a section of the bucket that are won, or those that are lost.
    pub(super) fn items(&self, section: u64, is_won: bool) -> &[u16] {
        let place = section as usize % (1 << BUCKET_BITS);
        let kind = 2 * place + usize::from(is_won);
        let start = kind.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.items[start..self.ends[kind]]
    }

    /// A counting sort.
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
