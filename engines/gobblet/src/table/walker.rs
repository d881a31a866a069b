//! The moves to and from an indexed position.
//!
//! Moves of large and middle pieces do not depend on the small ones, so they are listed once per row. Moves of small
//! pieces all lead to one row.

use std::ops::{ControlFlow, Range};

use kit::Value;
use kit::bits::bits;
use kit::tablebase::{InitialValue, Successor, Walker};

use super::GobbletPositions;
use super::layers::{Layer, LayerNumber, Mask, N_SQUARES};
use super::rows::Target;

const ALL: Mask = (1 << N_SQUARES) - 1;

/// Lists moves; keeps those of the last row.
#[derive(Debug)]
pub struct GobbletWalker<'a> {
    positions: &'a GobbletPositions,
    numbers: Range<u64>,
    columns: &'a [LayerNumber],
    large: LayerNumber,
    middle: LayerNumber,
    /// Squares without a large or middle piece.
    free: Mask,
    /// The squares with visible large and middle pieces.
    visible: Layer,
    /// The row after a move of a small piece, in either direction.
    small: Target<'a>,
    /// The rows after each move of a larger piece; empty until needed.
    forward: Vec<Target<'a>>,
    /// The rows before each move of a larger piece; empty until needed.
    backward: Vec<Target<'a>>,
}

/// The direction of moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Way {
    /// The player to move places or moves pieces.
    Forward,
    /// The opponent's last move is taken back.
    Backward,
}

impl<'a> GobbletWalker<'a> {
    pub(super) fn new(positions: &'a GobbletPositions) -> GobbletWalker<'a> {
        let nothing = Layer { own: 0, theirs: 0 };
        GobbletWalker {
            positions,
            numbers: 0..0,
            columns: &[],
            large: 0,
            middle: 0,
            free: 0,
            visible: nothing,
            small: positions.rows.swapped(0, 0),
            forward: Vec::new(),
            backward: Vec::new(),
        }
    }

    /// The layer of small pieces of an index, after switching to its row.
    #[inline]
    fn seek(&mut self, number: u64) -> LayerNumber {
        if !self.numbers.contains(&number) {
            self.seek_row(number);
        }
        self.columns[(number - self.numbers.start) as usize]
    }

    fn seek_row(&mut self, number: u64) {
        let rows = &self.positions.rows;
        let row = rows.row_of(number);
        self.columns = rows.columns(row);
        self.numbers = row.first()..row.first() + self.columns.len() as u64;
        (self.large, self.middle) = row.layers();
        let (large, middle) = (
            rows.layers.layer(self.large),
            rows.layers.layer(self.middle),
        );
        let uncovered = ALL & !(large.own | large.theirs);
        self.free = uncovered & !(middle.own | middle.theirs);
        self.visible = Layer {
            own: large.own | middle.own & uncovered,
            theirs: large.theirs | middle.theirs & uncovered,
        };
        self.small = rows.swapped(self.large, self.middle);
        self.forward.clear();
        self.backward.clear();
    }

    /// The rows that moves of larger pieces lead to.
    fn rows(&self, way: Way) -> Vec<Target<'a>> {
        let rows = &self.positions.rows;
        let (large, middle) = (
            rows.layers.layer(self.large),
            rows.layers.layer(self.middle),
        );
        let uncovered = ALL & !(large.own | large.theirs);
        let mut targets = Vec::new();
        self.each_change(large, ALL, uncovered, way, |large| {
            targets.push(rows.swapped(large, self.middle));
        });
        self.each_change(middle, uncovered, self.free, way, |middle| {
            targets.push(rows.swapped(self.large, middle));
        });
        targets
    }

    /// Calls `visit` with each layer that a move of its pieces leads to. Pieces on `loose` squares can move, to `free`
    /// ones.
    #[inline]
    fn each_change(
        &self,
        layer: Layer,
        loose: Mask,
        free: Mask,
        way: Way,
        mut visit: impl FnMut(LayerNumber),
    ) {
        let Layer { own, theirs } = layer;
        let layers = &self.positions.rows.layers;
        match way {
            Way::Forward => {
                if own.count_ones() < 2 {
                    bits(free).for_each(|to| visit(layers.number(own | 1 << to, theirs)));
                }
                for from in bits(own & loose) {
                    let rest = own & !(1 << from);
                    bits(free).for_each(|to| visit(layers.number(rest | 1 << to, theirs)));
                }
            }
            Way::Backward => {
                for to in bits(theirs & loose) {
                    let rest = theirs & !(1 << to);
                    visit(layers.number(own, rest));
                    bits(free).for_each(|from| visit(layers.number(own, rest | 1 << from)));
                }
            }
        }
    }

    /// As [`each_change`](Moves::each_change) for the small pieces, with the resulting indices.
    #[inline]
    fn each_small(&self, small: LayerNumber, way: Way, mut visit: impl FnMut(u64)) {
        let layer = self.positions.rows.layers.layer(small);
        let free = self.free & !(layer.own | layer.theirs);
        self.each_change(layer, self.free, free, way, |small| {
            visit(self.small.number(small))
        });
    }
}

impl Walker for GobbletWalker<'_> {
    fn initial_value(&mut self, number: u64) -> InitialValue {
        let small = self.seek(number);
        let Layer { own, theirs } = self.positions.rows.layers.layer(small);
        let has_line = |set: Mask| self.positions.has_line[usize::from(set)];
        // The opponent moved last: a line that the move exposes takes precedence.
        if has_line(self.visible.own | own & self.free) {
            InitialValue::Known(Value::Win(0))
        } else if has_line(self.visible.theirs | theirs & self.free) {
            InitialValue::Known(Value::Loss(0))
        } else {
            InitialValue::Open
        }
    }

    fn successors(&mut self, number: u64, mut visit: impl FnMut(Successor) -> ControlFlow<()>) {
        let small = self.seek(number);
        if self.forward.is_empty() {
            self.forward = self.rows(Way::Forward);
        }
        for target in &self.forward {
            if visit(Successor::To(target.number(small))).is_break() {
                return;
            }
        }
        let mut is_done = false;
        self.each_small(small, Way::Forward, |number| {
            is_done = is_done || visit(Successor::To(number)).is_break();
        });
    }

    fn predecessors(&mut self, number: u64, mut visit: impl FnMut(u64)) {
        let small = self.seek(number);
        if self.backward.is_empty() {
            self.backward = self.rows(Way::Backward);
        }
        for target in &self.backward {
            visit(target.number(small));
        }
        self.each_small(small, Way::Backward, visit);
    }
}
