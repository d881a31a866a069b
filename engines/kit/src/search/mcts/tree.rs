//! The tree: a root, and blocks of nodes that are the children of one node each.
//!
//! Memory is taken in chunks when it is needed. Within a chunk, blocks stand one behind the other; none stands in two.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use crossbeam_utils::CachePadded;

use super::super::table::can_allocate;
use super::node::{Memory, Node, Nodes};

/// Nodes of a chunk; no node has more children.
const CHUNK: usize = 1 << 16;
/// Half of the memory in use, in thousandths, is when a tree whose root moves on is packed.
const HALF: u32 = 500;

/// The slot of the root.
const ROOT: usize = 0;

/// All nodes.
#[derive(Debug)]
pub(super) struct Tree {
    chunks: Vec<OnceLock<Memory>>,
    /// How many nodes there is room for.
    n_slots: usize,
    /// The slot behind the last block; far from what the threads read, for they all write it.
    next: CachePadded<AtomicUsize>,
}

impl Tree {
    /// A bare root, and room for so many MiB of nodes; less where the machine does not give as much.
    pub(super) fn new(mib: usize) -> Tree {
        let mut n_slots = ((mib.max(1) << 20) / Memory::BYTES_A_NODE).min(u32::MAX as usize - 1);
        while !can_allocate::<[u8; Memory::BYTES_A_NODE]>(n_slots) {
            n_slots /= 2;
        }
        let n_chunks = n_slots.div_ceil(CHUNK);
        Tree {
            chunks: (0..n_chunks).map(|_| OnceLock::new()).collect(),
            n_slots,
            next: CachePadded::new(AtomicUsize::new(ROOT + 1)),
        }
    }

    /// Leaves a bare root.
    pub(super) fn clear(&mut self) {
        self.root().reset(0);
        *self.next.get_mut() = ROOT + 1;
    }

    pub(super) fn root(&self) -> Node<'_> {
        self.slots(ROOT, 1).get(0)
    }

    /// The children of a node; none while it has not been given any.
    #[inline]
    pub(super) fn children(&self, node: Node<'_>) -> Nodes<'_> {
        node.block()
            .map_or(Nodes::NONE, |(slot, n)| self.slots(slot, n))
    }

    /// The share of the memory in use, in thousandths.
    pub(super) fn fullness(&self) -> u32 {
        (self.next.load(Relaxed) * 1000 / self.n_slots) as u32
    }

    /// Gives a node without children one for each of these move indices, as far as there is room and no other thread
    /// is doing it; whether it was done.
    pub(super) fn grow(
        &self,
        node: Node<'_>,
        indices: impl ExactSizeIterator<Item = usize>,
    ) -> bool {
        if !node.claim() {
            return false;
        }
        let n = indices.len();
        let end = |next| Some(place(next, n) + n).filter(|&end| end <= self.n_slots);
        let Ok(next) = self.next.fetch_update(Relaxed, Relaxed, end) else {
            node.give_up();
            return false;
        };
        let slot = place(next, n);
        for (child, index) in self.slots(slot, n).iter().zip(indices) {
            child.reset(index);
        }
        node.adopt(slot, n);
        true
    }

    /// Makes the node that these moves lead to the root, and keeps what is below it; a bare root where there is none.
    pub(super) fn follow(&mut self, indices: impl IntoIterator<Item = usize>) {
        let found = indices.into_iter().try_fold(self.root(), |node, index| {
            let mut children = self.children(node).iter();
            children.find(|child| child.index() == index)
        });
        let Some(found) = found else {
            return self.clear();
        };
        self.root().assign(found);
        if self.fullness() > HALF {
            self.pack();
        }
    }

    /// Moves all that hangs on the root to the beginning of the memory.
    fn pack(&mut self) {
        let blocks = self.blocks();
        let mut next = ROOT + 1;
        let mut move_up = |&(_, n): &(usize, usize)| {
            let slot = place(next, n);
            next = slot + n;
            slot
        };
        let moved: Vec<usize> = blocks.iter().map(&mut move_up).collect();
        let relocate = |node: Node<'_>| {
            if let Some((slot, n)) = node.block() {
                let at = blocks.binary_search_by_key(&slot, |block| block.0);
                node.adopt(moved[at.expect("a block of the tree")], n);
            }
        };
        relocate(self.root());
        // No block moves up, and they keep their order: what is overwritten has been moved before.
        for (&(from, n), &to) in blocks.iter().zip(&moved) {
            for (old, new) in self.slots(from, n).iter().zip(self.slots(to, n).iter()) {
                relocate(old);
                new.assign(old);
            }
        }
        *self.next.get_mut() = next;
    }

    /// The blocks below the root by their first slots, in order.
    fn blocks(&self) -> Vec<(usize, usize)> {
        let mut blocks: Vec<(usize, usize)> = self.root().block().into_iter().collect();
        let mut i = 0;
        while let Some(&(slot, n)) = blocks.get(i) {
            let below = self.slots(slot, n).iter().filter_map(Node::block);
            blocks.extend(below);
            i += 1;
        }
        blocks.sort_unstable();
        blocks
    }

    #[inline]
    fn slots(&self, slot: usize, n: usize) -> Nodes<'_> {
        let n_slots = (self.n_slots - slot / CHUNK * CHUNK).min(CHUNK);
        let chunk = self.chunks[slot / CHUNK].get_or_init(|| Memory::new(n_slots));
        let first = slot % CHUNK;
        chunk.nodes(first..first + n)
    }
}

/// Where a block of so many nodes goes, if the last one ends before `next`.
fn place(next: usize, n: usize) -> usize {
    if next % CHUNK + n <= CHUNK {
        next
    } else {
        next.next_multiple_of(CHUNK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A tree that has been given children at random nodes until it was full to so many thousandths.
    fn grown(fullness: u32) -> Tree {
        let tree = Tree::new(8);
        let mut rng = fastrand::Rng::with_seed(1);
        while tree.fullness() < fullness {
            let mut node = tree.root();
            while let Some(child) = rng.choice(tree.children(node).iter()) {
                node = child;
            }
            node.visit();
            tree.grow(node, 0..rng.usize(1..300));
        }
        tree
    }

    /// All that a node and those below it hold.
    fn dump(tree: &Tree, node: Node<'_>) -> Vec<(usize, u32)> {
        let below = tree.children(node).iter();
        let below = below.flat_map(|child| dump(tree, child));
        [(node.index(), node.own().visits)]
            .into_iter()
            .chain(below)
            .collect()
    }

    #[test]
    fn a_tree_keeps_what_is_below_the_new_root() {
        for fullness in [400, 900] {
            let mut tree = grown(fullness);
            let child = tree.children(tree.root()).get(0);
            let expected = dump(&tree, child);
            assert!(expected.len() > 1);
            let before = tree.fullness();
            tree.follow([0]);
            assert_eq!(dump(&tree, tree.root()), expected);
            assert_eq!(tree.fullness() < before, before > HALF);
        }
    }

    #[test]
    fn a_full_tree_does_not_grow() {
        let tree = grown(990);
        let memory = Memory::new(1);
        let leaf = memory.nodes(0..1).get(0);
        for _ in 0..100 {
            tree.grow(leaf, 0..65_000);
        }
        assert!(tree.children(leaf).is_empty() && tree.fullness() <= 1000);
    }

    #[test]
    fn an_unknown_move_leaves_a_bare_root() {
        let mut tree = grown(100);
        tree.follow([9_999]);
        assert!(tree.children(tree.root()).is_empty());
        assert_eq!(tree.fullness(), 0);
    }
}
