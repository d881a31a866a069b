//! The inputs of the evaluation that learns by playing: how far both colours are from a global loop.
//!
//! The engine plays without a network. An engine that learns has one instead of random games, so it searches by depth.
//! All inputs are from the point of view of the side to move, and serve boards of every size.
//!
//! | inputs | content |
//! | --- | --- |
//! | 256 | the stones that the side to move and the opponent need |
//! | 2 x 64 | for both: the stones needed, and the number of cells that can be among them |
//! | 8 | cells that both need |
//! | 8 | phase of the game, by the share of the cells that are taken |
//! | 1 | `swap` is legal |

use std::sync::Arc;

use kit::NetworkInputs;
use kit::network::{FeaturePair, Network};

use crate::board::Projex;
use crate::position::{Colour, Position};
use crate::prospects::Prospects;

/// Number of values of the stones needed, of which larger ones count as the last.
const N_NEEDED: usize = 16;
/// The same where the number of cells is counted too, and of these cells, in multiples of the stones needed.
const N_NEAR: usize = 8;
const N_WAYS: usize = 8;
const N_SHARED: usize = 8;
const N_PHASES: usize = 8;

const WAYS: usize = N_NEEDED * N_NEEDED;
const SHARED: usize = WAYS + 2 * N_NEAR * N_WAYS;
const PHASES: usize = SHARED + N_SHARED;
const SWAP: usize = PHASES + N_PHASES;
const N_INPUTS: usize = SWAP + 1;

impl NetworkInputs<Projex> for Projex {
    fn n_inputs(&self) -> usize {
        N_INPUTS
    }

    fn network(&self) -> Option<&Arc<Network>> {
        self.network.as_ref()
    }

    fn with_network(&self, network: Arc<Network>) -> Projex {
        Projex {
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

impl Projex {
    /// Calls `add` with each active input of the side to move.
    pub(crate) fn own_inputs(&self, position: &Position, mut add: impl FnMut(u16)) {
        let mut add = |input: usize| add(input as u16);
        let [x, o] = Prospects::of_both(self.loop_tables(), position);
        let views = match position.turn() {
            Colour::X => [x, o],
            Colour::O => [o, x],
        };
        let [own, enemy] = views
            .each_ref()
            .map(|view| usize::from(view.need).min(N_NEEDED - 1));
        add(N_NEEDED * own + enemy);
        for (number, view) in views.iter().enumerate() {
            let need = usize::from(view.need);
            let ways = view.keys.len() / need.max(1);
            let near = number * N_NEAR + need.min(N_NEAR - 1);
            add(WAYS + N_WAYS * near + ways.min(N_WAYS - 1));
        }
        let n_shared = views[0]
            .keys
            .iter()
            .filter(|cell| views[1].keys.contains(cell))
            .count();
        add(SHARED + n_shared.min(N_SHARED - 1));
        let phase = N_PHASES * position.n_stones() / (self.board().n_cells() + 1);
        add(PHASES + phase);
        if self.can_swap(position) {
            add(SWAP);
        }
    }
}
