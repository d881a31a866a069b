//! The tree: nodes in one block of memory, shared by all threads without locks.
//!
//! A count that two threads raise at once may be raised once only; that is rare and does no harm (Enzenberger and
//! Müller 2009). A node's children stand together and are published whole.

use std::ops::Range;
use std::sync::atomic::{
    AtomicI16, AtomicU16, AtomicU32, AtomicUsize,
    Ordering::{Acquire, Relaxed, Release},
};

use super::super::score::{DRAW, Score, loss_in, mate_distance, win_in};

/// A position in the tree; points and AMAF are those of the player whose move led to it.
#[derive(Debug, Default)]
pub(super) struct Node {
    visits: AtomicU32,
    /// 2 a win, 1 a draw.
    points: AtomicU32,
    amaf_visits: AtomicU32,
    amaf_points: AtomicU32,
    /// Where the children begin; 0 while there are none, [`GROWING`] while a thread lists them.
    first: AtomicU32,
    n_children: AtomicU16,
    /// The index of the move that led here.
    index: AtomicU16,
    /// 0 while the end is not known; see [`Node::known`].
    end: AtomicI16,
}

/// The node that every search begins at.
pub(super) const ROOT: usize = 0;
const GROWING: u32 = u32::MAX;
const KNOWN_DRAW: i16 = i16::MAX;

/// How often playouts went through a node or used its move, and the share of points that the mover got.
#[derive(Debug, Clone, Copy)]
pub(super) struct Tally {
    pub(super) visits: u32,
    pub(super) points: u32,
}

impl Tally {
    pub(super) fn share(self) -> f32 {
        self.points as f32 / (2.0 * self.visits as f32)
    }
}

impl Node {
    #[inline]
    pub(super) fn index(&self) -> usize {
        self.index.load(Relaxed).into()
    }

    #[inline]
    pub(super) fn tally(&self) -> Tally {
        Tally {
            visits: self.visits.load(Relaxed),
            points: self.points.load(Relaxed),
        }
    }

    /// Of all playouts in which the move was used by the same player, sooner or later.
    #[inline]
    pub(super) fn amaf(&self) -> Tally {
        Tally {
            visits: self.amaf_visits.load(Relaxed),
            points: self.amaf_points.load(Relaxed),
        }
    }

    #[inline]
    pub(super) fn visit(&self) -> u32 {
        raise(&self.visits, 1)
    }

    #[inline]
    pub(super) fn score(&self, points: u32) {
        raise(&self.points, points);
    }

    #[inline]
    pub(super) fn score_amaf(&self, visits: u32, points: u32) {
        raise(&self.amaf_visits, visits);
        raise(&self.amaf_points, points);
    }

    /// The score for the side to move here, counted from here, where it is known for certain.
    #[inline]
    pub(super) fn known(&self) -> Option<Score> {
        match self.end.load(Relaxed) {
            0 => None,
            KNOWN_DRAW => Some(DRAW),
            n if n > 0 => Some(win_in(n as usize)),
            n => Some(loss_in(-(n + 1) as usize)),
        }
    }

    /// Takes note of a score that is certain: a win, a loss or a draw.
    pub(super) fn settle(&self, score: Score) {
        let end = match mate_distance(score) {
            None => KNOWN_DRAW,
            Some(n) if n > 0 => n as i16,
            Some(n) => n as i16 - 1,
        };
        self.end.store(end, Relaxed);
    }

    /// The children; empty while there are none.
    #[inline]
    pub(super) fn children(&self) -> Range<usize> {
        match self.first.load(Acquire) {
            0 | GROWING => 0..0,
            first => first as usize..first as usize + usize::from(self.n_children.load(Relaxed)),
        }
    }

    fn clear(&self, index: usize) {
        self.visits.store(0, Relaxed);
        self.points.store(0, Relaxed);
        self.amaf_visits.store(0, Relaxed);
        self.amaf_points.store(0, Relaxed);
        self.first.store(0, Relaxed);
        self.n_children.store(0, Relaxed);
        self.index.store(index as u16, Relaxed);
        self.end.store(0, Relaxed);
    }

    fn copy(&self, from: &Node) {
        self.visits.store(from.visits.load(Relaxed), Relaxed);
        self.points.store(from.points.load(Relaxed), Relaxed);
        self.amaf_visits.store(from.amaf_visits.load(Relaxed), Relaxed);
        self.amaf_points.store(from.amaf_points.load(Relaxed), Relaxed);
        self.first.store(0, Relaxed);
        self.n_children.store(0, Relaxed);
        self.index.store(from.index.load(Relaxed), Relaxed);
        self.end.store(from.end.load(Relaxed), Relaxed);
    }
}

#[inline]
fn raise(count: &AtomicU32, by: u32) -> u32 {
    let raised = count.load(Relaxed).wrapping_add(by);
    count.store(raised, Relaxed);
    raised
}

/// All nodes; there is always a root.
#[derive(Debug)]
pub(super) struct Tree {
    nodes: Vec<Node>,
    n_used: AtomicUsize,
}

impl Tree {
    /// A root alone, and room for so many MiB of nodes.
    pub(super) fn new(mib: usize) -> Tree {
        let n_nodes = (mib << 20) / size_of::<Node>();
        Tree {
            nodes: (0..n_nodes).map(|_| Node::default()).collect(),
            n_used: AtomicUsize::new(1),
        }
    }

    /// Cuts all but a bare root.
    pub(super) fn clear(&mut self) {
        self.nodes[ROOT].clear(0);
        *self.n_used.get_mut() = 1;
    }

    #[inline]
    pub(super) fn node(&self, id: usize) -> &Node {
        &self.nodes[id]
    }

    /// The share of the memory in use, in thousandths.
    pub(super) fn fullness(&self) -> u32 {
        let n_used = self.n_used.load(Relaxed).min(self.nodes.len());
        (n_used * 1000 / self.nodes.len()) as u32
    }

    /// Gives a node without children one for each of these move indices, each with this much AMAF to begin with;
    /// whether it was done, for another thread may be at it and there may be no room.
    pub(super) fn grow(&self, id: usize, children: &[(usize, Tally)]) -> bool {
        let first = &self.nodes[id].first;
        if first.compare_exchange(0, GROWING, Acquire, Relaxed).is_err() {
            return false;
        }
        let start = self.n_used.fetch_add(children.len(), Relaxed);
        let end = start + children.len();
        if end > self.nodes.len() {
            self.n_used.store(self.nodes.len(), Relaxed);
            first.store(0, Release);
            return false;
        }
        for (node, (index, amaf)) in self.nodes[start..end].iter().zip(children) {
            node.clear(*index);
            node.score_amaf(amaf.visits, amaf.points);
        }
        self.nodes[id].n_children.store(children.len() as u16, Relaxed);
        first.store(start as u32, Release);
        true
    }

    /// Makes another tree's node the root of this one, with all that is below it, as far as there is room.
    pub(super) fn transplant(&mut self, from: &Tree, id: usize) {
        self.nodes[ROOT].copy(from.node(id));
        let mut n_used = 1;
        let mut pairs = std::collections::VecDeque::from([(id, ROOT)]);
        while let Some((old, new)) = pairs.pop_front() {
            let children = from.node(old).children();
            if children.is_empty() || n_used + children.len() > self.nodes.len() {
                continue;
            }
            self.nodes[new].n_children.store(children.len() as u16, Relaxed);
            self.nodes[new].first.store(n_used as u32, Relaxed);
            for child in children {
                self.nodes[n_used].copy(from.node(child));
                pairs.push_back((child, n_used));
                n_used += 1;
            }
        }
        *self.n_used.get_mut() = n_used;
    }
}
