//! Chains of stones, with the sheet of the double cover on which each stone is.
//!
//! Every step across the edge changes the sheet. As long as a chain contains no global loop, each of its stones is on
//! one sheet relative to the chain's root. A step between two stones that contradicts this closes a loop. This is a
//! union-find by size without path compression, so that joins can be undone one by one.

use crate::geometry::Cell;

/// All chains of both colours; a cell without a stone is a chain by itself.
#[derive(Debug, Clone)]
pub(crate) struct Chains(Vec<ChainLink>);

#[derive(Debug, Clone, Copy)]
struct ChainLink {
    /// The parent, another cell of the chain; a root's parent is itself.
    parent: Cell,
    /// Number of cells in the subtree, including this one.
    size: Cell,
    /// `true` if this cell and its parent are on different sheets.
    is_odd: bool,
}

/// The result of joining two stones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ChainJoin {
    /// Two chains became one, and this cell is no longer a root; [`Chains::detach`] undoes it.
    Joined(Cell),
    /// They were in one chain, and the step is consistent.
    Known,
    /// They were in one chain, and the step closes a loop with an odd number of crossings.
    Loop,
}

impl Chains {
    /// Every cell as a separate chain.
    pub(crate) fn new(n_cells: usize) -> Chains {
        let alone = |cell| ChainLink {
            parent: cell,
            size: 1,
            is_odd: false,
        };
        Chains((0..n_cells as Cell).map(alone).collect())
    }

    /// The root of a cell's chain; the flag is `true` if the two are on different sheets.
    #[inline]
    pub(crate) fn root(&self, mut cell: Cell) -> (Cell, bool) {
        let mut is_odd = false;
        loop {
            let link = self.0[usize::from(cell)];
            if link.parent == cell {
                return (cell, is_odd);
            }
            is_odd ^= link.is_odd;
            cell = link.parent;
        }
    }

    /// Joins the chains of two neighbours; `is_crossing` is `true` if the step between them crosses the edge.
    #[inline]
    pub(crate) fn join(&mut self, a: Cell, b: Cell, is_crossing: bool) -> ChainJoin {
        let (root_a, odd_a) = self.root(a);
        let (root_b, odd_b) = self.root(b);
        let is_odd = odd_a ^ odd_b ^ is_crossing;
        if root_a == root_b {
            return if is_odd {
                ChainJoin::Loop
            } else {
                ChainJoin::Known
            };
        }
        let is_a_smaller = self.0[usize::from(root_a)].size < self.0[usize::from(root_b)].size;
        let (under, over) = if is_a_smaller {
            (root_a, root_b)
        } else {
            (root_b, root_a)
        };
        self.link(under, over, is_odd);
        ChainJoin::Joined(under)
    }

    /// Undoes the last join, which attached this root to another.
    #[inline]
    pub(crate) fn detach(&mut self, under: Cell) {
        let ChainLink { parent, size, .. } = self.0[usize::from(under)];
        self.0[usize::from(parent)].size -= size;
        self.0[usize::from(under)].parent = under;
        self.0[usize::from(under)].is_odd = false;
    }

    #[inline]
    fn link(&mut self, under: Cell, over: Cell, is_odd: bool) {
        let size = self.0[usize::from(under)].size;
        self.0[usize::from(over)].size += size;
        self.0[usize::from(under)].parent = over;
        self.0[usize::from(under)].is_odd = is_odd;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_odd_step_within_a_chain_closes_a_loop() {
        let mut chains = Chains::new(4);
        assert!(matches!(chains.join(0, 1, false), ChainJoin::Joined(_)));
        assert!(matches!(chains.join(2, 1, true), ChainJoin::Joined(_)));
        assert_eq!(chains.join(0, 2, true), ChainJoin::Known);
        assert_eq!(chains.join(0, 2, false), ChainJoin::Loop);
        assert_eq!(chains.root(3), (3, false));
    }

    #[test]
    fn parting_restores_what_joining_found() {
        let mut chains = Chains::new(6);
        let before: Vec<_> = (0..6).map(|cell| chains.root(cell)).collect();
        let steps = [(0, 1, true), (2, 3, false), (1, 2, true), (4, 0, true)];
        let joined = steps.map(|(a, b, is_crossing)| match chains.join(a, b, is_crossing) {
            ChainJoin::Joined(under) => under,
            other => panic!("{other:?}"),
        });
        assert_eq!(chains.root(4).0, chains.root(3).0);
        for under in joined.into_iter().rev() {
            chains.detach(under);
        }
        let after: Vec<_> = (0..6).map(|cell| chains.root(cell)).collect();
        assert_eq!(before, after);
        assert_eq!(chains.join(0, 3, false), ChainJoin::Joined(3));
    }
}
