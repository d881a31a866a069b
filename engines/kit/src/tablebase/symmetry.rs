//! Items, such as sets of squares, that the symmetries of a board map to each other.

/// The classes of items under a group of symmetries, in the order of their first items.
#[derive(Debug)]
pub struct SymmetryClasses {
    /// For each key of an item, `class << 4 | symmetry`, where the symmetry maps the item to the first of its class.
    of: Vec<u32>,
    classes: Vec<SymmetryClass>,
}

/// A class of items.
#[derive(Debug, Clone, Copy)]
pub struct SymmetryClass {
    /// The first item, which represents the class.
    pub first: u32,
    /// The symmetries that keep this item, one bit each; the identity is bit 0.
    pub keeping: u16,
}

/// Marks a key without a class.
const NONE: u32 = u32::MAX;

impl SymmetryClasses {
    /// Creates the classes of these items. `key` numbers the items from 0 to `n_keys`, and `image` maps an item by one of
    /// at most 16 symmetries, of which the identity is the first.
    pub fn new(
        items: impl IntoIterator<Item = u32>,
        (n_keys, key): (usize, impl Fn(u32) -> usize),
        (n_symmetries, image): (usize, impl Fn(u32, usize) -> u32),
    ) -> SymmetryClasses {
        let (mut of, mut classes) = (vec![NONE; n_keys], Vec::new());
        for first in items {
            if of[key(first)] != NONE {
                continue;
            }
            let mut keeping = 0;
            for symmetry in 0..n_symmetries {
                let other = image(first, symmetry);
                keeping |= u16::from(other == first) << symmetry;
                let back = (0..n_symmetries).find(|&back| image(other, back) == first);
                let back = back.expect("symmetries are a group") as u32;
                of[key(other)] = (classes.len() as u32) << 4 | back;
            }
            classes.push(SymmetryClass { first, keeping });
        }
        SymmetryClasses { of, classes }
    }

    /// The class of an item, and the symmetry that maps the item to the first of the class; `None` without a class.
    #[inline]
    pub fn of(&self, key: usize) -> Option<(usize, usize)> {
        let found = self.of[key];
        (found != NONE).then_some(((found >> 4) as usize, (found & 15) as usize))
    }

    /// All classes.
    #[inline]
    pub fn classes(&self) -> &[SymmetryClass] {
        &self.classes
    }

    /// The memory for them.
    pub fn n_bytes(&self) -> usize {
        size_of_val(&self.of[..]) + size_of_val(&self.classes[..])
    }
}
