//! The moves from and to a number.

use std::ops::ControlFlow;

use kit::puzzle::Value;
use kit::tablebase::{Slot, Successor, Walker};
use kit::{Game, Outcome, Side};

use super::graph::{Graph, split};
use super::rank::FreeSets;
use crate::geometry::{Squares, neighbours, squares};
use crate::rules::{Pieces, Position};

/// Lists moves. It keeps tables for the section of the last number.
#[derive(Debug)]
pub struct EntropyWalker<'a> {
    graph: &'a Graph,
    section: usize,
    /// The waiting pieces of the section.
    waiting: Squares,
    /// Whether some waiting piece has a neighbour of its colour: they have not reached the goal.
    is_joined: bool,
    /// The mover's pieces of each number of the section.
    movers: Box<FreeSets>,
}

impl<'a> EntropyWalker<'a> {
    pub(super) fn new(graph: &'a Graph) -> EntropyWalker<'a> {
        let waiting = graph.waiting(0);
        EntropyWalker {
            graph,
            section: 0,
            waiting,
            is_joined: is_joined(waiting),
            movers: Box::new(FreeSets::new(waiting)),
        }
    }

    /// The mover's pieces; makes the number's section that of the walker.
    #[inline]
    fn mover(&mut self, number: u64) -> Squares {
        let (section, rank) = split(number);
        if section != self.section {
            self.enter(section);
        }
        self.movers.get(self.graph.ranks(), rank)
    }

    fn enter(&mut self, section: usize) {
        self.section = section;
        self.waiting = self.graph.waiting(section);
        self.is_joined = is_joined(self.waiting);
        *self.movers = FreeSets::new(self.waiting);
    }

    /// The result of the game, for the mover.
    fn end(&self, mover: Squares) -> Option<Value> {
        if self.is_joined && is_joined(mover) {
            return None;
        }
        let outcome = self.graph.game().outcome(&position(mover, self.waiting))?;
        Some(match outcome {
            Outcome::Win(Side::P1) => Value::Win(0),
            Outcome::Win(Side::P2) => Value::Loss(0),
            Outcome::Draw => Value::Draw,
        })
    }
}

impl Walker for EntropyWalker<'_> {
    #[inline]
    fn slot(&mut self, number: u64) -> Slot {
        let mover = self.mover(number);
        let is_unused = || self.graph.section(self.waiting).number(mover) != number;
        if !self.graph.fixing(self.section).is_empty() && is_unused() {
            return Slot::Unused;
        }
        self.end(mover).map_or(Slot::Open, Slot::Known)
    }

    fn successors(&mut self, number: u64, mut visit: impl FnMut(Successor) -> ControlFlow<()>) {
        let mover = self.mover(number);
        let game = self.graph.game();
        let mut can_slide = false;
        for (from, targets) in game.slides(&position(mover, self.waiting)) {
            for to in squares(targets) {
                can_slide = true;
                let moved = mover ^ from.bit() ^ to.bit();
                let after = self.graph.section(moved).number(self.waiting);
                if visit(Successor::To(after)).is_break() {
                    return;
                }
            }
        }
        if !can_slide {
            let passed = self.graph.section(mover).number(self.waiting);
            // It is the only move, so it does not matter whether `visit` breaks.
            let _ = visit(Successor::To(passed));
        }
    }

    /// A waiting piece slides back: it had a neighbour of its colour where it came from, and each piece of its colour that was
    /// isolated then has a neighbour now, so the piece stands next to it.
    fn predecessors(&mut self, number: u64, mut visit: impl FnMut(u64)) {
        let mover = self.mover(number);
        let game = self.graph.game();
        // Before the move, the mover's pieces waited.
        let section = self.graph.section(mover);
        let moved = section.turned(self.waiting);
        let waited = section.waiting();
        let near_waited = neighbours(waited);
        for to in squares(moved) {
            let rest = moved ^ to.bit();
            let near_rest = neighbours(rest);
            for from in squares(game.reach(to, moved | waited) & near_rest) {
                let before = rest | from.bit();
                let isolated = before & !near_rest & !neighbours(from.bit()) & !near_waited;
                if isolated & !neighbours(to.bit()) == 0 {
                    visit(section.number_of_turned(before));
                }
            }
        }
        if game.must_pass(&position(moved, waited)) {
            visit(section.number_of_turned(moved));
        }
    }
}

fn is_joined(pieces: Squares) -> bool {
    pieces & neighbours(pieces) != 0
}

fn position(mover: Squares, waiting: Squares) -> Position {
    Position {
        pieces: Pieces::new(mover, waiting),
        side: Side::P1,
        passes: 0,
    }
}
