//! Learning the weights of a [`Network`] from games of the engine against itself.
//!
//! `self_play` plays games and keeps the scores of the searches. [`examples`] makes training positions of them, each with its
//! target from `targets`. [`trainer`] fits the weights. [`Learning`] is
//! all of it with the game's type erased. A [`GameLearner`] learns from one game after another while it plays.

mod learner;
mod self_play;
mod targets;
pub mod trainer;

use std::sync::Arc;

pub use learner::GameLearner;
pub use self_play::{PlayedGame, SelfPlay};
use targets::targets;
use trainer::Example;

use crate::dyn_history::parse_legal;
use crate::network::Network;
use crate::{Engine, Options, PositionHistory, Rejection};

/// Plays the pair of games of this number between two networks; gives the half points of the first in each.
pub type PlayPair = fn(&Options, [&Arc<Network>; 2], &SelfPlay, u64) -> [u32; 2];

/// How a game learns, as plain function pointers.
#[derive(Debug, Clone, Copy)]
pub struct Learning {
    /// Inputs of its network.
    pub n_inputs: usize,
    /// The network that the engine is built with; `None` if it has none.
    pub network: fn(&Options) -> Option<Arc<Network>>,
    /// Plays the game of this number with this network.
    pub play: fn(&Options, &Arc<Network>, &SelfPlay, u64) -> PlayedGame,
    /// The examples of a game.
    pub examples: fn(&Options, &PlayedGame) -> Result<Vec<Example>, Rejection>,
    /// Two games between two networks; the half points of the first in each.
    pub pair: PlayPair,
}

impl Learning {
    /// How this game learns; `None` for a game that names no inputs.
    pub const fn of<G: Engine>() -> Option<Learning> {
        if G::N_INPUTS == 0 {
            return None;
        }
        Some(Learning {
            n_inputs: G::N_INPUTS,
            network: |options| G::new(options).network().cloned(),
            play: |options, network, self_play, number| {
                let game = G::new(options).with_network(Arc::clone(network));
                self_play.play(&game, number)
            },
            examples: |options, played| examples(&G::new(options), played),
            pair: |options, networks, self_play, number| {
                let games =
                    networks.map(|network| G::new(options).with_network(Arc::clone(network)));
                self_play.pair([&games[0], &games[1]], number)
            },
        })
    }
}

/// The positions of a game to learn from: those whose move was searched without finding a forced end. The error names the
/// illegal move.
pub fn examples<G: Engine>(game: &G, played: &PlayedGame) -> Result<Vec<Example>, Rejection> {
    let mut history = PositionHistory::start(game.clone());
    let mut examples = Vec::new();
    for (code, target) in played.moves.iter().zip(targets(played, G::FORESIGHT)) {
        let mv = parse_legal(&history, code)?;
        if let Some(target) = target {
            let inputs = inputs(&history);
            examples.push(Example { inputs, target });
        }
        history.play(mv);
    }
    Ok(examples)
}

/// The active inputs as the player to move sees them, then as the opponent does if the network is told.
fn inputs<G: Engine>(history: &PositionHistory<G>) -> [Vec<u16>; 2] {
    let mut inputs = [Vec::new(), Vec::new()];
    let side = history.side();
    history.game().inputs(history.position(), &mut |seen| {
        inputs[0].push(seen[side.index()]);
        if G::IS_SEEN_BY_BOTH {
            inputs[1].push(seen[side.other().index()]);
        }
    });
    inputs
}
