//! The table of a proof search: proof numbers of the visited positions, with the work spent on each.

use crate::search::resources::can_spare;

/// Proof numbers from the point of view of the side to move: the estimated effort to reach its goal (`phi`) and to
/// reach the opponent's (`delta`). 0 means reached, [`IMPOSSIBLE`] impossible. The attacker's goal is to win within the
/// limit; the defender's is to prevent that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProofNumbers {
    pub(super) phi: u32,
    pub(super) delta: u32,
}

const IMPOSSIBLE: u32 = u32::MAX;
/// Maximum of a sum of efforts.
pub(super) const MAX_SUM: u32 = IMPOSSIBLE / 4;

impl ProofNumbers {
    /// The side to move reaches its goal.
    pub(super) const WON: ProofNumbers = ProofNumbers {
        phi: 0,
        delta: IMPOSSIBLE,
    };
    /// The opponent reaches its goal.
    pub(super) const FAILED: ProofNumbers = ProofNumbers {
        phi: IMPOSSIBLE,
        delta: 0,
    };
    pub(super) const UNKNOWN: ProofNumbers = ProofNumbers { phi: 1, delta: 1 };
    /// As a limit: search until proved or refuted.
    pub(super) const UNLIMITED: ProofNumbers = ProofNumbers {
        phi: IMPOSSIBLE,
        delta: IMPOSSIBLE,
    };

    pub(super) fn is_settled(self) -> bool {
        self.phi == 0 || self.delta == 0
    }

    pub(super) fn reaches(self, limit: ProofNumbers) -> bool {
        self.phi >= limit.phi || self.delta >= limit.delta
    }
}

/// The result for a position so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ProofEntry {
    pub(super) numbers: ProofNumbers,
    /// Plies to the end if the numbers are final, otherwise 0.
    pub(super) plies: u32,
    /// Positions visited below this one.
    pub(super) work: u64,
}

/// Key; phi and delta; work and plies. In a used slot, phi or delta is above 0. An empty slot is all zeros, so the
/// system allocates its memory on first use.
type ProofSlot = [u64; 3];

/// A bucketed hash table of fixed size. A new entry replaces the entry of its bucket with the least work.
#[derive(Debug)]
pub struct ProofTable {
    slots: Vec<ProofSlot>,
}

/// Slots in a bucket.
const WAYS: usize = 4;
const PLIES_BITS: u32 = 16;
const MAX_WORK: u64 = u64::MAX >> PLIES_BITS;

impl ProofTable {
    /// Creates a table of `mib` MiB, at least 1; `None` if the system does not give the memory.
    pub fn new(mib: usize) -> Option<ProofTable> {
        let bytes = mib.max(1).saturating_mul(1 << 20);
        let n_slots = (bytes / size_of::<ProofSlot>()).next_multiple_of(WAYS);
        can_spare::<ProofSlot>(n_slots).then(|| ProofTable {
            slots: vec![[0; 3]; n_slots],
        })
    }

    pub(super) fn get(&self, key: u64) -> Option<ProofEntry> {
        let first = self.bucket(key);
        let bucket = &self.slots[first..first + WAYS];
        let slot = bucket.iter().find(|slot| holds(slot, key));
        slot.map(unpack)
    }

    pub(super) fn put(&mut self, key: u64, entry: ProofEntry) {
        let first = self.bucket(key);
        let bucket = &mut self.slots[first..first + WAYS];
        let i = (0..WAYS)
            .find(|&i| holds(&bucket[i], key))
            .or_else(|| (0..WAYS).min_by_key(|&i| bucket[i][2] >> PLIES_BITS))
            .expect("a bucket has slots");
        bucket[i] = pack(key, entry);
    }

    fn bucket(&self, key: u64) -> usize {
        let n_buckets = self.slots.len() / WAYS;
        ((u128::from(key) * n_buckets as u128) >> 64) as usize * WAYS
    }
}

fn holds(slot: &ProofSlot, key: u64) -> bool {
    slot[0] == key && slot[1] != 0
}

fn pack(key: u64, entry: ProofEntry) -> ProofSlot {
    let ProofEntry {
        numbers,
        plies,
        work,
    } = entry;
    [
        key,
        u64::from(numbers.phi) << 32 | u64::from(numbers.delta),
        // A used entry has some work, so an empty slot is replaced first.
        work.clamp(1, MAX_WORK) << PLIES_BITS | u64::from(plies),
    ]
}

fn unpack(slot: &ProofSlot) -> ProofEntry {
    ProofEntry {
        numbers: ProofNumbers {
            phi: (slot[1] >> 32) as u32,
            delta: slot[1] as u32,
        },
        plies: slot[2] as u32 & ((1 << PLIES_BITS) - 1),
        work: slot[2] >> PLIES_BITS,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(work: u64) -> ProofEntry {
        ProofEntry {
            numbers: ProofNumbers {
                phi: 3,
                delta: 70_000,
            },
            plies: 0,
            work,
        }
    }

    #[test]
    fn entries_read_back() {
        let mut table = ProofTable::new(1).expect("memory");
        for (key, numbers) in [(0, ProofNumbers::WON), (9, ProofNumbers::FAILED)] {
            assert_eq!(table.get(key), None);
            let entry = ProofEntry {
                numbers,
                plies: 256,
                work: MAX_WORK,
            };
            table.put(key, entry);
            assert_eq!(table.get(key), Some(entry));
        }
    }

    #[test]
    fn a_table_that_is_too_large_for_the_system_is_not_created() {
        assert!(ProofTable::new(1 << 36).is_none());
    }

    #[test]
    fn a_full_bucket_gives_up_the_entry_of_the_least_work() {
        let mut table = ProofTable::new(1).expect("memory");
        let costs = [5_000, 20, 1_000_000, 300];
        for (key, work) in (0..).zip(costs) {
            table.put(key, entry(work));
        }
        table.put(100, entry(10));
        assert_eq!(table.get(1), None);
        table.put(101, entry(11));
        assert_eq!(table.get(100), None);
        for (key, work) in [(0, 5_000), (2, 1_000_000), (3, 300), (101, 11)] {
            assert_eq!(table.get(key), Some(entry(work)), "key {key}");
        }
    }

    #[test]
    fn a_settled_entry_keeps_its_place_by_its_work() {
        let mut table = ProofTable::new(1).expect("memory");
        let proof = ProofEntry {
            numbers: ProofNumbers::WON,
            plies: 9,
            work: 1_000_000,
        };
        table.put(0, proof);
        (1..100).for_each(|key| table.put(key, entry(key)));
        assert_eq!(table.get(0), Some(proof));
    }
}
