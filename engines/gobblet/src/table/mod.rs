//! The position indexing of 3x3, for endgame tables.
//!
//! A position consists of three *layers*, one for each size: the squares of the pieces of this size, of the player to
//! move and of the opponent ([`layers`]). The layers of the two larger sizes, up to the symmetries of the board, are a
//! *row*; the layer of the smallest size is a *column* ([`rows`]). A move of a larger piece therefore leads from all
//! columns of a row to those of another row in the same way, and neighbouring indices share these moves; `walker` lists
//! them. Finished positions have indices, too.

mod layers;
mod rows;
mod walker;

use kit::tablebase::{Indexing, Tabulated};
use kit::{Rejection, Side};

use crate::pieces::{Pieces, Square, Squares};
use crate::position::{Gobblet, Position};
use layers::{Layer, WIDTH};
use rows::LayerRows;

/// The positions of the smaller board.
#[derive(Debug)]
pub struct GobbletPositions {
    rows: LayerRows,
    /// For each set of squares, `true` if it contains a full line.
    has_line: [bool; layers::N_SETS],
}

impl Tabulated for Gobblet {
    type Graph = GobbletPositions;

    fn graph(&self) -> Result<GobbletPositions, Rejection> {
        let width = self.board.width;
        if width != WIDTH {
            return Err(format!("no table of Size={width}: expected Size={WIDTH}").into());
        }
        Ok(GobbletPositions {
            rows: LayerRows::new(),
            has_line: std::array::from_fn(|set| self.board.has_line(set as Squares)),
        })
    }
}

impl Indexing<Gobblet> for GobbletPositions {
    fn options(&self) -> Vec<(&'static str, String)> {
        vec![(crate::position::SIZE, WIDTH.to_string())]
    }

    fn n_indices(&self) -> u64 {
        self.rows.n_indices
    }

    fn index(&self, position: &Position) -> Option<u64> {
        let of = |side, size| position.pieces.squares_of(side, size);
        let (own, theirs) = (position.side, position.side.other());
        let layer = |size| self.rows.layers.find(of(own, size), of(theirs, size));
        let [small, middle, large] = [layer(1)?, layer(2)?, layer(3)?];
        Some(self.rows.target(large, middle).number(small))
    }

    fn position(&self, number: u64) -> Option<Position> {
        let (large, middle, small) = self.rows.layers_of(number);
        let mut pieces = Pieces::default();
        for (layer, size) in [small, middle, large].into_iter().zip(1..) {
            let Layer { own, theirs } = self.rows.layers.layer(layer);
            for (side, set) in [(Side::P1, own), (Side::P2, theirs)] {
                for square in Square::of(set) {
                    pieces.put(side, size, square);
                }
            }
        }
        Some(Position {
            pieces,
            side: Side::P1,
            reversible: 0,
        })
    }

    fn n_bytes(&self) -> u64 {
        self.rows.n_bytes()
    }
}
