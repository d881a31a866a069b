//! A node: what random games told of a move, and what is known of it for certain.
//!
//! Threads share nodes without locks. A tally that two of them raise at once may be raised once only; that is rare and
//! does no harm (Enzenberger and Müller, "A lock-free multithreaded Monte-Carlo tree search algorithm", 2009).

use std::ops::Range;
use std::ptr;
use std::sync::atomic::{
    AtomicI16, AtomicU16, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use super::super::score::{DRAW, Score, loss_in, mate_distance, win_in};

/// A move in the tree and the position after it; points are those of the player who made the move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'a> {
    own: &'a AtomicTally,
    amaf: &'a AtomicTally,
    facts: &'a Facts,
}

/// Nodes one behind the other, part by part: AMAF of all of them is written after each game, and a thread waits for
/// every cache line that another one has written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nodes<'a> {
    own: &'a [AtomicTally],
    amaf: &'a [AtomicTally],
    facts: &'a [Facts],
}

/// The memory of nodes.
#[derive(Debug)]
pub(super) struct Memory {
    own: Box<[AtomicTally]>,
    amaf: Box<[AtomicTally]>,
    facts: Box<[Facts]>,
}

/// What seldom changes of a node.
#[derive(Debug, Default)]
struct Facts {
    /// The slot of the first child; 0, the root's, while there are none, [`GROWING`] while a thread lists them.
    first: AtomicU32,
    n_children: AtomicU16,
    index: AtomicU16,
    /// 0 while the end is not known; plies to a win from here and one more, or those to a loss below 0.
    end: AtomicI16,
}

/// AMAF of a new move: won once, so that it is tried before those that are known to be no better than even.
const NEW_MOVE: Tally = Tally {
    visits: 1,
    points: 2,
};
const GROWING: u32 = u32::MAX;
const KNOWN_DRAW: i16 = i16::MAX;

/// Games counted, and the points won in them: 2 a win, 1 a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    pub(super) visits: u32,
    pub(super) points: u32,
}

/// A tally in one word, so that its parts fit each other: visits below, points above.
#[derive(Debug, Default)]
struct AtomicTally(AtomicU64);

impl Memory {
    /// What a node takes.
    pub(super) const BYTES_A_NODE: usize = 2 * size_of::<AtomicTally>() + size_of::<Facts>();

    /// Of so many bare nodes.
    pub(super) fn new(n_nodes: usize) -> Memory {
        fn bare<T: Default>(n: usize) -> Box<[T]> {
            (0..n).map(|_| T::default()).collect()
        }
        Memory {
            own: bare(n_nodes),
            amaf: bare(n_nodes),
            facts: bare(n_nodes),
        }
    }

    /// Those at these places.
    #[inline]
    pub(super) fn nodes(&self, range: Range<usize>) -> Nodes<'_> {
        Nodes {
            own: &self.own[range.clone()],
            amaf: &self.amaf[range.clone()],
            facts: &self.facts[range],
        }
    }
}

impl<'a> Nodes<'a> {
    /// No nodes.
    pub(super) const NONE: Nodes<'static> = Nodes {
        own: &[],
        amaf: &[],
        facts: &[],
    };

    #[inline]
    pub(super) fn len(self) -> usize {
        self.own.len()
    }

    #[inline]
    pub(super) fn is_empty(self) -> bool {
        self.len() == 0
    }

    /// Node number `i`.
    ///
    /// # Panics
    /// When there are not so many.
    #[inline]
    pub(super) fn get(self, i: usize) -> Node<'a> {
        Node {
            own: &self.own[i],
            amaf: &self.amaf[i],
            facts: &self.facts[i],
        }
    }

    /// One after the other.
    #[inline]
    pub(super) fn iter(self) -> impl ExactSizeIterator<Item = Node<'a>> {
        let tallies = self.own.iter().zip(self.amaf);
        let parts = tallies.zip(self.facts);
        parts.map(|((own, amaf), facts)| Node { own, amaf, facts })
    }
}

impl Node<'_> {
    /// The index of the move.
    #[inline]
    pub(super) fn index(self) -> usize {
        self.facts.index.load(Relaxed).into()
    }

    /// Of all games that went through here, those on their way down included.
    #[inline]
    pub(super) fn own(self) -> Tally {
        self.own.load()
    }

    /// Of all games through the parent in which the same player used the move sooner or later ("all moves as first").
    #[inline]
    pub(super) fn amaf(self) -> Tally {
        self.amaf.load()
    }

    /// A game goes through here: how many do now. Until its points come, it counts as lost, so that other threads
    /// rather go elsewhere.
    #[inline]
    pub(super) fn visit(self) -> u32 {
        let one = Tally {
            visits: 1,
            points: 0,
        };
        self.own.raise(one).visits
    }

    /// Games that went through here, or points of those that are counted already.
    #[inline]
    pub(super) fn add(self, games: Tally) {
        self.own.raise(games);
    }

    /// Games that used the move.
    #[inline]
    pub(super) fn add_amaf(self, games: Tally) {
        self.amaf.raise(games);
    }

    /// Whether it is the same node.
    #[inline]
    pub(super) fn is(self, other: Node<'_>) -> bool {
        ptr::eq(self.facts, other.facts)
    }

    /// The score for the side to move here, counted from here, where it is certain.
    #[inline]
    pub(super) fn known(self) -> Option<Score> {
        match self.facts.end.load(Relaxed) {
            0 => None,
            KNOWN_DRAW => Some(DRAW),
            n if n > 0 => Some(win_in(n as usize - 1)),
            n => Some(loss_in(-(n + 1) as usize)),
        }
    }

    /// Takes note of a score that is certain: a win, a loss or a draw.
    pub(super) fn settle(self, score: Score) {
        let end = match mate_distance(score) {
            None => KNOWN_DRAW,
            Some(n) if score > DRAW => n as i16 + 1,
            Some(n) => n as i16 - 1,
        };
        self.facts.end.store(end, Relaxed);
    }

    /// The slot of the first child, and how many there are.
    #[inline]
    pub(super) fn block(self) -> Option<(usize, usize)> {
        match self.facts.first.load(Acquire) {
            0 | GROWING => None,
            first => Some((
                first as usize,
                usize::from(self.facts.n_children.load(Relaxed)),
            )),
        }
    }

    /// Takes the right to give this node children; whether it was to be had. [`adopt`](Node::adopt) or
    /// [`give_up`](Node::give_up) must follow.
    pub(super) fn claim(self) -> bool {
        let first = &self.facts.first;
        let claimed = first.compare_exchange(0, GROWING, Acquire, Relaxed);
        claimed.is_ok()
    }

    /// Gives the node the children that stand at a slot.
    pub(super) fn adopt(self, slot: usize, n_children: usize) {
        self.facts.n_children.store(n_children as u16, Relaxed);
        self.facts.first.store(slot as u32, Release);
    }

    /// Leaves the node without children.
    pub(super) fn give_up(self) {
        self.facts.first.store(0, Release);
    }

    /// Becomes a move of which nothing is known.
    pub(super) fn reset(self, index: usize) {
        self.own.store(Tally::default());
        self.amaf.store(NEW_MOVE);
        self.facts.assign(&Facts::default());
        self.facts.index.store(index as u16, Relaxed);
    }

    /// Becomes the same as another, with the same children.
    pub(super) fn assign(self, other: Node<'_>) {
        self.own.store(other.own());
        self.amaf.store(other.amaf());
        self.facts.assign(other.facts);
    }
}

impl Facts {
    fn assign(&self, other: &Facts) {
        self.first.store(other.first.load(Relaxed), Relaxed);
        let n_children = other.n_children.load(Relaxed);
        self.n_children.store(n_children, Relaxed);
        self.index.store(other.index.load(Relaxed), Relaxed);
        self.end.store(other.end.load(Relaxed), Relaxed);
    }
}

impl AtomicTally {
    #[inline]
    fn load(&self) -> Tally {
        Tally::from_word(self.0.load(Relaxed))
    }

    fn store(&self, tally: Tally) {
        self.0.store(tally.to_word(), Relaxed);
    }

    #[inline]
    fn raise(&self, by: Tally) -> Tally {
        let word = self.0.load(Relaxed) + by.to_word();
        self.0.store(word, Relaxed);
        Tally::from_word(word)
    }
}

impl Tally {
    #[inline]
    fn from_word(word: u64) -> Tally {
        Tally {
            visits: word as u32,
            points: (word >> 32) as u32,
        }
    }

    /// Both together.
    #[inline]
    pub(super) fn with(self, other: Tally) -> Tally {
        Tally {
            visits: self.visits + other.visits,
            points: self.points + other.points,
        }
    }

    #[inline]
    fn to_word(self) -> u64 {
        u64::from(self.points) << 32 | u64::from(self.visits)
    }

    /// The share of all points, not yet quite sure after few games.
    pub(super) fn share(self) -> f64 {
        (f64::from(self.points) + 1.0) / (f64::from(self.visits) * 2.0 + 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_scores_read_back() {
        let memory = Memory::new(1);
        let node = memory.nodes(0..1).get(0);
        assert_eq!(node.known(), None);
        for score in [
            win_in(0),
            win_in(1),
            win_in(200),
            loss_in(0),
            loss_in(8),
            DRAW,
        ] {
            node.settle(score);
            assert_eq!(node.known(), Some(score));
        }
    }

    #[test]
    fn tallies_add_up() {
        let memory = Memory::new(1);
        let node = memory.nodes(0..1).get(0);
        assert_eq!((node.visit(), node.visit()), (1, 2));
        node.add(Tally {
            visits: 0,
            points: 2,
        });
        let expected = Tally {
            visits: 2,
            points: 2,
        };
        assert_eq!(node.own(), expected);
        assert_eq!(node.own().share(), 0.5);
    }

    #[test]
    fn children_are_claimed_once() {
        let memory = Memory::new(1);
        let node = memory.nodes(0..1).get(0);
        assert!(node.claim() && !node.claim());
        assert_eq!(node.block(), None);
        node.adopt(1, 3);
        assert_eq!(node.block(), Some((1, 3)));
        assert!(!node.claim());
    }
}
