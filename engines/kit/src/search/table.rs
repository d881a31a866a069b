//! The transposition table: results of earlier visits to a position.
//!
//! All search threads share it without locks (Hyatt and Mann's lockless hashing). A slot has two words, the data and
//! the key combined with the data by exclusive or. If two threads write a slot at once, the words do not match the key,
//! and the slot reads as empty.

use std::sync::atomic::{AtomicU8, AtomicU64, Ordering::Relaxed};

use protocol::Bound;

use super::resources::can_spare;
use super::score::{SearchScore, mate_distance};

/// The result of one visit to a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TtEntry {
    /// Move index of the best move; `None` if all moves failed low.
    pub best: Option<u16>,
    /// The score. Wins and losses count plies from this position.
    pub score: SearchScore,
    /// Plies searched below the position.
    pub depth: u8,
    /// `None` if the score is exact.
    pub bound: Option<Bound>,
}

impl TtEntry {
    /// `true` if the score is proven: a lower bound that is a win, an upper bound that is a loss, or an exact end.
    fn is_proof(self) -> bool {
        mate_distance(self.score).is_some_and(|plies| match self.bound {
            None => true,
            Some(Bound::Lower) => plies > 0,
            Some(Bound::Upper) => plies <= 0,
        })
    }

    /// `true` if the result holds for a search of this depth.
    pub(super) fn is_deep_enough(self, depth: i32) -> bool {
        i32::from(self.depth) >= depth || self.is_proof()
    }

    /// `true` if the entry may replace an earlier one of the same position. A proof may replace any entry, and is
    /// replaced only by a proof. Within one search, other entries must be exact or at least as deep.
    fn may_replace(self, earlier: TtEntry, is_same_search: bool) -> bool {
        let is_as_good = self.bound.is_none() || self.depth >= earlier.depth;
        self.is_proof() || !earlier.is_proof() && (is_as_good || !is_same_search)
    }
}

/// Slots in a bucket, which is one cache line. A key may be in any of them.
const WAYS: usize = 4;
/// Modulus of the generation counter.
const GENERATIONS: u8 = 64;
const NO_MOVE: u16 = u16::MAX;

/// A transposition table of fixed size. It replaces shallow and old entries first.
#[derive(Debug)]
pub struct TranspositionTable {
    /// `WAYS` slots per bucket.
    slots: Vec<TtSlot>,
    generation: AtomicU8,
}

#[derive(Debug, Default)]
struct TtSlot {
    /// The key combined with `data` by exclusive or.
    check: AtomicU64,
    /// The packed entry; 0 in an empty slot.
    data: AtomicU64,
}

/// Collects in place, without a write: the system supplies the zeros during the search, and a short game touches few.
fn slots_of(words: Vec<[u64; 2]>) -> Vec<TtSlot> {
    let slots = words.into_iter().map(|[check, data]| TtSlot {
        check: AtomicU64::new(check),
        data: AtomicU64::new(data),
    });
    slots.collect()
}

impl TranspositionTable {
    /// Creates an empty table of `mib` MiB, at least 1; `None` if the system does not give the memory for it and for the
    /// search.
    pub fn new(mib: usize) -> Option<TranspositionTable> {
        let n_slots = (mib.max(1) << 20) / size_of::<TtSlot>();
        let slots = can_spare::<TtSlot>(n_slots).then(|| slots_of(vec![[0; 2]; n_slots]))?;
        Some(TranspositionTable {
            slots,
            generation: AtomicU8::new(0),
        })
    }

    /// Begins a new search: all entries become a generation older.
    pub fn age(&mut self) {
        let generation = self.generation.get_mut();
        *generation = (*generation + 1) % GENERATIONS;
    }

    /// Returns the entry of a position, which is then as new as those of this search.
    pub fn probe(&self, key: u64) -> Option<TtEntry> {
        let generation = self.generation.load(Relaxed);
        let mut bucket = self.bucket(key).iter();
        bucket.find_map(|slot| {
            let (entry, written) = slot.read(key)?;
            if written != generation {
                slot.write(key, entry, generation);
            }
            Some(entry)
        })
    }

    /// Stores an entry. It replaces the least valuable entry in the bucket, or the position's earlier entry unless that
    /// one is worth more.
    pub fn store(&self, key: u64, entry: TtEntry) {
        let generation = self.generation.load(Relaxed);
        let bucket = self.bucket(key);
        for slot in bucket {
            if let Some((earlier, written)) = slot.read(key) {
                if entry.may_replace(earlier, written == generation) {
                    slot.write(key, entry, generation);
                }
                return;
            }
        }
        let least = bucket.iter().min_by_key(|slot| slot.value(generation));
        let least = least.expect("a bucket has slots");
        least.write(key, entry, generation);
    }

    /// Slots written by the current search, in thousandths, estimated from the first thousand slots.
    pub fn hashfull(&self) -> u32 {
        let generation = self.generation.load(Relaxed);
        let sample = &self.slots[..self.slots.len().min(1000)];
        let used = sample
            .iter()
            .filter(|slot| slot.generation() == Some(generation))
            .count();
        (used * 1000 / sample.len()) as u32
    }

    fn bucket(&self, key: u64) -> &[TtSlot] {
        let buckets = self.slots.len() / WAYS;
        let index = ((u128::from(key) * buckets as u128) >> 64) as usize;
        &self.slots[index * WAYS..][..WAYS]
    }
}

impl TtSlot {
    fn read(&self, key: u64) -> Option<(TtEntry, u8)> {
        let data = self.data.load(Relaxed);
        (data != 0 && self.check.load(Relaxed) ^ data == key).then(|| unpack(data))
    }

    fn write(&self, key: u64, entry: TtEntry, generation: u8) {
        let data = pack(entry, generation);
        self.check.store(key ^ data, Relaxed);
        self.data.store(data, Relaxed);
    }

    /// Value of keeping the entry: its depth, less four for each search since it was written.
    fn value(&self, generation: u8) -> i32 {
        let data = self.data.load(Relaxed);
        if data == 0 {
            return i32::MIN;
        }
        let (entry, written) = unpack(data);
        let age = (generation + GENERATIONS - written) % GENERATIONS;
        i32::from(entry.depth) - 4 * i32::from(age)
    }

    fn generation(&self) -> Option<u8> {
        let data = self.data.load(Relaxed);
        (data != 0).then(|| unpack(data).1)
    }
}

/// Bits from the lowest: move 16, score 32, depth 8, bound 2 (never 0), generation 6.
fn pack(entry: TtEntry, generation: u8) -> u64 {
    let bound = match entry.bound {
        None => 1,
        Some(Bound::Lower) => 2,
        Some(Bound::Upper) => 3,
    };
    u64::from(entry.best.unwrap_or(NO_MOVE))
        | u64::from(entry.score as u32) << 16
        | u64::from(entry.depth) << 48
        | bound << 56
        | u64::from(generation) << 58
}

fn unpack(data: u64) -> (TtEntry, u8) {
    let best = data as u16;
    let entry = TtEntry {
        best: (best != NO_MOVE).then_some(best),
        score: (data >> 16) as u32 as SearchScore,
        depth: (data >> 48) as u8,
        bound: match data >> 56 & 3 {
            1 => None,
            2 => Some(Bound::Lower),
            _ => Some(Bound::Upper),
        },
    };
    (entry, (data >> 58) as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::score::win_in;

    fn entry(score: SearchScore, depth: u8) -> TtEntry {
        TtEntry {
            best: Some(7),
            score,
            depth,
            bound: Some(Bound::Lower),
        }
    }

    #[test]
    fn entries_pack_without_loss() {
        for bound in [None, Some(Bound::Lower), Some(Bound::Upper)] {
            for (best, score) in [(None, -1_000_000), (Some(0), 0), (Some(65_534), 1_000_000)] {
                let entry = TtEntry {
                    best,
                    score,
                    depth: 255,
                    bound,
                };
                assert_eq!(unpack(pack(entry, 63)), (entry, 63));
            }
        }
    }

    #[test]
    fn a_position_is_found_again_and_no_other() {
        let table = TranspositionTable::new(1).expect("memory");
        table.store(42, entry(10, 3));
        assert_eq!(table.probe(42), Some(entry(10, 3)));
        assert_eq!(table.probe(43), None);
        table.store(42, entry(20, 4));
        assert_eq!(table.probe(42), Some(entry(20, 4)));
    }

    #[test]
    fn a_proof_is_deep_enough_for_any_search() {
        assert!(entry(10, 3).is_deep_enough(3) && !entry(10, 3).is_deep_enough(4));
        for (bound, score, is_proof) in [
            (Some(Bound::Lower), win_in(3), true),
            (Some(Bound::Upper), win_in(3), false),
            (Some(Bound::Lower), -win_in(2), false),
            (Some(Bound::Upper), -win_in(2), true),
            (None, win_in(3), true),
            (None, 500, false),
        ] {
            let entry = TtEntry {
                bound,
                ..entry(score, 1)
            };
            assert_eq!(entry.is_deep_enough(9), is_proof, "{entry:?}");
        }
    }

    #[test]
    fn a_shallow_result_replaces_no_deeper_one_of_the_same_search() {
        let mut table = TranspositionTable::new(1).expect("memory");
        table.store(42, entry(10, 6));
        table.store(42, entry(20, 5));
        assert_eq!(table.probe(42), Some(entry(10, 6)));
        let exact = TtEntry {
            bound: None,
            ..entry(20, 5)
        };
        table.store(42, exact);
        assert_eq!(table.probe(42), Some(exact));
        let win = entry(win_in(3), 1);
        table.store(42, win);
        table.store(42, entry(20, 9));
        assert_eq!(table.probe(42), Some(win), "a proof holds at any depth");
        table.store(43, entry(10, 6));
        table.age();
        table.store(43, entry(20, 5));
        assert_eq!(table.probe(43), Some(entry(20, 5)), "a new search");
    }

    #[test]
    fn a_full_bucket_replaces_its_shallowest_or_oldest_entry() {
        let mut table = TranspositionTable::new(1).expect("memory");
        for key in 0..WAYS as u64 {
            table.store(key, entry(0, 10 + key as u8));
        }
        table.store(100, entry(0, 1));
        assert_eq!(table.probe(0), None, "the shallowest went");
        table.age();
        table.age();
        table.age();
        table.store(101, entry(0, 1));
        assert_eq!(
            table.probe(100),
            None,
            "the old one went before deeper ones"
        );
        assert!(table.probe(3).is_some());
    }

    #[test]
    fn an_entry_that_was_probed_is_not_old() {
        let mut table = TranspositionTable::new(1).expect("memory");
        for key in 0..WAYS as u64 {
            table.store(key, entry(0, 10 + key as u8));
        }
        (0..3).for_each(|_| table.age());
        assert!(table.probe(0).is_some());
        table.store(100, entry(0, 9));
        assert!(table.probe(0).is_some() && table.probe(1).is_none());
    }

    /// In place, the slots of a new table are neither read nor written: the system's zeros stay where they are.
    #[test]
    fn the_slots_of_a_large_table_are_those_that_were_allocated() {
        let zeros = vec![[0_u64; 2]; 1 << 10];
        let at = zeros.as_ptr() as usize;
        let slots = slots_of(zeros);
        assert_eq!(slots.as_ptr() as usize, at);
    }
}
