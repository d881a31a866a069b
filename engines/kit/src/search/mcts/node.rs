//! A node of the tree: the results of the games through a move, and its proven value if it has one.
//!
//! Threads share nodes without locks. A game's visit and its points reach a node's own tally at different times, so both
//! additions are atomic: a lost visit would leave more points than its games can have. An AMAF tally receives visits and
//! points together, so an addition may be lost: that only ignores a game (Enzenberger and Müller, "A lock-free
//! multithreaded Monte-Carlo tree search algorithm", 2009), and a plain store is cheaper for the many siblings.

use std::array;
use std::ops::Range;
use std::ptr;
use std::sync::atomic::{
    AtomicI16, AtomicU16, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
};

use super::super::score::{DRAW, Score, loss_in, mate_distance, win_in};

/// A move in the tree with the position after it. Points are those of the player who made the move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node<'a> {
    own: &'a AtomicTally,
    amaf: &'a AtomicTally,
    state: &'a NodeState,
}

/// Consecutive nodes as a structure of arrays. After each game the AMAF tallies of all siblings are written, and a
/// thread stalls on every cache line that another thread has written.
#[derive(Debug, Clone, Copy)]
pub(super) struct Nodes<'a> {
    own: &'a [AtomicTally],
    amaf: &'a [AtomicTally],
    states: &'a [NodeState],
}

/// A copy of the parts of consecutive nodes that a selection reads.
pub(super) struct Lanes<const N: usize> {
    pub(super) own: [Tally; N],
    pub(super) amaf: [Tally; N],
    pub(super) priors: [f32; N],
    /// `true` if at least one of the nodes is proven.
    pub(super) has_proven: bool,
}

/// Memory for a number of nodes.
#[derive(Debug)]
pub(super) struct NodeArrays {
    own: Box<[AtomicTally]>,
    amaf: Box<[AtomicTally]>,
    states: Box<[NodeState]>,
}

/// The part of a node that changes rarely.
#[derive(Debug, Default)]
struct NodeState {
    /// Slot of the first child. 0, the root's slot, means that there are no children; [`EXPANDING`] means that a thread
    /// is adding them.
    first_child: AtomicU32,
    n_children: AtomicU16,
    move_index: AtomicU16,
    /// The policy's probability of this move, in units of 1/[`WHOLE`].
    prior: AtomicU16,
    /// 0: not proven. `n + 1`: the side to move here wins in `n` plies. `-n - 1`: it loses in `n` plies.
    /// [`PROVEN_DRAW`]: a draw.
    proven: AtomicI16,
}

/// Initial AMAF tally of a new move: one win, so that it is tried before moves known to be no better than even.
const NEW_MOVE: Tally = Tally {
    visits: 1,
    points: 2,
};
/// A probability of 1 as an integer.
const WHOLE: f32 = u16::MAX as f32;
const EXPANDING: u32 = u32::MAX;
const PROVEN_DRAW: i16 = i16::MAX;

/// Number of games and the points scored in them: 2 for a win, 1 for a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Tally {
    pub(super) visits: u32,
    pub(super) points: u32,
}

/// A tally in one word, so that visits and points are always consistent: visits in the lower half, points in the upper.
#[derive(Debug, Default)]
struct AtomicTally(AtomicU64);

impl NodeArrays {
    /// Bytes per node.
    pub(super) const BYTES_PER_NODE: usize = 2 * size_of::<AtomicTally>() + size_of::<NodeState>();

    /// Allocates `n_nodes` nodes; `None` if the system does not give the memory.
    pub(super) fn new(n_nodes: usize) -> Option<NodeArrays> {
        fn array<T: Default>(n: usize) -> Option<Box<[T]>> {
            let mut items = Vec::new();
            items.try_reserve_exact(n).ok()?;
            items.resize_with(n, T::default);
            Some(items.into_boxed_slice())
        }
        Some(NodeArrays {
            own: array(n_nodes)?,
            amaf: array(n_nodes)?,
            states: array(n_nodes)?,
        })
    }

    /// The nodes with these indices.
    #[inline]
    pub(super) fn nodes(&self, range: Range<usize>) -> Nodes<'_> {
        Nodes {
            own: &self.own[range.clone()],
            amaf: &self.amaf[range.clone()],
            states: &self.states[range],
        }
    }
}

impl<'a> Nodes<'a> {
    /// An empty sequence.
    pub(super) const NONE: Nodes<'static> = Nodes {
        own: &[],
        amaf: &[],
        states: &[],
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
    /// If `i` is out of range.
    #[inline]
    pub(super) fn get(self, i: usize) -> Node<'a> {
        Node {
            own: &self.own[i],
            amaf: &self.amaf[i],
            state: &self.states[i],
        }
    }

    /// Copies `N` nodes from number `first` on; `None` if there are fewer.
    #[inline]
    pub(super) fn lanes<const N: usize>(self, first: usize) -> Option<Lanes<N>> {
        let own: &[AtomicTally; N] = self.own.get(first..)?.first_chunk()?;
        let amaf: &[AtomicTally; N] = self.amaf.get(first..)?.first_chunk()?;
        let states: &[NodeState; N] = self.states.get(first..)?.first_chunk()?;
        let proven = states.iter().map(|state| state.proven.load(Relaxed));
        Some(Lanes {
            own: array::from_fn(|i| own[i].load()),
            amaf: array::from_fn(|i| amaf[i].load()),
            priors: array::from_fn(|i| states[i].prior()),
            has_proven: proven.fold(0, |any, proven| any | proven) != 0,
        })
    }

    #[inline]
    pub(super) fn iter(self) -> impl ExactSizeIterator<Item = Node<'a>> {
        let tallies = self.own.iter().zip(self.amaf);
        let parts = tallies.zip(self.states);
        parts.map(|((own, amaf), state)| Node { own, amaf, state })
    }
}

impl Node<'_> {
    #[inline]
    pub(super) fn move_index(self) -> usize {
        self.state.move_index.load(Relaxed).into()
    }

    /// The policy's probability of this move, 0 to 1.
    #[inline]
    pub(super) fn prior(self) -> f32 {
        self.state.prior()
    }

    /// Stores the policy's probability of this move.
    pub(super) fn set_prior(self, share: f32) {
        self.state.prior.store((share * WHOLE) as u16, Relaxed);
    }

    /// All games through this node, including unfinished ones.
    #[inline]
    pub(super) fn own(self) -> Tally {
        self.own.load()
    }

    /// All games through the parent in which the same player made this move at any time (AMAF, all moves as first).
    #[inline]
    pub(super) fn amaf(self) -> Tally {
        self.amaf.load()
    }

    /// Counts games that begin to pass through this node and returns the visits so far. Until the games end they have no
    /// points: this virtual loss keeps threads apart.
    #[inline]
    pub(super) fn visit(self, n_games: u32) -> u32 {
        let games = Tally {
            visits: n_games,
            points: 0,
        };
        self.own.add(games).visits
    }

    /// Adds games through this node, or points of games already counted.
    #[inline]
    pub(super) fn add(self, games: Tally) {
        self.own.add(games);
    }

    /// Adds games to the AMAF tally. If another thread adds at the same time, one of the additions can be lost.
    #[inline]
    pub(super) fn add_amaf(self, games: Tally) {
        let word = self.amaf.0.load(Relaxed);
        self.amaf.0.store(word + games.to_word(), Relaxed);
    }

    /// Halves all counts; shares are kept as far as rounding allows.
    pub(super) fn halve(self) {
        self.own.store(self.own().halved());
        self.amaf.store(self.amaf().halved());
    }

    /// `true` if both are the same node.
    #[inline]
    pub(super) fn is(self, other: Node<'_>) -> bool {
        ptr::eq(self.state, other.state)
    }

    /// The proven score from the side to move here; a win or loss counts plies from here.
    #[inline]
    pub(super) fn proven(self) -> Option<Score> {
        match self.state.proven.load(Relaxed) {
            0 => None,
            PROVEN_DRAW => Some(DRAW),
            n if n > 0 => Some(win_in(n as usize - 1)),
            n => Some(loss_in(-(n + 1) as usize)),
        }
    }

    /// Stores a proven score: [`DRAW`], or a win or loss.
    pub(super) fn set_proven(self, score: Score) {
        let proven = match mate_distance(score) {
            None => PROVEN_DRAW,
            Some(n) if score > DRAW => n as i16 + 1,
            Some(n) => n as i16 - 1,
        };
        self.state.proven.store(proven, Relaxed);
    }

    /// Slot of the first child and number of children; `None` if the node has none.
    #[inline]
    pub(super) fn block(self) -> Option<(usize, usize)> {
        match self.state.first_child.load(Acquire) {
            0 | EXPANDING => None,
            first => Some((
                first as usize,
                usize::from(self.state.n_children.load(Relaxed)),
            )),
        }
    }

    /// Claims the right to expand this node; `false` if it has children or another thread has claimed it. After a
    /// successful claim, the caller must call [`adopt`](Node::adopt) or [`drop_children`](Node::drop_children).
    pub(super) fn claim(self) -> bool {
        let first = &self.state.first_child;
        let claimed = first.compare_exchange(0, EXPANDING, Acquire, Relaxed);
        claimed.is_ok()
    }

    /// Makes the `n_children` nodes from `slot` the children of this node.
    pub(super) fn adopt(self, slot: usize, n_children: usize) {
        self.state.n_children.store(n_children as u16, Relaxed);
        self.state.first_child.store(slot as u32, Release);
    }

    /// Removes the link to the children.
    pub(super) fn drop_children(self) {
        self.state.first_child.store(0, Release);
    }

    /// Resets the node to a move without results.
    pub(super) fn reset(self, move_index: usize) {
        self.own.store(Tally::default());
        self.amaf.store(NEW_MOVE);
        self.state.assign(&NodeState::default());
        self.state.move_index.store(move_index as u16, Relaxed);
    }

    /// Copies another node. Both then have the same children.
    pub(super) fn assign(self, other: Node<'_>) {
        self.own.store(other.own());
        self.amaf.store(other.amaf());
        self.state.assign(other.state);
    }
}

impl NodeState {
    #[inline]
    fn prior(&self) -> f32 {
        f32::from(self.prior.load(Relaxed)) * (1.0 / WHOLE)
    }

    fn assign(&self, other: &NodeState) {
        let first_child = other.first_child.load(Relaxed);
        self.first_child.store(first_child, Relaxed);
        let n_children = other.n_children.load(Relaxed);
        self.n_children.store(n_children, Relaxed);
        let move_index = other.move_index.load(Relaxed);
        self.move_index.store(move_index, Relaxed);
        self.prior.store(other.prior.load(Relaxed), Relaxed);
        self.proven.store(other.proven.load(Relaxed), Relaxed);
    }
}

impl AtomicTally {
    #[inline]
    fn load(&self) -> Tally {
        Tally::from_word(self.0.load(Relaxed))
    }

    #[inline]
    fn store(&self, tally: Tally) {
        self.0.store(tally.to_word(), Relaxed);
    }

    /// Returns the tally with the games added.
    #[inline]
    fn add(&self, games: Tally) -> Tally {
        Tally::from_word(self.0.fetch_add(games.to_word(), Relaxed)).plus(games)
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

    #[inline]
    fn to_word(self) -> u64 {
        u64::from(self.points) << 32 | u64::from(self.visits)
    }

    #[inline]
    pub(super) fn plus(self, other: Tally) -> Tally {
        Tally {
            visits: self.visits + other.visits,
            points: self.points + other.points,
        }
    }

    /// Half of the games, rounded down, with at most the points that they can have.
    fn halved(self) -> Tally {
        let visits = self.visits / 2;
        Tally {
            visits,
            points: (self.points / 2).min(2 * visits),
        }
    }

    /// Share of the maximum points, 0 to 1, with one draw added, so that few games give a share near one half.
    pub(super) fn share(self) -> f64 {
        (f64::from(self.points) + 1.0) / (f64::from(self.visits) * 2.0 + 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn proven_scores_read_back() {
        let arrays = NodeArrays::new(1).expect("memory");
        let node = arrays.nodes(0..1).get(0);
        assert_eq!(node.proven(), None);
        for score in [
            win_in(0),
            win_in(1),
            win_in(200),
            loss_in(0),
            loss_in(8),
            DRAW,
        ] {
            node.set_proven(score);
            assert_eq!(node.proven(), Some(score));
        }
    }

    #[test]
    fn tallies_add_up() {
        let arrays = NodeArrays::new(1).expect("memory");
        let node = arrays.nodes(0..1).get(0);
        assert_eq!((node.visit(1), node.visit(1)), (1, 2));
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
    fn halving_keeps_the_share() {
        let arrays = NodeArrays::new(1).expect("memory");
        let node = arrays.nodes(0..1).get(0);
        node.add(Tally {
            visits: 1 << 30,
            points: 3 << 29,
        });
        let share = node.own().share();
        node.halve();
        assert_eq!(node.own().visits, 1 << 29);
        assert!((node.own().share() - share).abs() < 1e-6);
    }

    #[test]
    fn halving_odd_counts_leaves_no_more_points_than_games_can_have() {
        let arrays = NodeArrays::new(1).expect("memory");
        let node = arrays.nodes(0..1).get(0);
        node.add(Tally {
            visits: 3,
            points: 6,
        });
        node.halve();
        assert!(node.own().share() < 1.0, "{:?}", node.own());
    }

    /// Each game adds its visit first and its points later. A lost visit would leave more points than games.
    #[test]
    fn no_visit_is_lost_between_threads() {
        const GAMES: u32 = 100_000;
        let arrays = NodeArrays::new(1).expect("memory");
        let play = || {
            let node = arrays.nodes(0..1).get(0);
            for _ in 0..GAMES {
                node.visit(1);
                node.add(Tally {
                    visits: 0,
                    points: 2,
                });
            }
        };
        std::thread::scope(|scope| {
            (0..4).for_each(|_| drop(scope.spawn(play)));
        });
        let expected = Tally {
            visits: 4 * GAMES,
            points: 8 * GAMES,
        };
        assert_eq!(arrays.nodes(0..1).get(0).own(), expected);
    }

    #[test]
    fn children_are_claimed_once() {
        let arrays = NodeArrays::new(1).expect("memory");
        let node = arrays.nodes(0..1).get(0);
        assert!(node.claim() && !node.claim());
        assert_eq!(node.block(), None);
        node.adopt(1, 3);
        assert_eq!(node.block(), Some((1, 3)));
        assert!(!node.claim());
    }

    #[test]
    fn memory_that_the_system_does_not_give_is_no_panic() {
        assert!(NodeArrays::new(usize::MAX / 64).is_none());
    }
}
