//! Partial sums of the network, computed before any search: all inputs of the puck's point are one part.

use std::sync::Arc;

use kit::Side;
use kit::network::{Network, PartialAccumulator};

use crate::geometry::Geometry;
use crate::input_table::{N_NEAR, add_place, is_mirrored, near_input};
use crate::plane::GridPoint;

/// The parts of one network's sums on one field, from each player's point of view.
#[derive(Debug)]
pub(crate) struct PartialSums {
    /// By the puck's cell: the part of its point.
    places: [Vec<PartialAccumulator>; 2],
    /// Without and with reflection, by the features of the puck's surroundings.
    near: [[Vec<PartialAccumulator>; 2]; 2],
}

impl PartialSums {
    pub(crate) fn new(network: &Network, board: &Geometry) -> PartialSums {
        let near = |side, is_mirrored| {
            let part = |number| {
                let input = near_input(number, side, is_mirrored);
                input.map_or_else(PartialAccumulator::default, |input| {
                    network.partial(|add| add(input))
                })
            };
            (0..N_NEAR).map(part).collect()
        };
        PartialSums {
            places: Side::BOTH.map(|side| places(network, board, side)),
            near: Side::BOTH.map(|side| [false, true].map(|is_mirrored| near(side, is_mirrored))),
        }
    }

    /// The sum of the part of a puck's point and those of its surroundings, by their indices.
    pub(crate) fn sum(
        &self,
        board: &Geometry,
        puck: GridPoint,
        side: Side,
        near: &[u16],
    ) -> PartialAccumulator {
        let mirror = usize::from(is_mirrored(board, puck));
        let place = &self.places[side.index()][board.cell(puck)];
        place.plus(&self.near[side.index()][mirror], near)
    }
}

/// A network with its partial sums.
#[derive(Debug)]
pub(crate) struct Learned {
    pub(crate) network: Arc<Network>,
    pub(crate) sums: PartialSums,
}

impl Learned {
    pub(crate) fn new(network: Arc<Network>, board: &Geometry) -> Learned {
        Learned {
            sums: PartialSums::new(&network, board),
            network,
        }
    }
}

fn places(network: &Network, board: &Geometry, side: Side) -> Vec<PartialAccumulator> {
    let mut places = vec![PartialAccumulator::default(); board.n_cells()];
    for y in 1..board.field.height() {
        for x in 1..board.field.width() {
            let puck = GridPoint { x, y };
            places[board.cell(puck)] = network.partial(|add| {
                add_place(board, puck, &mut |seen| add(seen[side.index()]));
            });
        }
    }
    places
}
