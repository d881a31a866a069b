//! What a game says of its positions: a number for each, and the moves between the numbers.
//!
//! [`Numbering`] is all that probing needs. [`MoveGraph`] adds what building needs: a [`Walker`], which lists the moves from and
//! to a number. A walker has mutable state, because positions with neighbouring numbers share most of their moves: it
//! keeps what the last number and the next have in common. Order the numbers so that this is much.
//!
//! All values are from the side to move. So a number stands for a position and for all that have the same value: those
//! that a symmetry of the board gives, and those with the colours of the pieces and the side to move exchanged, where the
//! rules treat both colours alike.
//!
//! # Solving orders
//!
//! - [`Order::Layers`]: every move leads to an earlier layer. Each position is looked at once, by its moves forward.
//!   Use it where each move makes something that no move takes back, a counter included.
//! - [`Order::Distance`]: moves may lead in circles. Positions are found by their distance to the end, from the ends
//!   backward. A position that is never found is a draw: a player who can avoid the loss for ever does so, and the
//!   repetition rule ends the game. It needs [`Walker::predecessors`]. A candidate for a loss is tested by its moves forward,
//!   at each distance where one of its moves becomes a loss. A block of numbers in which nothing was found at one distance is
//!   skipped at the next.
//! - [`Order::Sections`]: by the distance, too. All predecessors of a position lie in one section of the numbers, which fits the
//!   cache of a core, and each open position counts its moves that do not lose yet. So no value is read far away, no position is tested twice,
//!   and only won and lost positions are work. It needs [`Walker::origin`], [`Walker::predecessors_in`] and exact counts of
//!   moves. Use it where there are such sections: in Entropy a move changes one player's pieces, and those of the other player
//!   are the section.
//!
//! # Memory
//!
//! A number takes one byte if the game [promises](MoveGraph::MAX_PLIES) that no end is farther away than
//! [`MAX_PLIES_OF_BYTE`] plies, and two bytes otherwise or where moves are counted. On top come a flag for each pass and 1,024 numbers
//! by [`Order::Distance`], and lists of an eighth of a byte a number by [`Order::Sections`]. 1.9e9 positions of
//! Entropy so take 3.9 GiB.

use std::fmt::Debug;
use std::ops::{ControlFlow, Range};

use crate::puzzle::Value;
use crate::{Game, Rejection};

/// The longest distance in plies that a byte holds.
pub const MAX_PLIES_OF_BYTE: u32 = 125;

/// The longest distance in plies that a table file holds.
pub const MAX_PLIES: u32 = 255;

/// A number for each position of a game by one choice of options.
pub trait Numbering<G: Game>: Debug + Send + Sync {
    /// The options that the values depend on, as `Size=3`, in a fixed order. A table is used only where all are equal.
    fn options(&self) -> Vec<(&'static str, String)>;

    /// How many numbers there are, from 0.
    fn n_numbers(&self) -> u64;

    /// The number of a position in a game that is not over, earlier occurrences aside; positions of equal value by
    /// symmetry have the same. `None` for a position that the table does not hold.
    fn number(&self, position: &G::Position) -> Option<u64>;

    /// A position with this number. `None` for a number that no position has.
    fn position(&self, number: u64) -> Option<G::Position>;

    /// The bytes that the numbering itself takes.
    fn n_bytes(&self) -> u64;
}

/// A numbering with the moves between the numbers.
pub trait MoveGraph<G: Game>: Numbering<G> {
    /// No end is farther away than so many plies; at most [`MAX_PLIES`]. Building ends with an error if this is wrong.
    const MAX_PLIES: u32;

    /// Lists moves; each thread has its own.
    type Walker<'a>: Walker
    where
        Self: 'a;

    /// A new walker.
    fn walker(&self) -> Self::Walker<'_>;

    /// The order in which to solve.
    fn order(&self) -> Order;
}

/// A game of which tables can be built.
pub trait Tabulated: Game {
    /// Its numbering.
    type Graph: MoveGraph<Self>;

    /// The numbering by the options of this game.
    ///
    /// # Errors
    /// There is none by these options; the text names the option and what was expected.
    fn graph(&self) -> Result<Self::Graph, Rejection>;
}

/// The order in which positions are solved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Order {
    /// Layer by layer: all moves from a position lead into earlier layers or end the game. The layers together are all numbers.
    Layers(Vec<Range<u64>>),
    /// By the distance to the end of the game, backward from the ends.
    Distance,
    /// The same, where all predecessors of a number lie in one section.
    Sections {
        /// Numbers in a section, at most 65,536; the sections stand one after the other, from number 0.
        size: u64,
    },
}

/// Where the predecessors of a number are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// The section.
    pub section: u32,
    /// Stands for the number, or for one of equal value by symmetry, among those that have their predecessors in this section.
    pub item: u16,
}

/// The end of a game, from the player who is said beside it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// He wins.
    Win,
    /// He loses.
    Loss,
    /// Neither wins.
    Draw,
}

/// What stands at a number before anything is solved.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Slot {
    /// A position to be solved.
    Open,
    /// A position whose value is known, as by [`Walker::slot`].
    Known(Value),
    /// No position has this number.
    Unused,
}

/// Where a move leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Successor {
    /// To this number.
    To(u64),
    /// To the end of the game, from the player who makes the move.
    End(Ending),
}

/// Lists the moves of numbered positions.
pub trait Walker {
    /// What stands at a number. A finished game that has a number is `Win(0)`, `Loss(0)` or `Draw`.
    ///
    /// In [`Order::Distance`] and [`Order::Sections`] a [`Successor::End`] is not looked at before this: a position with one that wins must be
    /// `Win(1)` here, and one that has no other successors, none of which wins, must be `Loss(1)` or `Draw`. Solving finds the
    /// rest. Where finished games have numbers there is nothing to do.
    fn slot(&mut self, number: u64) -> Slot;

    /// Calls `visit` for each legal move of an open position, until it breaks. Equal successors may be visited once, except in
    /// [`Order::Sections`].
    fn successors(&mut self, number: u64, visit: impl FnMut(Successor) -> ControlFlow<()>);

    /// Calls `visit` with every number that has a move to this one; it may also be called with finished positions, and more
    /// than once with the same. Only [`Order::Distance`] asks for it.
    fn predecessors(&mut self, _number: u64, _visit: impl FnMut(u64)) {
        unreachable!("a game that is solved by distance lists predecessors")
    }

    /// Calls `visit` for each number in turn with what stands there, and in how many ways an open position can be left
    /// without losing at once. Only [`Order::Sections`] asks for it, with numbers of one section.
    fn slots(&mut self, numbers: Range<u64>, mut visit: impl FnMut(Slot, u16)) {
        for number in numbers {
            let slot = self.slot(number);
            let mut n_moves = 0;
            if slot == Slot::Open {
                self.successors(number, |successor| {
                    n_moves += u16::from(successor != Successor::End(Ending::Loss));
                    ControlFlow::Continue(())
                });
            }
            visit(slot, n_moves);
        }
    }

    /// Where the predecessors of a number are. Only [`Order::Sections`] asks for it.
    fn origin(&mut self, _number: u64) -> Origin {
        unreachable!("a game that is solved by sections finds them")
    }

    /// Calls `visit` with the place in its section of each predecessor, as often as a move leads from it to the number of
    /// this origin; it may also be called with finished positions and unused numbers. Only [`Order::Sections`] asks for it.
    fn predecessors_in(&mut self, _origin: Origin, _visit: impl FnMut(u16)) {
        unreachable!("a game that is solved by sections lists predecessors")
    }
}
