//! The inputs of the learned evaluation: the puck's location, the legal moves, and the lines drawn around the puck.
//!
//! A player sees the field with the player's goal at the bottom and the puck in the left half. Only the player to move
//! has inputs.

use std::sync::Arc;

use kit::bits::bits;
use kit::network::{FeaturePair, Network, PartialAccumulator};
use kit::{Game, NetworkInputs, Side};

use crate::geometry::KINDS;
use crate::position::{GraphHockey, Position};

use crate::input_table::{
    ACROSS, Learned, MAX_NEAR, MAX_PIECES, MOVE_GROUPS, N_INPUTS, N_SETS, PIECES, REACH, ROW, UP,
    add_place, is_mirrored, near_input,
};

impl NetworkInputs<GraphHockey> for GraphHockey {
    fn n_inputs(&self) -> usize {
        N_INPUTS
    }

    fn network(&self) -> Option<&Arc<Network>> {
        self.learned.as_ref().map(|learned| &learned.network)
    }

    fn with_network(&self, network: Arc<Network>) -> GraphHockey {
        GraphHockey {
            learned: Some(Arc::new(Learned::new(network, &self.board))),
            ..self.clone()
        }
    }

    fn inputs(&self, position: &Position, mut add: &mut dyn FnMut(FeaturePair)) {
        add_place(&self.board, position.puck, &mut add);
        let is_mirrored = is_mirrored(&self.board, position.puck);
        self.each_near(position, |number| {
            if let [Some(one), Some(two)] =
                Side::BOTH.map(|side| near_input(number, side, is_mirrored))
            {
                add([one, two]);
            }
        });
    }

    fn has_two_perspectives(&self) -> bool {
        false
    }

    fn td_lambda(&self) -> f32 {
        0.95
    }
}

impl GraphHockey {
    /// The sum over all inputs of a position from the point of view of the side to move.
    pub(crate) fn partial_sum(&self, learned: &Learned, position: &Position) -> PartialAccumulator {
        let mut numbers = [0; MAX_NEAR];
        let mut n = 0;
        self.each_near(position, |number| {
            numbers[n] = number as u16;
            n += 1;
        });
        let (puck, side) = (position.puck, self.side(position));
        learned.sum(&self.board, puck, side, &numbers[..n])
    }

    /// Calls `add` with the index of each feature of the puck's surroundings.
    pub(crate) fn each_near(&self, position: &Position, mut add: impl FnMut(usize)) {
        let (level, moves) = self.level(position);
        for group in MOVE_GROUPS {
            let set = moves.0 as usize >> group.first & ((1 << group.len) - 1);
            add(N_SETS * level as usize + group.empty + set);
        }
        let rows = position
            .rows_of_cells(&self.board, position.puck - REACH)
            .take(UP);
        let mut left = MAX_PIECES;
        for (row, y) in rows.zip(0..) {
            let cells = row.first_chunk().expect("a row has more cells");
            let first = PIECES + y * ACROSS * KINDS.len();
            for piece in bits(u64::from_le_bytes(*cells) & ROW).take(left) {
                add(first + usize::from(piece));
                left -= 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::Field;
    use crate::moves::Move;
    use crate::plane::GridPoint;
    use kit::Game;
    use kit::network::MAX_ACTIVE;

    /// The position without lines and with the puck in the middle.
    fn empty(game: &GraphHockey) -> Position {
        let mut position = game.start();
        position.cells.fill(0);
        position.puck = GridPoint::new(36, 40);
        position
    }

    fn inputs(game: &GraphHockey, position: &Position) -> Vec<FeaturePair> {
        let mut inputs = Vec::new();
        game.inputs(position, &mut |seen| inputs.push(seen));
        inputs.sort_unstable();
        inputs
    }

    /// Compares the inputs along random games with those of the same games under a symmetry; `seen` maps the inputs.
    fn compare(turned: impl Fn(GridPoint) -> GridPoint, seen: impl Fn(FeaturePair) -> FeaturePair) {
        let game = GraphHockey::on(Field { side: 4, gap: 8 });
        for seed in 0..20 {
            let mut rng = fastrand::Rng::with_seed(seed);
            let mut positions = [empty(&game), empty(&game)];
            for _ in 0..100 {
                let mut moves = Vec::new();
                game.moves(&positions[0], &mut moves);
                let mv = moves[rng.usize(..moves.len())];
                let image = Move::all().find(|image| image.step() == turned(mv.step()));
                game.play(&mut positions[0], mv);
                game.play(&mut positions[1], image.expect("a move"));
                if game.outcome(&positions[0]).is_some() {
                    break;
                }
                // In the middle column nothing is mirrored.
                if positions[0].puck.x != 36 {
                    let mut expected: Vec<FeaturePair> = inputs(&game, &positions[0])
                        .into_iter()
                        .map(&seen)
                        .collect();
                    expected.sort_unstable();
                    assert_eq!(inputs(&game, &positions[1]), expected, "seed {seed}");
                }
            }
        }
    }

    #[test]
    fn a_game_in_the_mirror_has_the_same_inputs() {
        compare(|step| GridPoint::new(-step.x, step.y), |seen| seen);
    }

    #[test]
    fn upside_down_the_players_see_what_the_other_saw() {
        compare(
            |step| GridPoint::new(step.x, -step.y),
            |[one, two]| [two, one],
        );
    }

    #[test]
    fn a_field_full_of_lines_has_not_too_many_inputs() {
        let game = GraphHockey::on(Field { side: 4, gap: 8 });
        let mut position = empty(&game);
        position.cells.fill(u8::MAX);
        assert!(inputs(&game, &position).len() <= MAX_ACTIVE);
    }
}
