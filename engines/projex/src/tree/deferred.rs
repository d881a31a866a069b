//! Results that a thread adds to the tree later.
//!
//! Every game of every thread passes through the nodes near the root. If each game wrote its result there, the threads
//! would spend most of their time waiting for cache lines. Each thread therefore sums up its results for a node that has
//! many games, and adds several games at a time.

use super::nodes::{Nodes, Tally};

/// Visits from which the results for a node are deferred.
const MIN_VISITS: u32 = 256;
/// A thread defers at most one part in this many of a node's visits.
const MAX_PART: u32 = 64;
/// A thread defers at most this many games per node.
const MAX_GAMES: u32 = 64;
/// Number of nodes for which a thread defers results at the same time.
const N_SLOTS: usize = 64;

/// The deferred results of one thread, in a hash table by node. A single thread defers nothing.
#[derive(Debug)]
pub(super) struct Deferred(Vec<Option<Update>>);

/// The deferred results for one node and, for AMAF, its children.
#[derive(Debug)]
struct Update {
    node: usize,
    own: Tally,
    amaf: Vec<Tally>,
}

impl Deferred {
    pub(super) fn new(n_threads: usize) -> Deferred {
        let n_slots = if n_threads == 1 { 0 } else { N_SLOTS };
        Deferred((0..n_slots).map(|_| None).collect())
    }

    /// `true` if results for this node are deferred.
    #[inline]
    pub(super) fn defers(&self, nodes: &Nodes, node: usize) -> bool {
        let has_many = || nodes.own(node).visits >= MIN_VISITS && !nodes.children(node).is_empty();
        !self.0.is_empty() && has_many()
    }

    /// Adds games through a node; `amaf_of` returns the AMAF tally to add to each child.
    pub(super) fn add(
        &mut self,
        nodes: &Nodes,
        node: usize,
        games: Tally,
        amaf_of: impl Fn(usize) -> Tally,
    ) {
        let children = nodes.children(node);
        // Blocks of siblings have similar lengths, so their slots alone would not spread over the table.
        let slot = &mut self.0[(children.start.wrapping_mul(0x9e37_79b9) >> 16) % N_SLOTS];
        if slot.as_ref().is_none_or(|update| update.node != node) {
            slot.iter_mut().for_each(|update| update.apply(nodes));
            *slot = Some(Update {
                node,
                own: Tally::default(),
                amaf: vec![Tally::default(); children.len()],
            });
        }
        let update = slot.as_mut().expect("it was filled");
        update.own = update.own.plus(games);
        for (tally, child) in update.amaf.iter_mut().zip(children) {
            *tally = tally.plus(amaf_of(child));
        }
        if update.own.visits >= (nodes.own(node).visits / MAX_PART).min(MAX_GAMES) {
            update.apply(nodes);
        }
    }

    pub(super) fn flush(&mut self, nodes: &Nodes) {
        let updates = self.0.iter_mut().flatten();
        updates.for_each(|update| update.apply(nodes));
    }
}

impl Update {
    fn apply(&mut self, nodes: &Nodes) {
        nodes.add(self.node, std::mem::take(&mut self.own));
        for (tally, child) in self.amaf.iter_mut().zip(nodes.children(self.node)) {
            nodes.add_amaf(child, std::mem::take(tally));
        }
    }
}

#[cfg(test)]
mod tests {
    use fastrand::Rng;

    use super::super::nodes::ROOT;
    use super::*;

    /// With more nodes than slots, and many games at some, no result is lost.
    #[test]
    fn all_deferred_results_arrive() {
        const N: usize = 200;
        let nodes = Nodes::new(1).expect("memory");
        nodes.expand(ROOT, 0..N);
        let mut deferred = Deferred::new(2);
        let mut rng = Rng::with_seed(3);
        let mut games = [0; N];
        let first = nodes.children(ROOT).start;
        let won = Tally { visits: 1, wins: 1 };
        for node in nodes.children(ROOT) {
            nodes.expand(node, 0..3);
            let many = Tally {
                visits: MIN_VISITS,
                wins: 0,
            };
            nodes.add(node, many);
        }
        for _ in 0..20_000 {
            let i = rng.usize(..N).min(rng.usize(..N));
            games[i] += 1;
            assert!(deferred.defers(&nodes, first + i));
            assert!(!Deferred::new(1).defers(&nodes, first + i));
            deferred.add(&nodes, first + i, won, |_| won);
        }
        let added = |i: usize| nodes.own(first + i).visits - MIN_VISITS;
        assert!((0..N).any(|i| added(i) < games[i]), "nothing was held back");
        deferred.flush(&nodes);
        for (i, &games) in games.iter().enumerate() {
            assert_eq!((added(i), nodes.own(first + i).wins), (games, games));
            for child in nodes.children(first + i) {
                // A new move has one game that it has won.
                let amaf = nodes.amaf(child);
                assert_eq!((amaf.visits, amaf.wins), (1 + games, 1 + games));
            }
        }
    }
}
