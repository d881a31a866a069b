//! Partial sums of the network, computed before any search: all inputs of the puck's point are one part.

use kit::Side;
use kit::network::{Network, Part};

use crate::geometry::Geometry;
use crate::inputs::{MAX_NEAR, N_NEAR, add_place, is_mirrored, near_input};
use crate::plane::Point;
use crate::rules::{GraphHockey, Position};

/// The parts of one network's sums on one field, from each player's point of view.
#[derive(Debug)]
pub(crate) struct PartialSums {
    /// By the puck's cell: the part of its point.
    places: [Vec<Part>; 2],
    /// Without and with reflection, by the features of the puck's surroundings.
    near: [[Vec<Part>; 2]; 2],
}

impl PartialSums {
    pub(crate) fn new(network: &Network, board: &Geometry) -> PartialSums {
        let near = |side, is_mirrored| {
            let part = |number| {
                let input = near_input(number, side, is_mirrored);
                input.map_or_else(Part::default, |input| network.part(|add| add(input)))
            };
            (0..N_NEAR).map(part).collect()
        };
        PartialSums {
            places: Side::BOTH.map(|side| places(network, board, side)),
            near: Side::BOTH.map(|side| [false, true].map(|is_mirrored| near(side, is_mirrored))),
        }
    }

    /// The sum over all inputs of a position from the point of view of the side to move.
    #[inline]
    pub(crate) fn of(&self, game: &GraphHockey, position: &Position, side: Side) -> Part {
        let mut numbers = [0; MAX_NEAR];
        let mut n = 0;
        game.each_near(position, |number| {
            numbers[n] = number as u16;
            n += 1;
        });
        let board = &*game.board;
        let mirror = usize::from(is_mirrored(board, position.puck));
        let place = &self.places[side.index()][board.cell(position.puck)];
        place.plus(&self.near[side.index()][mirror], &numbers[..n])
    }
}

fn places(network: &Network, board: &Geometry, side: Side) -> Vec<Part> {
    let mut places = vec![Part::default(); board.n_cells()];
    for y in 1..board.field.height() {
        for x in 1..board.field.width() {
            let puck = Point { x, y };
            places[board.cell(puck)] = network.part(|add| {
                add_place(board, puck, &mut |seen| add(seen[side.index()]));
            });
        }
    }
    places
}
