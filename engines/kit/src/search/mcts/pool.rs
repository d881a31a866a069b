//! Storage of the tree's nodes: the root, and blocks of siblings.
//!
//! Memory is allocated in chunks, on demand. Blocks are contiguous, and no block crosses a chunk boundary. When all
//! memory is in use, [`prune`](NodePool::prune) removes the children of nodes with few visits and compacts the rest.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Duration;

use crossbeam_utils::CachePadded;

use super::super::resources::{can_allocate, can_spare};
use super::node::{Node, NodeArrays, Nodes};

/// Nodes in a chunk. No node has more children.
const CHUNK: usize = 1 << 16;
/// Maximum share of the memory in use after pruning, in thousandths.
const HALF: u32 = 500;
/// Upper bound of the time to prune the tree, per node.
const PRUNING_TIME_PER_NODE: Duration = Duration::from_nanos(50);
/// The slot of the root.
const ROOT: usize = 0;
/// Initial value of [`NodePool::threshold`].
const INITIAL_THRESHOLD: u32 = 4;
/// Root visits at which all counts are halved. Points are at most twice the visits, so all counts fit an `i32`.
const MAX_VISITS: u32 = 1 << 29;

/// The memory of all nodes.
#[derive(Debug)]
pub(super) struct NodePool {
    chunks: Vec<OnceLock<NodeArrays>>,
    /// Number of nodes that fit; reduced if the system has less memory when a chunk is needed.
    capacity: AtomicUsize,
    /// A node with more visits than this gets children. Pruning doubles it until enough memory is free.
    threshold: u32,
    /// Set if a node could not be expanded for lack of memory.
    is_full: AtomicBool,
    /// The slot after the last block. It has a separate cache line because all threads write it and only read the other
    /// fields.
    next: CachePadded<AtomicUsize>,
}

/// First slot and length of a block.
type NodeBlock = (usize, usize);

impl NodePool {
    /// Creates a tree that consists of the root, with up to `mib` MiB of memory, and at least one chunk, which holds the
    /// moves of any position; `None` if the system does not give the memory.
    pub(super) fn new(mib: usize) -> Option<NodePool> {
        let bytes = mib.max(1).saturating_mul(1 << 20);
        let capacity = (bytes / NodeArrays::BYTES_PER_NODE).clamp(CHUNK, u32::MAX as usize - 1);
        if !can_allocate::<[u8; NodeArrays::BYTES_PER_NODE]>(capacity) {
            return None;
        }
        let n_chunks = capacity.div_ceil(CHUNK);
        let pool = NodePool {
            chunks: (0..n_chunks).map(|_| OnceLock::new()).collect(),
            capacity: AtomicUsize::new(capacity),
            threshold: INITIAL_THRESHOLD,
            is_full: AtomicBool::new(false),
            next: CachePadded::new(AtomicUsize::new(ROOT + 1)),
        };
        pool.reserve(ROOT).then_some(pool)
    }

    /// Removes all nodes except the root, and resets the root.
    pub(super) fn clear(&mut self) {
        self.root().reset(0);
        *self.next.get_mut() = ROOT + 1;
        *self.is_full.get_mut() = false;
        self.threshold = INITIAL_THRESHOLD;
    }

    pub(super) fn root(&self) -> Node<'_> {
        self.slots((ROOT, 1)).get(0)
    }

    /// The children of a node; empty if it has not been expanded.
    #[inline]
    pub(super) fn children(&self, node: Node<'_>) -> Nodes<'_> {
        node.block().map_or(Nodes::NONE, |block| self.slots(block))
    }

    /// Share of the memory in use, in thousandths.
    pub(super) fn fullness(&self) -> u32 {
        (self.next.load(Relaxed) * 1000 / self.capacity.load(Relaxed)) as u32
    }

    /// `true` if a node has enough visits to be expanded.
    #[inline]
    pub(super) fn is_worth_expanding(&self, visits: u32) -> bool {
        visits > self.threshold
    }

    /// `true` if a node could not be expanded for lack of memory since the last pruning.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.is_full.load(Relaxed)
    }

    /// `true` if the counts must be halved.
    #[inline]
    pub(super) fn has_large_counts(&self) -> bool {
        self.root().own().visits > MAX_VISITS
    }

    /// Upper bound of the time that [`prune`](NodePool::prune) takes.
    pub(super) fn pruning_time(&self) -> Duration {
        PRUNING_TIME_PER_NODE * self.next.load(Relaxed) as u32
    }

    /// Expands a node with a child for each of these move indices. Returns `false` if there is no memory or another
    /// thread is expanding the node.
    pub(super) fn expand(
        &self,
        node: Node<'_>,
        indices: impl ExactSizeIterator<Item = usize>,
    ) -> bool {
        if !node.claim() {
            return false;
        }
        let n = indices.len();
        let Some(slot) = self.allocate(n) else {
            node.drop_children();
            self.is_full.store(true, Relaxed);
            return false;
        };
        for (child, index) in self.slots((slot, n)).iter().zip(indices) {
            child.reset(index);
        }
        node.adopt(slot, n);
        true
    }

    /// Allocates a block of `n` slots.
    fn allocate(&self, n: usize) -> Option<usize> {
        let capacity = self.capacity.load(Relaxed);
        let end = |next| Some(place(next, n) + n).filter(|&end| end <= capacity);
        let taken = self.next.fetch_update(Relaxed, Relaxed, end).ok();
        let slot = taken.map(|next| place(next, n));
        slot.filter(|&slot| self.reserve(slot))
    }

    /// Allocates the chunk of a slot. If the system does not give the memory, the pool's capacity ends there and the
    /// result is `false`.
    fn reserve(&self, slot: usize) -> bool {
        let chunk = &self.chunks[slot / CHUNK];
        if chunk.get().is_some() {
            return true;
        }
        let first = slot / CHUNK * CHUNK;
        let n = (self.capacity.load(Relaxed) - first).min(CHUNK);
        let has_memory = can_spare::<[u8; NodeArrays::BYTES_PER_NODE]>(n);
        match has_memory.then(|| NodeArrays::new(n)).flatten() {
            // Another thread may have stored its chunk first.
            Some(arrays) => chunk.set(arrays).is_ok() || chunk.get().is_some(),
            None => {
                self.capacity.fetch_min(first.max(CHUNK), Relaxed);
                false
            }
        }
    }

    /// Makes the node that these moves lead to the root and keeps the tree below it. If the tree does not contain that
    /// node, the tree is cleared.
    pub(super) fn follow(&mut self, indices: impl IntoIterator<Item = usize>) {
        let found = indices.into_iter().try_fold(self.root(), |node, index| {
            let mut children = self.children(node).iter();
            children.find(|child| child.move_index() == index)
        });
        let Some(found) = found else {
            return self.clear();
        };
        self.root().assign(found);
        if self.fullness() > HALF {
            self.prune();
        }
        if self.fullness() <= HALF {
            self.threshold = INITIAL_THRESHOLD;
        }
    }

    /// Frees memory: first all nodes no longer reachable from the root; then, until half of the memory is free, the
    /// children of nodes with few visits.
    pub(super) fn prune(&mut self) {
        let half = *self.capacity.get_mut() * HALF as usize / 1000;
        let mut blocks = self.blocks(0);
        while packed_end(&blocks) > half && self.threshold < MAX_VISITS {
            self.threshold *= 2;
            blocks = self.blocks(self.threshold);
        }
        self.pack(&blocks);
        *self.is_full.get_mut() = false;
    }

    /// Moves these blocks, in the order of their slots, to the beginning of the memory. Nodes whose block is not among
    /// them lose their children.
    fn pack(&mut self, blocks: &[NodeBlock]) {
        let mut next = ROOT + 1;
        let mut move_up = |&(_, n): &NodeBlock| {
            let slot = place(next, n);
            next = slot + n;
            slot
        };
        let moved: Vec<usize> = blocks.iter().map(&mut move_up).collect();
        let relocate = |node: Node<'_>| {
            let Some((slot, n)) = node.block() else {
                return;
            };
            match blocks.binary_search_by_key(&slot, |block| block.0) {
                Ok(i) => node.adopt(moved[i], n),
                Err(_) => node.drop_children(),
            }
        };
        relocate(self.root());
        // No block moves to a higher slot and their order is kept, so a slot is overwritten only after its block was
        // moved.
        for (&block, &to) in blocks.iter().zip(&moved) {
            let target = self.slots((to, block.1));
            for (old, new) in self.slots(block).iter().zip(target.iter()) {
                relocate(old);
                new.assign(old);
            }
        }
        *self.next.get_mut() = next;
    }

    /// The root's block and the blocks reachable from it through nodes with more than `min_visits` visits, in the order
    /// of their slots.
    fn blocks(&self, min_visits: u32) -> Vec<NodeBlock> {
        let mut blocks: Vec<NodeBlock> = self.root().block().into_iter().collect();
        let mut i = 0;
        while let Some(&block) = blocks.get(i) {
            let is_kept = |node: &Node<'_>| node.own().visits > min_visits;
            let nodes = self.slots(block).iter().filter(is_kept);
            blocks.extend(nodes.filter_map(Node::block));
            i += 1;
        }
        blocks.sort_unstable();
        blocks
    }

    /// Halves all counts to prevent overflow. Shares and the order of moves are kept.
    pub(super) fn halve_counts(&mut self) {
        self.root().halve();
        for block in self.blocks(0) {
            self.slots(block).iter().for_each(Node::halve);
        }
    }

    #[inline]
    fn slots(&self, (slot, n): NodeBlock) -> Nodes<'_> {
        let chunk = self.chunks[slot / CHUNK].get();
        let first = slot % CHUNK;
        let chunk = chunk.expect("a slot was reserved before it is used");
        chunk.nodes(first..first + n)
    }
}

/// First slot of a block of `n` nodes if the previous block ends before `next`.
fn place(next: usize, n: usize) -> usize {
    if next % CHUNK + n <= CHUNK {
        next
    } else {
        next.next_multiple_of(CHUNK)
    }
}

/// The slot after the last of these blocks if they are compacted.
fn packed_end(blocks: &[NodeBlock]) -> usize {
    let end = |next, &(_, n): &NodeBlock| place(next, n) + n;
    blocks.iter().fold(ROOT + 1, end)
}

#[cfg(test)]
mod tests {
    use super::super::node::Tally;
    use super::*;

    /// A tree expanded at random, at some nodes much more often than at others, until it is `fullness` thousandths
    /// full.
    fn grown(fullness: u32) -> NodePool {
        let pool = NodePool::new(8).expect("memory");
        let mut rng = fastrand::Rng::with_seed(1);
        while pool.fullness() < fullness && !pool.is_full() {
            let mut node = pool.root();
            node.visit(1);
            while !pool.children(node).is_empty() {
                let children = pool.children(node);
                node = children.get((children.len() as f64 * rng.f64().powi(5)) as usize);
                node.visit(1);
            }
            pool.expand(node, 0..rng.usize(1..300));
        }
        pool
    }

    /// Moves and visits of a node and all nodes below it. The children of nodes with at most `min_visits` visits are
    /// left out, except the root's.
    fn dump(pool: &NodePool, node: Node<'_>, min_visits: u32) -> Vec<(usize, u32)> {
        let is_kept = node.own().visits > min_visits || node.is(pool.root());
        let children = pool.children(node).iter().filter(|_| is_kept);
        let below = children.flat_map(|child| dump(pool, child, min_visits));
        [(node.move_index(), node.own().visits)]
            .into_iter()
            .chain(below)
            .collect()
    }

    #[test]
    fn a_tree_keeps_what_is_below_the_new_root() {
        for fullness in [400, 900] {
            let mut pool = grown(fullness);
            let child = pool.children(pool.root()).get(0);
            let expected = dump(&pool, child, 0);
            assert!(expected.len() > 1);
            let before = pool.fullness();
            pool.follow([0]);
            assert_eq!(dump(&pool, pool.root(), 0), expected);
            assert_eq!(pool.fullness() < before, before > HALF);
        }
    }

    #[test]
    fn pruning_frees_half_and_keeps_what_was_visited_most() {
        let (mut pool, unpruned) = (grown(1000), grown(1000));
        assert!(pool.is_full());
        pool.prune();
        assert!(!pool.is_full() && pool.fullness() <= HALF);
        let kept = dump(&pool, pool.root(), 0);
        assert!(kept.len() > 1_000, "{}", kept.len());
        assert!(pool.threshold > INITIAL_THRESHOLD);
        assert_eq!(kept, dump(&unpruned, unpruned.root(), pool.threshold));
        let leaf = pool.children(pool.root()).iter();
        let leaf = leaf.last().expect("a move");
        leaf.drop_children();
        assert!(pool.expand(leaf, 0..10), "there is room again");
        assert_eq!(pool.children(leaf).len(), 10);
    }

    #[test]
    fn pruning_again_and_again_ends_with_the_root_alone() {
        let mut pool = grown(900);
        let n_moves = pool.children(pool.root()).len();
        for _ in 0..40 {
            pool.threshold = pool.threshold.saturating_mul(2).min(MAX_VISITS);
            let blocks = pool.blocks(pool.threshold);
            pool.pack(&blocks);
        }
        assert_eq!(pool.children(pool.root()).len(), n_moves);
        assert_eq!(*pool.next.get_mut(), ROOT + 1 + n_moves);
    }

    #[test]
    fn a_full_tree_does_not_grow() {
        let pool = grown(990);
        let arrays = NodeArrays::new(1).expect("memory");
        let leaf = arrays.nodes(0..1).get(0);
        for _ in 0..100 {
            pool.expand(leaf, 0..65_000);
        }
        assert!(pool.children(leaf).is_empty() && pool.fullness() <= 1000);
        assert!(pool.is_full());
    }

    #[test]
    fn an_unknown_move_leaves_a_bare_root() {
        let mut pool = grown(100);
        pool.follow([9_999]);
        assert!(pool.children(pool.root()).is_empty());
        assert_eq!(pool.fullness(), 0);
    }

    #[test]
    fn halved_counts_keep_shares_and_order() {
        let mut pool = grown(300);
        let children = pool.children(pool.root());
        pool.root().add(Tally {
            visits: MAX_VISITS,
            points: 2 * MAX_VISITS,
        });
        for (i, child) in (1..).zip(children.iter()) {
            child.add(Tally {
                visits: MAX_VISITS / i,
                points: MAX_VISITS / i,
            });
        }
        let tallies = |pool: &NodePool| {
            let children = pool.children(pool.root()).iter();
            children.map(Node::own).collect::<Vec<_>>()
        };
        let before = tallies(&pool);
        assert!(pool.has_large_counts());
        pool.halve_counts();
        assert!(!pool.has_large_counts());
        for (before, after) in before.into_iter().zip(tallies(&pool)) {
            assert_eq!(after.visits, before.visits / 2);
            assert!((after.share() - before.share()).abs() < 1e-3);
        }
    }

    #[test]
    fn a_pool_that_is_too_large_for_the_system_is_not_created() {
        assert!(NodePool::new(1 << 36).is_none());
    }
}
