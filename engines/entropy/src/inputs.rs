//! The inputs of the evaluation that learns by playing: the pieces of both players, the features of the weighted sum, and
//! the isolated pieces.
//!
//! The engine plays without a network. All inputs are from the point of view of the side to move, which sees its first
//! rank at the bottom.

use std::sync::Arc;

use kit::network::{FeaturePair, Network};
use kit::{NetworkInputs, Side};

use crate::eval::{FREEDOM, N_FREEDOM, SLIDE};
use crate::geometry::{Squares, squares};
use crate::position::{Entropy, Position};

/// Index of the last square.
const LAST_SQUARE: usize = 28;
/// Number of values of a count, of which larger ones count as the last.
const N_COUNTS: usize = 8;
/// Slides are counted in steps of this number.
const SLIDE_STEP: i32 = 4;

const N_SQUARES: usize = LAST_SQUARE + 1;
const FEATURES: usize = 2 * N_SQUARES;
const N_FEATURES: usize = FREEDOM * N_COUNTS + N_FREEDOM;
const ISOLATED: usize = FEATURES + 2 * N_FEATURES;
const N_INPUTS: usize = ISOLATED + N_COUNTS;

impl NetworkInputs<Entropy> for Entropy {
    fn n_inputs(&self) -> usize {
        N_INPUTS
    }

    fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    fn with_network(&self, network: Arc<Network>) -> Entropy {
        Entropy {
            network: Some(network),
            ..self.clone()
        }
    }

    fn inputs(&self, position: &Position, add: &mut dyn FnMut(FeaturePair)) {
        self.own_inputs(position, |input| add([input; 2]));
    }

    fn has_two_perspectives(&self) -> bool {
        false
    }
}

impl Entropy {
    /// Calls `add` with each active input of the side to move.
    pub(crate) fn own_inputs(&self, position: &Position, mut add: impl FnMut(u16)) {
        let mut add = |input: usize| add(input as u16);
        let is_turned = position.side == Side::P2;
        for (view, pieces) in [position.own(), position.enemy()].into_iter().enumerate() {
            for square in squares(pieces) {
                let index = square.index();
                let seen = if is_turned {
                    LAST_SQUARE - index
                } else {
                    index
                };
                add(N_SQUARES * view + seen);
            }
        }
        let opponent_to_move = position.with_opponent_to_move();
        for (view, position) in [position, &opponent_to_move].into_iter().enumerate() {
            let first = FEATURES + view * N_FEATURES;
            self.side_features(position, &mut |index, count| {
                let count = if index == SLIDE {
                    count / SLIDE_STEP
                } else {
                    count
                };
                add(first
                    + match index.checked_sub(FREEDOM) {
                        Some(freedom) => FREEDOM * N_COUNTS + freedom,
                        None => index * N_COUNTS + (count as usize).min(N_COUNTS - 1),
                    });
            });
        }
        let isolated: Squares = position.isolated();
        add(ISOLATED + isolated.count_ones() as usize);
    }
}

#[cfg(test)]
mod tests {
    use kit::PositionHistory;

    use super::*;
    use crate::position::Pieces;

    /// Colours exchanged and the board turned: the side to move sees the same.
    #[test]
    fn both_players_see_their_pieces_alike() {
        let game: Entropy = laws::testing::game("");
        let turned = |set: Squares| {
            squares(set).fold(0, |all, square| all | 1 << (LAST_SQUARE - square.index()))
        };
        let inputs = |position: &Position| {
            let mut inputs = Vec::new();
            game.own_inputs(position, |input| inputs.push(input));
            inputs.sort_unstable();
            inputs
        };
        let mut rng = fastrand::Rng::with_seed(5);
        let mut history = PositionHistory::start(game.clone());
        while let Some(mv) = rng.choice(history.moves()).filter(|_| history.ply() < 60) {
            let position = history.position();
            let [p1, p2] = Side::BOTH.map(|side| turned(position.pieces.of(side)));
            let other = Position {
                pieces: Pieces::new(p2, p1),
                side: position.side.other(),
                passes: position.passes,
            };
            assert_eq!(inputs(position), inputs(&other), "{position:?}");
            history.play(mv);
        }
    }
}
