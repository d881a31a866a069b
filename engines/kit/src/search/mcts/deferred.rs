//! Results that a thread has not yet added to the shared tree.
//!
//! Every game of every thread passes through the nodes near the root. If each game wrote its result there, the threads
//! would spend most of their time waiting for cache lines. Each thread therefore sums up its results for a node that
//! has many games, and adds several games at a time.

use super::node::{Node, Nodes, Tally};

/// Visits from which the results for a node are deferred.
const MIN_VISITS: u32 = 256;
/// A thread defers at most one part in this many of a node's visits.
const MAX_PART: u32 = 64;
/// A thread defers at most this many games per node.
const MAX_GAMES: u32 = 64;
/// Number of nodes for which a thread defers results at the same time.
const N_SLOTS: usize = 64;

/// The deferred results of one thread, in a hash table by node.
#[derive(Debug)]
pub(super) struct DeferredUpdates<'a>(Vec<Option<Update<'a>>>);

/// The deferred results for one node and, for AMAF, its children.
#[derive(Debug)]
struct Update<'a> {
    node: Node<'a>,
    children: Nodes<'a>,
    own: Tally,
    amaf: Vec<Tally>,
}

impl<'a> DeferredUpdates<'a> {
    /// Creates the table of one of `n_threads` threads. A single thread defers nothing.
    pub(super) fn new(n_threads: usize) -> DeferredUpdates<'a> {
        let n_slots = if n_threads == 1 { 0 } else { N_SLOTS };
        DeferredUpdates((0..n_slots).map(|_| None).collect())
    }

    /// `true` if results for this node are deferred.
    #[inline]
    pub(super) fn defers(&self, node: Node<'_>) -> bool {
        !self.0.is_empty() && node.own().visits >= MIN_VISITS && node.block().is_some()
    }

    /// Adds games through a node; `amaf_of` returns the AMAF tally to add to each child.
    pub(super) fn add(
        &mut self,
        node: Node<'a>,
        children: Nodes<'a>,
        games: Tally,
        amaf_of: impl Fn(Node<'a>) -> Tally,
    ) {
        let first_child = node.block().map_or(0, |(slot, _)| slot);
        // Blocks have similar lengths, so their slots alone would not spread over the table.
        let hash = first_child.wrapping_mul(0x9e37_79b9) >> 16;
        let slot = &mut self.0[hash % N_SLOTS];
        let update = match slot {
            Some(update) if update.node.is(node) => update,
            _ => {
                slot.take().iter_mut().for_each(Update::apply);
                slot.insert(Update::new(node, children))
            }
        };
        update.own = update.own.plus(games);
        for (tally, child) in update.amaf.iter_mut().zip(children.iter()) {
            *tally = tally.plus(amaf_of(child));
        }
        if update.own.visits >= (node.own().visits / MAX_PART).min(MAX_GAMES) {
            update.apply();
        }
    }

    /// Adds all deferred results to the tree.
    pub(super) fn flush(&mut self) {
        self.0.iter_mut().flatten().for_each(Update::apply);
    }
}

impl<'a> Update<'a> {
    fn new(node: Node<'a>, children: Nodes<'a>) -> Update<'a> {
        Update {
            node,
            children,
            own: Tally::default(),
            amaf: vec![Tally::default(); children.len()],
        }
    }

    fn apply(&mut self) {
        self.node.add(self.own);
        self.own = Tally::default();
        for (tally, child) in self.amaf.iter_mut().zip(self.children.iter()) {
            child.add_amaf(*tally);
            *tally = Tally::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::NodeArrays;
    use super::*;

    /// With more nodes than slots, and many games at some, no result is lost.
    #[test]
    fn all_deferred_results_arrive() {
        const N: usize = 200;
        let arrays = NodeArrays::new(4 * N + 4).expect("memory");
        let nodes = arrays.nodes(0..N);
        let mut deferred = DeferredUpdates::new(2);
        let mut rng = fastrand::Rng::with_seed(3);
        let mut games = [0; N];
        for (i, node) in nodes.iter().enumerate() {
            node.adopt(N + 3 * i, 3);
            node.add(Tally {
                visits: MIN_VISITS,
                points: 0,
            });
        }
        for _ in 0..20_000 {
            let i = rng.usize(..N).min(rng.usize(..N));
            games[i] += 1;
            let children = arrays.nodes(N + 3 * i..N + 3 * i + 3);
            assert!(deferred.defers(nodes.get(i)));
            let [drawn, won] = [1, 2].map(|points| Tally { visits: 1, points });
            deferred.add(nodes.get(i), children, drawn, |_| won);
        }
        let added = |i| nodes.get(i).own().visits - MIN_VISITS;
        assert!((0..N).any(|i| added(i) < games[i]), "nothing was held back");
        deferred.flush();
        for (i, &games) in games.iter().enumerate() {
            let own = nodes.get(i).own();
            assert_eq!((own.visits, own.points), (MIN_VISITS + games, games));
            for child in arrays.nodes(N + 3 * i..N + 3 * i + 3).iter() {
                let amaf = child.amaf();
                assert_eq!((amaf.visits, amaf.points), (games, 2 * games));
            }
        }
    }

    #[test]
    fn a_single_thread_defers_nothing() {
        let arrays = NodeArrays::new(4).expect("memory");
        let node = arrays.nodes(0..1).get(0);
        node.adopt(1, 3);
        node.add(Tally {
            visits: 1_000_000,
            points: 0,
        });
        assert!(DeferredUpdates::new(2).defers(node) && !DeferredUpdates::new(1).defers(node));
    }
}
