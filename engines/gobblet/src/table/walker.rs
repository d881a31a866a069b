//! The moves from an indexed position.
//!
//! Moves of large and middle pieces do not depend on the small ones, so they are listed once per row. Moves of small
//! pieces all lead to one row.

use std::ops::{ControlFlow, Range};

use kit::Value;
use kit::bits::bits;
use kit::tablebase::{InitialValue, MoveGraph, Successor, Walker};

use super::GobbletPositions;
use super::layers::{ALL, Layer, LayerNumber};
use super::rows::Target;
use crate::pieces::Squares;

/// Lists moves; keeps those of the last row.
#[derive(Debug)]
pub struct GobbletWalker<'a> {
    positions: &'a GobbletPositions,
    numbers: Range<u64>,
    columns: &'a [LayerNumber],
    large: LayerNumber,
    middle: LayerNumber,
    /// Squares without a large or middle piece.
    free: Squares,
    /// The squares with visible large and middle pieces.
    visible: Layer,
    /// The row after a move of a small piece.
    after_small: Target<'a>,
    /// The rows after each move of a larger piece; empty until needed.
    after_larger: Vec<Target<'a>>,
}

impl MoveGraph for GobbletPositions {
    type Walker<'a> = GobbletWalker<'a>;

    fn walker(&self) -> GobbletWalker<'_> {
        GobbletWalker {
            positions: self,
            numbers: 0..0,
            columns: &[],
            large: 0,
            middle: 0,
            free: 0,
            visible: Layer { own: 0, theirs: 0 },
            after_small: self.rows.swapped(0, 0),
            after_larger: Vec::new(),
        }
    }
}

impl GobbletWalker<'_> {
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
        self.numbers = row.first..row.first + self.columns.len() as u64;
        (self.large, self.middle) = (row.large, row.middle);
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
        self.after_small = rows.swapped(self.large, self.middle);
        self.after_larger.clear();
    }

    /// Lists the rows that moves of larger pieces lead to.
    fn list_larger(&mut self) {
        let rows = &self.positions.rows;
        let (large, middle) = (
            rows.layers.layer(self.large),
            rows.layers.layer(self.middle),
        );
        let uncovered = ALL & !(large.own | large.theirs);
        each_move(large, ALL, uncovered, |own| {
            let large = rows.layers.number(own, large.theirs);
            self.after_larger.push(rows.swapped(large, self.middle));
        });
        each_move(middle, uncovered, self.free, |own| {
            let middle = rows.layers.number(own, middle.theirs);
            self.after_larger.push(rows.swapped(self.large, middle));
        });
    }
}

/// Calls `visit` with the mover's pieces after each move in a layer. Pieces on `loose` squares can move, to `free` ones.
#[inline]
fn each_move(layer: Layer, loose: Squares, free: Squares, mut visit: impl FnMut(Squares)) {
    let own = layer.own;
    if own.count_ones() < 2 {
        bits(free).for_each(|to| visit(own | 1 << to));
    }
    for from in bits(own & loose) {
        let rest = own & !(1 << from);
        bits(free).for_each(|to| visit(rest | 1 << to));
    }
}

impl Walker for GobbletWalker<'_> {
    fn initial_value(&mut self, number: u64) -> InitialValue {
        let small = self.seek(number);
        let Layer { own, theirs } = self.positions.rows.layers.layer(small);
        let has_line = |set: Squares| self.positions.has_line[usize::from(set)];
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
        if self.after_larger.is_empty() {
            self.list_larger();
        }
        let layers = &self.positions.rows.layers;
        let swapped = layers.swapped(small);
        for target in &self.after_larger {
            if visit(Successor::To(target.number(swapped))).is_break() {
                return;
            }
        }
        let layer = layers.layer(small);
        let free = self.free & !(layer.own | layer.theirs);
        let mut is_done = false;
        each_move(layer, self.free, free, |own| {
            let after = self.after_small.number(layers.number(layer.theirs, own));
            is_done = is_done || visit(Successor::To(after)).is_break();
        });
    }
}
