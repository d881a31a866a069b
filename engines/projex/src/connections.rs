//! Virtual connections: pairs of nodes that a colour can connect although the other colour moves first (H-search;
//! Anshelevich 2002).
//!
//! A **connection** of two nodes (a node is a chain of stones, or an empty cell that is to get a stone) is a set of
//! empty cells, its *carrier*, in which the colour can connect the two if the opponent moves first. In a
//! **semi-connection** it can do so if it moves first. Each has a parity: odd if the path between the two changes the
//! sheet of the double cover. Two rules make new connections:
//!
//! - *and*: connections from `a` to `b` and from `b` to `c` with disjoint carriers make a connection of `a` and `c` if
//!   `b` is a chain, and a semi-connection if `b` is an empty cell, since a stone on it makes both. The parities add
//!   up.
//! - *or*: semi-connections of two nodes with the same parity, whose carriers have no common cell, make a connection.
//!   For any move of the opponent, one of them remains.
//!
//! A path from a chain to itself that changes the sheet contains a global loop. A connection of a chain with itself of
//! odd parity is therefore a virtual win, and a semi-connection is a win for the colour if it moves first. The *or*
//! rule also holds for semi-connections of different chains with themselves, because each of them wins.
//!
//! Each connection has an upper bound on the stones that its colour needs. An opponent who plays elsewhere does not
//! delay it: in the *and* rule the bounds add up, plus one for a key stone; in the *or* rule the largest one counts.

use crate::cells::Cells;
use crate::geometry::{Cell, Geometry};
use crate::position::{Colour, Position};

/// The cells of a board of at most [`MAX_PROOF_CELLS`].
pub(crate) type CellSet = Cells<1>;
pub(crate) const MAX_PROOF_CELLS: usize = 64;

/// A way to connect two nodes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct WayToConnect {
    /// The empty cells that it needs.
    pub(crate) carrier: CellSet,
    /// Maximum number of stones of its colour that it takes.
    pub(crate) n_stones: u16,
    /// Set once the *and* rule has been applied to it.
    is_done: bool,
}

/// The wins that a colour can force.
#[derive(Debug)]
pub(crate) struct Wins {
    /// Ways to win for the colour if it moves first.
    pub(crate) semi: Vec<WayToConnect>,
    /// The cells common to all their carriers; empty if the colour wins by one connection even if it moves second.
    pub(crate) common: CellSet,
    /// Maximum number of stones that such a connection takes.
    full_stones: Option<u16>,
}

impl Wins {
    /// `true` if the colour wins although the opponent moves first.
    pub(crate) fn is_full(&self) -> bool {
        !self.semi.is_empty() && self.common.is_empty()
    }

    /// Maximum number of stones that the colour needs if the opponent moves first and plays outside of the common
    /// cells.
    pub(crate) fn n_stones(&self) -> u16 {
        if let Some(n_stones) = self.full_stones {
            return n_stones;
        }
        let mut semi = self.semi.clone();
        semi.sort_by_key(|semi| semi.n_stones);
        let mut common = !CellSet::default();
        let is_enough = |win: &&WayToConnect| {
            common = common & win.carrier;
            common == self.common
        };
        let last = semi.iter().find(is_enough);
        last.map_or(0, |win| win.n_stones)
    }
}

/// Maximum numbers of connections and of semi-connections stored for two nodes and a parity.
const MAX_FULL: usize = 6;
const MAX_SEMI: usize = 12;
/// Maximum number of semi-connections combined by one application of the *or* rule.
const MAX_OR: usize = 4;
/// Maximum number of pairs of connections to which the *and* rule is applied. Size 4 needs fewer.
const MAX_PAIRS: u32 = 4_000_000;

/// Finds wins of a colour, until they have no common cell. The game must not be over, and the board must have at most
/// [`MAX_PROOF_CELLS`].
pub(crate) fn wins(board: &Geometry, position: &Position, colour: Colour) -> Wins {
    let mut search = ConnectionSearch::new(board, position, colour);
    search.run();
    search.wins
}

/// A chain or an empty cell.
#[derive(Debug, Clone, Copy)]
struct ConnectionNode {
    /// The empty cell, or a cell of the chain.
    cell: Cell,
    is_chain: bool,
}

/// Two nodes, the first not after the second, with a parity.
#[derive(Debug, Clone, Copy)]
struct Ends {
    a: usize,
    b: usize,
    is_odd: bool,
}

impl Ends {
    fn new(a: usize, b: usize, is_odd: bool) -> Ends {
        Ends {
            a: a.min(b),
            b: a.max(b),
            is_odd,
        }
    }

    fn index(self) -> usize {
        (self.b * (self.b + 1) / 2 + self.a) * 2 + usize::from(self.is_odd)
    }
}

struct ConnectionSearch {
    nodes: Vec<ConnectionNode>,
    /// Indexed by ends.
    full: Vec<Vec<WayToConnect>>,
    semi: Vec<Vec<WayToConnect>>,
    /// Connections to which the *and* rule has yet to be applied, by the size of their carriers.
    queue: Vec<Vec<(Ends, WayToConnect)>>,
    /// Lower bound on the carrier size of queued connections.
    smallest: usize,
    /// Remaining number of pairs of connections to try.
    pairs_left: u32,
    wins: Wins,
}

impl ConnectionSearch {
    fn new(board: &Geometry, position: &Position, colour: Colour) -> ConnectionSearch {
        let mut search = ConnectionSearch {
            nodes: Vec::new(),
            full: Vec::new(),
            semi: Vec::new(),
            queue: vec![Vec::new(); board.n_cells() + 1],
            smallest: 0,
            pairs_left: MAX_PAIRS,
            wins: Wins {
                semi: Vec::new(),
                common: !CellSet::default(),
                full_stones: None,
            },
        };
        search.add_steps(board, position, colour);
        search
    }

    /// Creates the nodes, and connects adjacent ones.
    fn add_steps(&mut self, board: &Geometry, position: &Position, colour: Colour) {
        let mut node_of = vec![None; board.n_cells()];
        // The node of each cell, with the cell's sheet in it.
        let mut places = vec![None; board.n_cells()];
        for cell in board.cells() {
            let (root, is_odd) = match position.stone(cell) {
                None => (cell, false),
                Some(stone) if stone == colour => position.chain_and_sheet(cell),
                Some(_) => continue,
            };
            let node = *node_of[usize::from(root)].get_or_insert_with(|| {
                let is_chain = position.stone(cell).is_some();
                self.nodes.push(ConnectionNode { cell, is_chain });
                self.nodes.len() - 1
            });
            places[usize::from(cell)] = Some((node, is_odd));
        }
        let n_ends = self.nodes.len() * (self.nodes.len() + 1);
        self.full.resize(n_ends, Vec::new());
        self.semi.resize(n_ends, Vec::new());
        let touching = WayToConnect {
            carrier: CellSet::default(),
            n_stones: 0,
            is_done: false,
        };
        for cell in board.cells() {
            for (next, is_crossing) in board.steps(cell).filter(|step| step.0 > cell) {
                let (from, to) = (places[usize::from(cell)], places[usize::from(next)]);
                if let (Some((a, odd_a)), Some((b, odd_b))) = (from, to)
                    && a != b
                {
                    self.add_full(Ends::new(a, b, odd_a ^ is_crossing ^ odd_b), touching);
                }
            }
        }
    }

    fn run(&mut self) {
        while self.smallest < self.queue.len() && self.pairs_left > 0 && !self.wins.is_full() {
            match self.queue[self.smallest].pop() {
                Some((ends, connection)) => self.extend(ends, connection),
                None => self.smallest += 1,
            }
        }
    }

    /// Applies the *and* rule to a connection and each of those already processed.
    fn extend(&mut self, ends: Ends, connection: WayToConnect) {
        let kept = &mut self.full[ends.index()];
        let found = kept.iter_mut().find(|kept| **kept == connection);
        // A smaller one may have replaced it.
        let Some(found) = found else {
            return;
        };
        found.is_done = true;
        let Ends { a, b, is_odd } = ends;
        if a == b {
            return;
        }
        for (outer, middle) in [(a, b), (b, a)] {
            for far in (0..self.nodes.len()).filter(|&far| far != middle) {
                for far_is_odd in [false, true] {
                    let is_odd = is_odd ^ far_is_odd;
                    if far != outer || is_odd {
                        let last = Ends::new(middle, far, far_is_odd);
                        self.and((outer, middle, far, is_odd), connection, last);
                    }
                }
            }
        }
    }

    fn and(
        &mut self,
        (outer, middle, far, is_odd): (usize, usize, usize, bool),
        connection: WayToConnect,
        last: Ends,
    ) {
        let n_last = self.full[last.index()].len();
        self.pairs_left = self.pairs_left.saturating_sub(n_last as u32);
        for i in 0..n_last {
            // Adding to other ends does not change this list.
            let other = self.full[last.index()][i];
            if !other.is_done
                || !(connection.carrier & other.carrier).is_empty()
                || self.uses(other, outer)
                || self.uses(connection, far)
            {
                continue;
            }
            let both = WayToConnect {
                carrier: connection.carrier | other.carrier,
                n_stones: connection.n_stones + other.n_stones,
                ..connection
            };
            let ends = Ends::new(outer, far, is_odd);
            let ConnectionNode { cell, is_chain } = self.nodes[middle];
            if is_chain {
                self.add_full(ends, both);
            } else {
                self.add_semi(ends, by_key(both, cell));
            }
        }
    }

    /// `true` if a connection needs the cell of a node.
    fn uses(&self, connection: WayToConnect, node: usize) -> bool {
        let ConnectionNode { cell, is_chain } = self.nodes[node];
        !is_chain && connection.carrier.contains(cell)
    }

    fn add_full(&mut self, ends: Ends, new: WayToConnect) {
        if !keep(&mut self.full[ends.index()], new, MAX_FULL) {
            return;
        }
        self.semi[ends.index()].retain(|old| !new.carrier.is_subset(old.carrier));
        self.smallest = self.smallest.min(new.carrier.len());
        self.queue[new.carrier.len()].push((ends, new));
        if ends.a == ends.b {
            self.add_full_win(self.nodes[ends.a], new);
        }
    }

    /// Adds the win by a connection of a node with itself.
    fn add_full_win(&mut self, node: ConnectionNode, full: WayToConnect) {
        if !node.is_chain {
            return self.add_win(by_key(full, node.cell));
        }
        // The colour may begin anywhere in the carrier.
        self.wins.semi.push(WayToConnect {
            n_stones: full.n_stones + 1,
            ..full
        });
        self.wins.common = CellSet::default();
        self.wins.full_stones = Some(full.n_stones);
    }

    fn add_semi(&mut self, ends: Ends, new: WayToConnect) {
        if ends.a == ends.b && self.nodes[ends.a].is_chain {
            return self.add_win(new);
        }
        if is_covered(&self.full[ends.index()], new)
            || !keep(&mut self.semi[ends.index()], new, MAX_SEMI)
        {
            return;
        }
        self.or(ends, new);
    }

    /// Applies the *or* rule to a new semi-connection and others of its ends.
    fn or(&mut self, ends: Ends, new: WayToConnect) {
        let others = &self.semi[ends.index()];
        let common = others
            .iter()
            .fold(new.carrier, |common, semi| common & semi.carrier);
        if !common.is_empty() {
            return;
        }
        let mut found = Vec::new();
        disjoint_unions(others, new.carrier, new, MAX_OR - 1, &mut found);
        for full in found {
            self.add_full(ends, full);
        }
    }

    fn add_win(&mut self, new: WayToConnect) {
        if !keep(&mut self.wins.semi, new, usize::MAX) {
            return;
        }
        self.wins.common = self.wins.common & new.carrier;
    }
}

/// `true` if one of these needs no cell that the new one does not need.
fn is_covered(known: &[WayToConnect], new: WayToConnect) -> bool {
    known.iter().any(|old| old.carrier.is_subset(new.carrier))
}

/// Adds a connection in place of those that need its cells and more. At most `max` are kept, the smallest. Returns
/// `false` if it is not one of them.
fn keep(known: &mut Vec<WayToConnect>, new: WayToConnect, max: usize) -> bool {
    if is_covered(known, new) {
        return false;
    }
    known.retain(|old| !new.carrier.is_subset(old.carrier));
    if known.len() == max {
        let largest = (0..max).max_by_key(|&i| known[i].carrier.len());
        let largest = largest.expect("it is full");
        if known[largest].carrier.len() <= new.carrier.len() {
            return false;
        }
        known.swap_remove(largest);
    }
    known.push(new);
    true
}

/// The semi-connection that begins with a stone on this cell.
fn by_key(mut rest: WayToConnect, key: Cell) -> WayToConnect {
    rest.carrier.insert(key);
    rest.n_stones += 1;
    rest
}

/// Appends to `found` the connections by the *or* rule that combine `joined`, whose parts have the cells `common` in
/// common, with up to `n_more` of `others`.
fn disjoint_unions(
    others: &[WayToConnect],
    common: CellSet,
    joined: WayToConnect,
    n_more: usize,
    found: &mut Vec<WayToConnect>,
) {
    if n_more == 0 {
        return;
    }
    for (i, other) in others.iter().enumerate() {
        let left = common & other.carrier;
        if left == common {
            continue;
        }
        let union = WayToConnect {
            carrier: joined.carrier | other.carrier,
            n_stones: joined.n_stones.max(other.n_stones),
            ..joined
        };
        if left.is_empty() {
            found.push(union);
        } else {
            disjoint_unions(&others[i + 1..], left, union, n_more - 1, found);
        }
    }
}
