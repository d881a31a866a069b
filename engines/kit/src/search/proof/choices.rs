//! A cache of the moves to search in a position, because [`ForcedResults::forced`](crate::ForcedResults::forced) is slow.

use std::rc::Rc;

/// The moves to search in a position.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Choice<M> {
    pub(super) moves: Vec<M>,
    /// Plies within which every other move loses; 0 if there is no other move.
    pub(super) others_lose_within: u32,
}

/// A direct-mapped cache: each position has one slot, and a new entry replaces the old one.
pub(super) struct ChoiceCache<M> {
    slots: Vec<Option<(u64, Rc<Choice<M>>)>>,
}

const N_SLOTS: usize = 1 << 15;

impl<M> ChoiceCache<M> {
    pub(super) fn new() -> ChoiceCache<M> {
        ChoiceCache { slots: Vec::new() }
    }

    pub(super) fn get(&self, key: u64) -> Option<Rc<Choice<M>>> {
        let slot = self.slots.get(slot(key))?.as_ref();
        slot.filter(|slot| slot.0 == key).map(|slot| slot.1.clone())
    }

    pub(super) fn put(&mut self, key: u64, choice: Rc<Choice<M>>) {
        if self.slots.is_empty() {
            self.slots.resize_with(N_SLOTS, || None);
        }
        self.slots[slot(key)] = Some((key, choice));
    }
}

fn slot(key: u64) -> usize {
    key as usize % N_SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_position_of_a_slot_stays() {
        let mut cache = ChoiceCache::new();
        assert_eq!(cache.get(7), None);
        let choice = |mv| {
            Rc::new(Choice {
                moves: vec![mv],
                others_lose_within: 3,
            })
        };
        let same_slot = 7 + N_SLOTS as u64;
        for (key, mv) in [(7, 'a'), (8, 'b'), (same_slot, 'c')] {
            cache.put(key, choice(mv));
            assert_eq!(cache.get(key), Some(choice(mv)));
        }
        assert_eq!(cache.get(7), None);
        assert_eq!(cache.get(8), Some(choice('b')));
    }
}
