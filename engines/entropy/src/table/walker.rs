//! The moves from and to an index.

use std::ops::{ControlFlow, Range};

use kit::Value;
use kit::bits::bits;
use kit::tablebase::{InitialValue, MoveGraph, PredecessorBlock, Successor, Walker};
use kit::{Game, Side};

use super::rank::{FreeSets, N_FREE_SETS};
use super::symmetry::N_SYMMETRIES;
use super::{EntropyPositions, split};
use crate::geometry::{BOARD, RANK, SIDE, Square, Squares, neighbours, reach};
use crate::position::{Pieces, Position};

/// Number of positions whose slides are counted together with vector instructions.
const N_AT_ONCE: usize = 64;

/// Lists moves. It keeps tables for the section of the last index.
#[derive(Debug)]
pub struct EntropyWalker<'a> {
    graph: &'a EntropyPositions,
    section: usize,
    /// The waiting pieces of the section.
    waiting: Squares,
    /// The squares not taken by the waiting pieces.
    free: Box<FreeSets>,
}

impl MoveGraph for EntropyPositions {
    type Walker<'a> = EntropyWalker<'a>;

    fn walker(&self) -> EntropyWalker<'_> {
        let waiting = self.waiting(0);
        EntropyWalker {
            graph: self,
            section: 0,
            waiting,
            free: Box::new(FreeSets::new(waiting)),
        }
    }

    fn section_size(&self) -> Option<u64> {
        Some(N_FREE_SETS as u64)
    }
}

impl EntropyWalker<'_> {
    /// Switches to the section of an index and returns the mover's pieces.
    #[inline]
    fn mover(&mut self, number: u64) -> Squares {
        let (section, rank) = split(number);
        self.enter(section);
        self.free.get(&self.graph.ranks, rank)
    }

    #[inline]
    fn enter(&mut self, section: usize) {
        if section != self.section {
            self.section = section;
            self.waiting = self.graph.waiting(section);
            *self.free = FreeSets::new(self.waiting);
        }
    }

    /// The result of the game for the mover.
    fn end(&self, mover: Squares) -> Option<Value> {
        let outcome = self.graph.game.outcome(&position(mover, self.waiting))?;
        Some(Value::of(outcome, Side::P1))
    }

    /// Takes back the last move of the pieces `moved`, against the section's waiting pieces. Calls `visit` with the
    /// offset in the section of each position before the move.
    ///
    /// A piece slides back to a square on which it had a neighbour of its colour. A move must give a neighbour to every
    /// piece that was isolated before it, so the square must be next to every piece of its colour that is isolated now.
    #[inline]
    fn unmove(&self, moved: Squares, mut visit: impl FnMut(u16)) {
        let ranks = &self.graph.ranks;
        let occupied = moved | self.waiting;
        let near_waiting = neighbours(self.waiting);
        let bits = Square::of(moved).fold(0, |bits, square| bits | self.free.bit(square));
        for to in Square::of(moved) {
            let rest = moved ^ to.bit();
            let near_rest = neighbours(rest);
            // Isolated pieces. Before the move, only a piece on the origin can have been their neighbour.
            let apart = rest & !near_rest & !near_waiting & !neighbours(to.bit());
            let before =
                Square::of(apart).fold(near_rest, |before, piece| before & neighbours(piece.bit()));
            let bits = bits ^ self.free.bit(to);
            for from in Square::of(reach(to, occupied) & before) {
                visit(ranks.of_free_bits(bits | self.free.bit(from)) as u16);
            }
        }
        if self.must_pass(moved) {
            visit(ranks.of_free_bits(bits) as u16);
        }
    }

    /// `true` if the mover has no slide, against the waiting pieces.
    #[inline]
    fn must_pass(&self, mover: Squares) -> bool {
        let near = neighbours(mover);
        let is_in_check = mover & !near & !neighbours(self.waiting) != 0;
        if is_in_check {
            return self.graph.game.must_pass(&position(mover, self.waiting));
        }
        neighbours(mover & near) & BOARD & !(mover | self.waiting) == 0
    }
}

impl Walker for EntropyWalker<'_> {
    #[inline]
    fn initial_value(&mut self, number: u64) -> InitialValue {
        let mover = self.mover(number);
        // Another index of the section may represent the same position.
        if self.graph.fixing(self.section) != 0
            && self.graph.section(self.waiting).number(mover) != number
        {
            return InitialValue::Unused;
        }
        self.end(mover)
            .map_or(InitialValue::Open, InitialValue::Known)
    }

    fn initial_values(&mut self, numbers: Range<u64>, mut visit: impl FnMut(InitialValue, u16)) {
        self.enter(split(numbers.start).0);
        let is_joined = self.waiting & neighbours(self.waiting) != 0;
        let is_plain = is_joined && self.graph.fixing(self.section) == 0;
        let mut first = numbers.start;
        while first < numbers.end {
            let n = (numbers.end - first).min(N_AT_ONCE as u64) as usize;
            let mut movers = [0; N_AT_ONCE];
            let (_, rank) = split(first);
            for (mover, rank) in movers[..n].iter_mut().zip(rank..) {
                *mover = self.free.get(&self.graph.ranks, rank);
            }
            let counts = count_moves(&movers, self.waiting);
            for (i, number) in (0..n).zip(first..) {
                if is_plain && counts[i] > 0 {
                    visit(InitialValue::Open, counts[i] as u16);
                    continue;
                }
                let slot = self.initial_value(number);
                let n_moves = match slot {
                    InitialValue::Open => {
                        let position = position(movers[i], self.waiting);
                        self.graph.game.count_moves(&position)
                    }
                    InitialValue::Known(_) | InitialValue::Unused => 0,
                };
                visit(slot, n_moves as u16);
            }
            first += n as u64;
        }
    }

    fn successors(&mut self, number: u64, mut visit: impl FnMut(Successor) -> ControlFlow<()>) {
        let mover = self.mover(number);
        let game = &self.graph.game;
        let mut can_slide = false;
        for (from, targets) in game.slides(&position(mover, self.waiting)) {
            for to in Square::of(targets) {
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

    /// A move changes the pieces of the player who then waits. The other player's pieces waited before it: they are the
    /// section.
    #[inline]
    fn predecessor_block(&mut self, number: u64) -> PredecessorBlock {
        let mover = self.mover(number);
        self.graph.section(mover).predecessor_block(self.waiting)
    }

    #[inline]
    fn predecessors_in(&mut self, block_before: PredecessorBlock, mut visit: impl FnMut(u16)) {
        self.enter(block_before.section as usize);
        let moved = self.free.get(&self.graph.ranks, block_before.item.into());
        self.unmove(moved, &mut visit);
        // A symmetry that preserves the section may map these pieces to other squares: moves lead there, too.
        let mut images = [moved; N_SYMMETRIES];
        for (i, symmetry) in (1..).zip(bits(self.graph.fixing(self.section))) {
            images[i] = self.graph.symmetries.image(symmetry.into(), moved);
            if !images[..i].contains(&images[i]) {
                self.unmove(images[i], &mut visit);
            }
        }
    }
}

/// Counts the moves of each of these movers. The count is 0 if more than one piece is isolated and if no piece can
/// move; these rare cases are examined one by one.
///
/// The code has no branches, so that it compiles to vector instructions.
#[inline(never)]
fn count_moves(movers: &[Squares; N_AT_ONCE], waiting: Squares) -> [u32; N_AT_ONCE] {
    let near_waiting = neighbours(waiting);
    let mut counts = [0; N_AT_ONCE];
    for (count, &mover) in counts.iter_mut().zip(movers) {
        let near = neighbours(mover);
        let empty = BOARD & !(mover | waiting);
        let mobile = mover & near;
        let isolated = mover & !near & !near_waiting;
        let targets = if isolated == 0 {
            empty
        } else {
            neighbours(isolated) & empty
        };
        let n_slides = count_slides::<1>(mobile, empty, targets)
            + count_slides::<{ RANK - 1 }>(mobile, empty, targets)
            + count_slides::<RANK>(mobile, empty, targets)
            + count_slides::<{ RANK + 1 }>(mobile, empty, targets);
        let is_rare = mobile == 0 || isolated & isolated.wrapping_sub(1) != 0;
        *count = if is_rare { 0 } else { n_slides.max(1) };
    }
    counts
}

/// Counts the slides that end on the targets in this direction and in the opposite one. All pieces slide at once, one
/// step at a time; no two reach the same square in one direction.
#[inline(always)]
fn count_slides<const SHIFT: u8>(mobile: Squares, empty: Squares, targets: Squares) -> u32 {
    let (mut up, mut down) = (mobile, mobile);
    let (mut above, mut below) = (0, 0);
    for _ in 1..SIDE {
        up = up << SHIFT & empty;
        down = down >> SHIFT & empty;
        above |= up;
        below |= down;
    }
    (above & targets).count_ones() + (below & targets).count_ones()
}

fn position(mover: Squares, waiting: Squares) -> Position {
    Position {
        pieces: Pieces::new(mover, waiting),
        side: Side::P1,
        passes: 0,
    }
}
