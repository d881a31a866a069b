//! Results that a thread has not yet told the others.
//!
//! All threads go through the nodes near the root with every game, and if each wrote there every time, they would wait
//! for one another's cache lines for most of the time. So at a node that has seen many games, the results of a few more
//! are gathered first.

use super::node::{Node, Nodes, Tally};

/// A node is busy when so many games went through it.
const BUSY: u32 = 256;
/// At most this share of the games through a node is held back.
const SHARE: u32 = 64;
/// At most so many games are held back.
const MOST: u32 = 64;
/// Nodes whose results are gathered at the same time.
const N_NODES: usize = 64;

/// What one thread holds back.
#[derive(Debug)]
pub(super) struct DeferredUpdates<'a>(Vec<Option<Entry<'a>>>);

/// What is held back of one node.
#[derive(Debug)]
struct Entry<'a> {
    node: Node<'a>,
    children: Nodes<'a>,
    own: Tally,
    amaf: Vec<Tally>,
}

impl<'a> DeferredUpdates<'a> {
    /// Of one of so many threads. A thread alone holds nothing back.
    pub(super) fn new(n_threads: usize) -> DeferredUpdates<'a> {
        let n_nodes = if n_threads == 1 { 0 } else { N_NODES };
        DeferredUpdates((0..n_nodes).map(|_| None).collect())
    }

    /// Whether results of a node are to be held back.
    #[inline]
    pub(super) fn takes(&self, node: Node<'_>) -> bool {
        !self.0.is_empty() && node.own().visits >= BUSY && node.block().is_some()
    }

    /// A game went through a node and brought so many points; each of the children counts in it by `use_of`.
    pub(super) fn add(
        &mut self,
        node: Node<'a>,
        children: Nodes<'a>,
        points: u32,
        use_of: impl Fn(Node<'a>) -> Tally,
    ) {
        let slot = node.block().map_or(0, |(slot, _)| slot);
        // Blocks of siblings are about as long as each other, so their slots alone would not spread.
        let at = slot.wrapping_mul(0x9e37_79b9) >> 16;
        let place = &mut self.0[at % N_NODES];
        let entry = match place {
            Some(entry) if entry.node.is(node) => entry,
            _ => {
                place.take().iter_mut().for_each(Entry::tell);
                place.insert(Entry::new(node, children))
            }
        };
        entry.own = entry.own.with(Tally { visits: 1, points });
        for (held, child) in entry.amaf.iter_mut().zip(children.iter()) {
            *held = held.with(use_of(child));
        }
        if entry.own.visits >= (node.own().visits / SHARE).min(MOST) {
            entry.tell();
        }
    }

    /// Holds nothing back any more.
    pub(super) fn tell_all(&mut self) {
        self.0.iter_mut().flatten().for_each(Entry::tell);
    }
}

impl<'a> Entry<'a> {
    fn new(node: Node<'a>, children: Nodes<'a>) -> Entry<'a> {
        Entry {
            node,
            children,
            own: Tally::default(),
            amaf: vec![Tally::default(); children.len()],
        }
    }

    fn tell(&mut self) {
        self.node.add(self.own);
        self.own = Tally::default();
        for (held, child) in self.amaf.iter_mut().zip(self.children.iter()) {
            child.add_amaf(*held);
            *held = Tally::default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::node::Memory;
    use super::*;

    /// Games through more nodes than are gathered at a time, some of them often: nothing is lost.
    #[test]
    fn all_that_was_held_back_is_told() {
        const N: usize = 200;
        let memory = Memory::new(4 * N + 4);
        let nodes = memory.nodes(0..N);
        let mut backlog = DeferredUpdates::new(2);
        let mut rng = fastrand::Rng::with_seed(3);
        let mut games = [0; N];
        for (i, node) in nodes.iter().enumerate() {
            node.adopt(N + 3 * i, 3);
            node.add(Tally {
                visits: BUSY,
                points: 0,
            });
        }
        for _ in 0..20_000 {
            let i = rng.usize(..N).min(rng.usize(..N));
            games[i] += 1;
            let children = memory.nodes(N + 3 * i..N + 3 * i + 3);
            assert!(backlog.takes(nodes.get(i)));
            let once = |_| Tally {
                visits: 1,
                points: 2,
            };
            backlog.add(nodes.get(i), children, 1, once);
        }
        let told = |i| nodes.get(i).own().visits - BUSY;
        assert!(
            (0..N).any(|i| told(i) < games[i]),
            "something was held back"
        );
        backlog.tell_all();
        for (i, &games) in games.iter().enumerate() {
            let own = nodes.get(i).own();
            assert_eq!((own.visits, own.points), (BUSY + games, games));
            for child in memory.nodes(N + 3 * i..N + 3 * i + 3).iter() {
                let amaf = child.amaf();
                assert_eq!((amaf.visits, amaf.points), (games, 2 * games));
            }
        }
    }

    #[test]
    fn a_thread_alone_holds_nothing_back() {
        let memory = Memory::new(4);
        let node = memory.nodes(0..1).get(0);
        node.adopt(1, 3);
        node.add(Tally {
            visits: 1_000_000,
            points: 0,
        });
        assert!(DeferredUpdates::new(2).takes(node) && !DeferredUpdates::new(1).takes(node));
    }
}
