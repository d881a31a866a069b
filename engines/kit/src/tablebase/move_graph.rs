//! A game's position indexing: an index for each position, and the moves between the indices.
//!
//! [`Indexing`] is enough for probing. [`MoveGraph`] adds what building requires: a [`Walker`], which lists the moves
//! from and to an index. A walker has mutable state, because positions with neighbouring indices share most of their
//! moves, and it keeps what one index has in common with the next. Choose the order of the indices so that they have
//! much in common.
//!
//! All values are from the side to move. An index therefore represents a position together with all positions that must
//! have the same value: those equivalent by a symmetry of the board, and those with the colours of the pieces and the
//! side to move exchanged, if the rules treat both colours equally.
//!
//! # Solving
//!
//! Positions are solved by their distance to the end, and moves may lead in circles. A position that is never reached is a
//! draw: a player who can avoid the loss indefinitely will do so, and the repetition rule ends the game.
//!
//! - Without sections, each distance is a sweep over all open positions by their moves forward. This suits games of a few
//!   dozen plies: the longest win of Gobblet! Jr. takes 23.
//! - With [layers](MoveGraph::layers), moves never lead in circles, and one sweep finds all distances. In SUSAN, a placement
//!   adds a stone and a slide adds to the count of slides.
//! - With [sections](MoveGraph::section_size), all predecessors of a position are in one section of the indices, which
//!   fits in the cache of a core, and each open position stores the number of its moves that do not lose yet. Memory
//!   accesses are therefore local, no position is tested twice, and only won and lost positions are processed. This
//!   needs [`Walker::predecessor_block`], [`Walker::predecessors_in`] and exact move counts. In Entropy, whose longest win
//!   takes 171 plies, a move changes one player's pieces, and a section is a placement of the other player's.
//!
//! # Memory
//!
//! An index takes one byte, which holds distances of up to 124 plies. With sections it takes two, and the lists take four
//! for each position solved at the last two distances: Entropy's 1.9e9 positions take 3.9 GiB.

use std::fmt::Debug;
use std::ops::{ControlFlow, Range};

use super::Identity;
use crate::notation::assignments;
use crate::{Game, Rejection, Value};

/// The moves between the indices of a position indexing.
pub trait MoveGraph: Send + Sync {
    /// The type that lists moves; each thread has its own value.
    type Walker<'a>: Walker
    where
        Self: 'a;

    /// Creates a walker.
    fn walker(&self) -> Self::Walker<'_>;

    /// The end of each layer of indices, in order, if each move leads to an earlier layer. The layers are contiguous and
    /// begin at index 0. Empty, the default, if moves may lead in circles.
    fn layers(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Indices in a section, at most 65,536, if all predecessors of an index are in one section. The sections are
    /// contiguous and begin at index 0. `None`, the default, if there are none.
    fn section_size(&self) -> Option<u64> {
        None
    }
}

/// A game for which tables can be built.
pub trait Tabulated: Game {
    /// The game's position indexing.
    type Graph: MoveGraph + Indexing<Self>;

    /// The position indexing with the options of this game.
    ///
    /// # Errors
    /// There is none for these options; the text names the option and what was expected.
    fn graph(&self) -> Result<Self::Graph, Rejection>;
}

/// The position indexing of a game with tables, for [`Engine::indexing`](crate::Engine::indexing).
pub fn indexing<G: Tabulated>(game: &G) -> Option<Box<dyn Indexing<G>>> {
    let graph = game.graph().ok()?;
    Some(Box::new(graph))
}

/// The location of an index's predecessors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PredecessorBlock {
    /// The section.
    pub section: u32,
    /// Identifies the index, or one of equal value by symmetry, among those whose predecessors are in this section.
    pub item: u16,
}

/// The initial state of an index, before solving.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InitialValue {
    /// A position to solve.
    Open,
    /// A position whose value is known; see [`Walker::initial_value`].
    Known(Value),
    /// No position has this index.
    Unused,
}

/// The target of a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Successor {
    /// The position with this index.
    To(u64),
    /// The end of the game, for the player who makes the move; a win or loss is one in 0 plies.
    End(Value),
}

/// Lists the moves of indexed positions.
pub trait Walker {
    /// The initial state of an index. A finished game that has an index is `Win(0)`, `Loss(0)` or `Draw`.
    ///
    /// With sections, a [`Successor::End`] must already be considered here. A position with one that wins must be
    /// `Win(1)`. A position whose successors are all ends, none of which wins, must be `Loss(1)` or `Draw`. Solving finds
    /// the rest. If finished games have indices, nothing needs to be done.
    fn initial_value(&mut self, number: u64) -> InitialValue;

    /// Calls `visit` for each legal move of an open position, until it breaks. Equal successors may be visited only
    /// once, except with sections.
    fn successors(&mut self, number: u64, visit: impl FnMut(Successor) -> ControlFlow<()>);

    /// Calls `visit` for each index in turn with its initial state and, for an open position, the number of moves that
    /// do not lose at once. Only used with sections, for indices of one of them.
    fn initial_values(&mut self, numbers: Range<u64>, mut visit: impl FnMut(InitialValue, u16)) {
        for number in numbers {
            let slot = self.initial_value(number);
            let mut n_moves = 0;
            if slot == InitialValue::Open {
                self.successors(number, |successor| {
                    n_moves += u16::from(successor != Successor::End(Value::Loss(0)));
                    ControlFlow::Continue(())
                });
            }
            visit(slot, n_moves);
        }
    }

    /// The location of an index's predecessors. Only used with sections.
    fn predecessor_block(&mut self, _number: u64) -> PredecessorBlock {
        unreachable!("a game with sections finds them")
    }

    /// Calls `visit` with the offset in its section of each predecessor, once for each move that leads from it to the
    /// index of this block. It may also pass finished positions and unused indices. Only used with
    /// sections.
    fn predecessors_in(&mut self, _origin: PredecessorBlock, _visit: impl FnMut(u16)) {
        unreachable!("a game with sections lists predecessors")
    }
}

/// A number for each position of a game by one choice of options.
pub trait Indexing<G: Game>: Debug + Send + Sync {
    /// The options that the values depend on, as `Size=3`, in a fixed order. A table is used only where all are equal.
    fn options(&self) -> Vec<(&'static str, String)>;

    /// The count of the numbers, which begin at 0.
    fn n_indices(&self) -> u64;

    /// The number of a position in a game that is not over, earlier occurrences aside; positions of equal value by
    /// symmetry have the same. `None` for a position that the table does not hold.
    fn index(&self, position: &G::Position) -> Option<u64>;

    /// A position with this number. `None` for a number that no position has.
    fn position(&self, number: u64) -> Option<G::Position>;

    /// The bytes that the indexing itself takes.
    fn n_bytes(&self) -> u64;

    /// The table with this indexing.
    fn identity(&self) -> Identity {
        Identity {
            game: G::NAME.to_owned(),
            options: assignments(self.options()),
            n_indices: self.n_indices(),
        }
    }
}
