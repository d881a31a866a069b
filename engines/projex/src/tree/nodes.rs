//! The nodes of the tree, in arrays that all threads share without locks.
//!
//! A node is a move with the position after it, known by its slot in the arrays. Siblings are next to each other. After
//! each game the AMAF tallies of all siblings are written, and a thread stalls on every cache line that another thread
//! has written, so each part of a node has a separate array.
//!
//! A game's visit and its win reach a node's own tally at different times, so both additions are atomic: a lost visit
//! would leave more wins than games. An AMAF tally receives both together, so an addition may be lost: that only ignores
//! a game (Enzenberger and Müller, "A lock-free multithreaded Monte-Carlo tree search algorithm", 2009), and a plain
//! store is cheaper for the many siblings.

use std::ops::Range;
use std::sync::atomic::{
    AtomicU32, AtomicU64, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use crossbeam_utils::CachePadded;
use kit::search::resources::can_spare;
use kit::search::score::{SearchScore, loss_in, mate_distance, win_in};

/// The slot of the root.
pub(super) const ROOT: usize = 0;
/// Games through the root at which a search ends, so that all counts fit an `i32`.
pub(super) const MAX_VISITS: u32 = 1 << 30;
/// A node with more visits than this gets children, as long as half of the memory is free.
const LEAST_VISITS: u32 = 4;
/// Nodes for which there is always memory: more than the moves of any position.
const LEAST_NODES: usize = 1 << 16;
/// Bytes of a node in all arrays.
const BYTES: usize = 3 * size_of::<u64>() + size_of::<u32>();
/// Initial AMAF tally of a new move: one win, so that it is tried before moves known to be no better than even.
const NEW_MOVE: Tally = Tally { visits: 1, wins: 1 };
/// A probability of 1 as an integer.
const WHOLE: f32 = u16::MAX as f32;
/// As the slot of the first child: a thread is adding the children. The root's slot means that there are none.
const EXPANDING: u64 = u32::MAX as u64;

/// The memory of the nodes. When it is full, the tree stops growing.
#[derive(Debug)]
pub(super) struct Nodes {
    /// All games through the node, with the wins of the player who made the move.
    pub(super) own: Vec<AtomicU64>,
    /// All games through the parent in which the same player made this move at any time (AMAF, all moves as first).
    pub(super) amaf: Vec<AtomicU64>,
    /// From the highest bits: slot of the first child 32, number of children 16, move index 16.
    links: Vec<AtomicU64>,
    /// The policy's probability in units of 1/[`WHOLE`] in the upper half. In the lower half the proven result for the
    /// side to move: `n + 1` for a win in `n` plies, `-n - 1` for a loss, 0 for none.
    pub(super) values: Vec<AtomicU32>,
    /// The slot after the last node. It has a separate cache line because all threads write it.
    next: CachePadded<AtomicUsize>,
}

/// Games, and those won by the player who made the move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    pub(super) visits: u32,
    pub(super) wins: u32,
}

impl Nodes {
    /// A tree that consists of the root, with up to `mib` MiB of memory; `None` if the system does not give them.
    pub(super) fn new(mib: usize) -> Option<Nodes> {
        let bytes = mib.max(1).saturating_mul(1 << 20);
        let n = (bytes / BYTES).clamp(LEAST_NODES, u32::MAX as usize - 1);
        // Collected in place, without a write: the system supplies the zeros when a page is first used.
        let words = || vec![0; n].into_iter().map(AtomicU64::new).collect();
        can_spare::<[u8; BYTES]>(n).then(|| Nodes {
            own: words(),
            amaf: words(),
            links: words(),
            values: vec![0; n].into_iter().map(AtomicU32::new).collect(),
            next: CachePadded::new(AtomicUsize::new(ROOT + 1)),
        })
    }

    /// Removes all nodes except the root, and its results.
    pub(super) fn clear(&mut self) {
        self.reset(ROOT, 0);
        *self.next.get_mut() = ROOT + 1;
    }

    /// Share of the memory in use, in thousandths.
    pub(super) fn fullness(&self) -> u32 {
        (self.next.load(Relaxed) * 1000 / self.own.len()) as u32
    }

    /// `true` if a node has enough visits to be expanded. Each time that half of the free memory is used up, twice as
    /// many are needed: what is left goes to the best lines.
    #[inline]
    pub(super) fn is_worth_expanding(&self, visits: u32) -> bool {
        if visits <= LEAST_VISITS {
            return false;
        }
        let n_free = self.own.len() - self.next.load(Relaxed);
        n_free > 0 && visits > LEAST_VISITS << (self.own.len() / n_free).ilog2()
    }

    /// Expands a node with a child for each of these move indices. Does nothing if there is no memory, or another thread
    /// has expanded the node.
    pub(super) fn expand(
        &self,
        node: usize,
        indices: impl ExactSizeIterator<Item = usize>,
    ) -> bool {
        let link = self.links[node].load(Relaxed);
        let claimed = link | EXPANDING << 32;
        let claim = || self.links[node].compare_exchange(link, claimed, Acquire, Relaxed);
        if link >> 32 != ROOT as u64 || claim().is_err() {
            return false;
        }
        let n = indices.len();
        let end = |next: usize| Some(next + n).filter(|&end| end <= self.own.len());
        let Ok(first) = self.next.fetch_update(Relaxed, Relaxed, end) else {
            self.links[node].store(link, Release);
            return false;
        };
        for (child, index) in (first..).zip(indices) {
            self.reset(child, index);
        }
        let children = (first as u64) << 32 | (n as u64) << 16;
        self.links[node].store(children | link, Release);
        true
    }

    /// The children of a node; empty if it has not been expanded.
    #[inline]
    pub(super) fn children(&self, node: usize) -> Range<usize> {
        let link = self.links[node].load(Acquire);
        match link >> 32 {
            0 | EXPANDING => 0..0,
            first => first as usize..first as usize + (link >> 16) as u16 as usize,
        }
    }

    #[inline]
    pub(super) fn move_index(&self, node: usize) -> usize {
        usize::from(self.links[node].load(Relaxed) as u16)
    }

    #[inline]
    pub(super) fn own(&self, node: usize) -> Tally {
        Tally::load(&self.own[node])
    }

    #[inline]
    pub(super) fn amaf(&self, node: usize) -> Tally {
        Tally::load(&self.amaf[node])
    }

    /// Adds games through a node, and returns all of them. Games that begin have no wins until they end: this virtual loss
    /// keeps threads apart.
    #[inline]
    pub(super) fn add(&self, node: usize, games: Tally) -> Tally {
        Tally::of(self.own[node].fetch_add(games.word(), Relaxed)).plus(games)
    }

    /// Adds games to the AMAF tally. If another thread adds at the same time, one of the additions can be lost.
    #[inline]
    pub(super) fn add_amaf(&self, node: usize, games: Tally) {
        let word = self.amaf[node].load(Relaxed);
        self.amaf[node].store(word + games.word(), Relaxed);
    }

    /// The policy's probability of the move, 0 to 1.
    #[inline]
    pub(super) fn prior(&self, node: usize) -> f32 {
        prior(self.values[node].load(Relaxed))
    }

    /// Stores the policy's probability of the move.
    pub(super) fn set_prior(&self, node: usize, share: f32) {
        let proven = self.values[node].load(Relaxed) as u16;
        let prior = (share * WHOLE) as u32;
        self.values[node].store(prior << 16 | u32::from(proven), Relaxed);
    }

    /// The proven score from the side to move after the move; it counts plies from there.
    #[inline]
    pub(super) fn proven(&self, node: usize) -> Option<SearchScore> {
        match self.values[node].load(Relaxed) as i16 {
            0 => None,
            n if n > 0 => Some(win_in(n as usize - 1)),
            n => Some(loss_in(-(n + 1) as usize)),
        }
    }

    /// Stores a proven score. An end beyond [`MAX_PLY`](kit::search::MAX_PLY) has no score and is not stored.
    pub(super) fn set_proven(&self, node: usize, score: SearchScore) {
        if let Some(plies) = mate_distance(score) {
            let proven = plies as i16 + if score > 0 { 1 } else { -1 };
            let prior = self.values[node].load(Relaxed) >> 16;
            self.values[node].store(prior << 16 | u32::from(proven as u16), Relaxed);
        }
    }

    /// Makes the node that these moves lead to the root and keeps the tree below it. If the tree does not contain that
    /// node, the tree is cleared.
    pub(super) fn follow(&mut self, indices: impl IntoIterator<Item = usize>) {
        let found = indices.into_iter().try_fold(ROOT, |node, index| {
            let mut children = self.children(node);
            children.find(|&child| self.move_index(child) == index)
        });
        match found {
            None => self.clear(),
            Some(ROOT) => {}
            Some(found) => {
                self.copy(found, ROOT);
                if self.fullness() > 500 {
                    self.pack();
                }
            }
        }
    }

    /// Moves all children that can be reached from the root to the beginning of the memory.
    fn pack(&mut self) {
        let mut blocks = vec![self.children(ROOT)];
        let mut at = 0;
        while let Some(block) = blocks.get(at).cloned() {
            let below = block.map(|node| self.children(node));
            blocks.extend(below.filter(|block| !block.is_empty()));
            at += 1;
        }
        blocks.sort_unstable_by_key(|block| block.start);
        let mut next = ROOT + 1;
        let moved: Vec<(usize, usize)> = blocks
            .iter()
            .map(|block| {
                let to = next;
                next += block.len();
                (block.start, to)
            })
            .collect();
        let relocate = |node: usize| {
            let children = self.children(node);
            if let Ok(at) = moved.binary_search_by_key(&children.start, |&(from, _)| from) {
                let rest = self.links[node].load(Relaxed) & u64::from(u32::MAX);
                self.links[node].store((moved[at].1 as u64) << 32 | rest, Relaxed);
            }
        };
        if !blocks[0].is_empty() {
            relocate(ROOT);
        }
        // No block moves to a higher slot and their order is kept, so a slot is overwritten only after its node was moved.
        for (block, &(_, to)) in blocks.iter().zip(&moved) {
            for (from, to) in block.clone().zip(to..) {
                if !self.children(from).is_empty() {
                    relocate(from);
                }
                self.copy(from, to);
            }
        }
        *self.next.get_mut() = next;
    }

    /// Resets a node to a move without results.
    fn reset(&self, node: usize, move_index: usize) {
        self.own[node].store(0, Relaxed);
        self.amaf[node].store(NEW_MOVE.word(), Relaxed);
        self.links[node].store(move_index as u64, Relaxed);
        self.values[node].store(0, Relaxed);
    }

    /// Copies a node to another slot. Both then have the same children.
    fn copy(&self, from: usize, to: usize) {
        for words in [&self.own, &self.amaf, &self.links] {
            words[to].store(words[from].load(Relaxed), Relaxed);
        }
        self.values[to].store(self.values[from].load(Relaxed), Relaxed);
    }
}

/// The prior in an entry of [`Nodes::values`].
#[inline]
pub(super) fn prior(value: u32) -> f32 {
    f32::from((value >> 16) as u16) * (1.0 / WHOLE)
}

impl Tally {
    /// A tally of one word, so that its numbers are always consistent: visits in the lower half, wins in the upper.
    #[inline]
    fn of(word: u64) -> Tally {
        Tally {
            visits: word as u32,
            wins: (word >> 32) as u32,
        }
    }

    #[inline]
    fn word(self) -> u64 {
        u64::from(self.wins) << 32 | u64::from(self.visits)
    }

    #[inline]
    pub(super) fn load(word: &AtomicU64) -> Tally {
        Tally::of(word.load(Relaxed))
    }

    #[inline]
    pub(super) fn plus(self, other: Tally) -> Tally {
        Tally {
            visits: self.visits + other.visits,
            wins: self.wins + other.wins,
        }
    }

    /// Share of the games won, 0 to 1, with half a win in one game added, so that few games give a share near one half.
    pub(super) fn share(self) -> f64 {
        (f64::from(self.wins) + 0.5) / (f64::from(self.visits) + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proven_scores_and_priors_read_back() {
        let nodes = Nodes::new(1).expect("memory");
        assert_eq!((nodes.proven(1), nodes.prior(1)), (None, 0.0));
        for score in [win_in(0), win_in(1), win_in(200), loss_in(0), loss_in(8)] {
            nodes.set_prior(1, 0.25);
            nodes.set_proven(1, score);
            assert_eq!(nodes.proven(1), Some(score));
            nodes.set_prior(1, 0.5);
            assert_eq!(nodes.proven(1), Some(score));
            assert!((nodes.prior(1) - 0.5).abs() < 1e-4);
        }
        nodes.set_proven(2, win_in(kit::search::MAX_PLY + 1));
        assert_eq!(nodes.proven(2), None, "beyond the longest line");
    }

    /// Each game adds its visit first and its win later. A lost visit would leave more wins than games.
    #[test]
    fn no_visit_is_lost_between_threads() {
        const GAMES: u32 = 100_000;
        let nodes = Nodes::new(1).expect("memory");
        let play = || {
            for _ in 0..GAMES {
                nodes.add(1, Tally { visits: 1, wins: 0 });
                nodes.add(1, Tally { visits: 0, wins: 1 });
            }
        };
        std::thread::scope(|scope| {
            (0..4).for_each(|_| drop(scope.spawn(play)));
        });
        let all = 4 * GAMES;
        let expected = Tally {
            visits: all,
            wins: all,
        };
        assert_eq!(nodes.own(1), expected);
    }

    /// A tree expanded at random, at some nodes much more often than at others, until it is `fullness` thousandths
    /// full.
    fn grown(fullness: u32) -> Nodes {
        let nodes = Nodes::new(8).expect("memory");
        let mut rng = fastrand::Rng::with_seed(1);
        let mut is_full = false;
        while nodes.fullness() < fullness && !is_full {
            let mut node = ROOT;
            let visit = Tally { visits: 1, wins: 0 };
            nodes.add(node, visit);
            while !nodes.children(node).is_empty() {
                let children = nodes.children(node);
                node = children.start + (children.len() as f64 * rng.f64().powi(5)) as usize;
                nodes.add(node, visit);
            }
            is_full = !nodes.expand(node, 0..rng.usize(1..300));
        }
        nodes
    }

    /// Moves and visits of a node and all nodes below it.
    fn dump(nodes: &Nodes, node: usize) -> Vec<(usize, u32)> {
        let below = nodes.children(node).flat_map(|child| dump(nodes, child));
        let own = (nodes.move_index(node), nodes.own(node).visits);
        [own].into_iter().chain(below).collect()
    }

    #[test]
    fn a_tree_keeps_what_is_below_the_new_root() {
        for fullness in [400, 900] {
            let mut nodes = grown(fullness);
            let first = nodes.children(ROOT).start;
            let expected = dump(&nodes, first);
            assert!(expected.len() > 1);
            let before = nodes.fullness();
            nodes.follow([0]);
            assert_eq!(dump(&nodes, ROOT), expected);
            assert_eq!(nodes.fullness() < before, before > 500);
        }
        let mut nodes = grown(100);
        nodes.follow([9_999]);
        assert_eq!((nodes.children(ROOT), nodes.fullness()), (0..0, 0));
    }

    #[test]
    fn the_fuller_the_tree_the_more_visits_a_node_needs_until_none_are_enough() {
        let least = |nodes: &Nodes| (0..MAX_VISITS).find(|&n| nodes.is_worth_expanding(n));
        assert_eq!(least(&grown(100)), Some(LEAST_VISITS + 1));
        assert_eq!(least(&grown(600)), Some(2 * LEAST_VISITS + 1));
        assert_eq!(least(&grown(800)), Some(4 * LEAST_VISITS + 1));
        let nodes = grown(990);
        let next = nodes.next.load(Relaxed);
        let (leaf, n_free) = (next - 1, nodes.own.len() - next);
        assert!(!nodes.expand(leaf, 0..n_free + 1), "no memory");
        assert!(nodes.children(leaf).is_empty());
        assert!(nodes.expand(leaf, 0..n_free) && !nodes.is_worth_expanding(MAX_VISITS));
        assert!(!nodes.expand(leaf, 0..0), "it has children");
    }

    #[test]
    fn a_tree_that_is_too_large_for_the_system_is_not_created() {
        assert!(Nodes::new(1 << 36).is_none());
    }
}
