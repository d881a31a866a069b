//! The inputs of the learned evaluation: one for each cell, given by its content and that of its neighbours, up to
//! rotation and reflection. The same network therefore serves boards of every size.

use std::sync::{Arc, LazyLock};

use kit::network::{FeaturePair, Network, PlacedInput};
use kit::{NetworkInputs, Side};

use crate::cells::{CENTRE, Cell};
use crate::geometry::{CLOCKWISE, Geometry};
use crate::position::{Move, Position, Susan};

/// Number of patterns around a cell: bits for neighbours with own stones, and with enemy stones; both bits are set for
/// a neighbour beyond the edge.
const PATTERNS: usize = 1 << 12;

/// Number of patterns up to symmetry, by Burnside's lemma.
const CLASSES: usize = 430;

/// The class of each pattern.
static CLASS: LazyLock<Box<[u16; PATTERNS]>> = LazyLock::new(|| {
    let mut classes = Box::new([0; PATTERNS]);
    let mut count = 0;
    for pattern in 0..PATTERNS {
        let least = symmetric(pattern as u16).min().expect("twelve symmetries");
        classes[pattern] = if usize::from(least) == pattern {
            count += 1;
            count - 1
        } else {
            classes[usize::from(least)]
        };
    }
    classes
});

/// Number of inputs: the classes for each of three states of the cell.
const N_INPUTS: usize = 3 * CLASSES;

/// The images of a pattern under all twelve symmetries of the hexagon.
fn symmetric(pattern: u16) -> impl Iterator<Item = u16> {
    let moved = move |way: &dyn Fn(usize) -> usize| {
        (0..6).fold(0, |sum, i| {
            let (from, to) = (CLOCKWISE[i], CLOCKWISE[way(i) % 6]);
            sum | (pattern >> from & 1) << to | (pattern >> (6 + from) & 1) << (6 + to)
        })
    };
    (0..6).flat_map(move |by| [moved(&|i| i + by), moved(&|i| by + 6 - i)])
}

impl NetworkInputs<Susan> for Susan {
    fn n_inputs(&self) -> usize {
        N_INPUTS
    }

    fn network(&self) -> Option<&Arc<Network>> {
        Some(&self.network)
    }

    fn with_network(&self, network: Arc<Network>) -> Susan {
        Susan {
            network,
            ..self.clone()
        }
    }

    /// The places are the cells. A move changes those that it fills or vacates, and their neighbours.
    #[inline]
    fn placed_inputs(
        &self,
        position: &Position,
        last: Option<Move>,
        placed: &mut Vec<PlacedInput>,
    ) {
        let board = &self.board;
        let at = |cell| PlacedInput {
            place: usize::from(cell),
            input: Some(input(board, position, cell)),
        };
        let Some(mv) = last else {
            placed.extend(board.cells().map(at));
            return;
        };
        let mut touched = board.ring(mv.to()).touched;
        if let Some(from) = mv.from() {
            touched = touched.union(&board.ring(from).touched);
        }
        placed.extend(touched.iter().map(at));
    }
}

/// The input of a cell, from the point of view of player 1 and of player 2.
#[inline]
fn input(board: &Geometry, position: &Position, cell: Cell) -> FeaturePair {
    let (ring, near) = (board.ring(cell), board.near(cell));
    let six = Side::BOTH.map(|side| {
        let stones = position.stones[side.index()].window(cell);
        (ring.six(stones & near), stones >> CENTRE & 1)
    });
    let seen = |own: usize| {
        let ((own_six, is_own), (enemy_six, is_enemy)) = (six[own], six[1 - own]);
        // The cell is empty, or has an own stone, or an enemy stone.
        let held = (is_own + 2 * is_enemy) as usize;
        (held * CLASSES) as u16 + CLASS[usize::from(own_six | enemy_six << 6)]
    };
    [seen(0), seen(1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_are_numbered_without_gaps() {
        let most = CLASS.iter().max().expect("patterns");
        assert_eq!(usize::from(*most) + 1, CLASSES);
    }
}
