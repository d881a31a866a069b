//! Learning from self-play: the weights of a [`Network`](crate::network::Network) or a
//! [`Policy`](crate::policy::Policy).
//!
//! `self_play` plays games and stores the results of the searches. [`examples`] extracts training positions for a
//! network, with targets computed by `targets`. [`policy_examples`] extracts those for a policy, whose target is the
//! distribution of the search's visits over the moves. [`trainer`] and [`policy_trainer`] fit the weights, both through
//! [`Train`]. [`Learning`] is the whole process with the game's type erased. A [`GameLearner`] learns online, after
//! each game it plays.

mod learner;
pub mod policy_trainer;
mod self_play;
mod targets;
mod train;
pub mod trainer;

use std::collections::HashMap;
use std::sync::Arc;

pub use learner::GameLearner;
use policy_trainer::{PolicyExample, PolicyTrainer};
pub use self_play::{PlayedGame, SelfPlay};
use targets::targets;
pub use train::Train;
use trainer::{Example, Trainer};

use crate::dyn_history::parse_legal;
use crate::search::mate_distance;
use crate::{Engine, Options, PositionHistory, Rejection};

/// Extracts the training examples of a game.
pub type FindExamples<Example> = fn(&Options, &PlayedGame) -> Result<Vec<Example>, Rejection>;

/// Plays the pair of games of this number between two sets of weights; returns the half points of the first set in each
/// game.
pub type PlayPair<Weights> = fn(&Options, [&Arc<Weights>; 2], &SelfPlay, u64) -> [u32; 2];

/// The training of a game's weights, as plain function pointers.
#[derive(Debug)]
pub struct Learning<T: Train> {
    /// Number of inputs.
    pub n_inputs: usize,
    /// The weights built into the engine; `None` if it has none.
    pub built_in: fn(&Options) -> Option<Arc<T::Weights>>,
    /// Plays the self-play game of this number with these weights.
    pub play: fn(&Options, &Arc<T::Weights>, &SelfPlay, u64) -> PlayedGame,
    /// Extracts the training examples of a game.
    pub examples: FindExamples<T::Example>,
    /// Plays a pair of games between two sets of weights; returns the half points of the first set in each game.
    pub pair: PlayPair<T::Weights>,
}

impl<T: Train> Clone for Learning<T> {
    fn clone(&self) -> Learning<T> {
        *self
    }
}

impl<T: Train> Copy for Learning<T> {}

/// The weights that a game can train.
#[derive(Debug, Clone, Copy)]
pub enum Learns {
    /// The network that scores its positions.
    Network(Learning<Trainer>),
    /// The policy that guides its tree search.
    Policy(Learning<PolicyTrainer>),
}

impl Learns {
    /// The weights that this game trains; `None` if it has neither inputs nor move features.
    pub const fn of<G: Engine>() -> Option<Learns> {
        if G::N_INPUTS > 0 {
            Some(Learns::Network(Learning::<Trainer>::of::<G>()))
        } else if G::N_MOVE_FEATURES > 0 {
            Some(Learns::Policy(Learning::<PolicyTrainer>::of::<G>()))
        } else {
            None
        }
    }
}

impl Learning<Trainer> {
    const fn of<G: Engine>() -> Learning<Trainer> {
        Learning {
            n_inputs: G::N_INPUTS,
            built_in: |options| G::new(options).network().cloned(),
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
        }
    }
}

impl Learning<PolicyTrainer> {
    const fn of<G: Engine>() -> Learning<PolicyTrainer> {
        Learning {
            n_inputs: G::N_MOVE_FEATURES,
            built_in: |options| G::new(options).policy().cloned(),
            play: |options, policy, self_play, number| {
                let game = G::new(options).with_policy(Arc::clone(policy));
                self_play.play(&game, number)
            },
            examples: |options, played| policy_examples(&G::new(options), played),
            pair: |options, policies, self_play, number| {
                let games = policies.map(|policy| G::new(options).with_policy(Arc::clone(policy)));
                self_play.pair([&games[0], &games[1]], number)
            },
        }
    }
}

/// Training examples for a network: the positions of a game whose move was searched without finding a forced end.
///
/// # Errors
/// Names an illegal move.
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

/// Training examples for a policy: the positions of a game whose move was searched without finding a forced end.
///
/// # Errors
/// Names an illegal move.
pub fn policy_examples<G: Engine>(
    game: &G,
    played: &PlayedGame,
) -> Result<Vec<PolicyExample>, Rejection> {
    let mut history = PositionHistory::start(game.clone());
    let mut examples = Vec::new();
    let found = played.scores.iter().zip(&played.visits);
    for (code, (score, visits)) in played.moves.iter().zip(found) {
        let mv = parse_legal(&history, code)?;
        if score.is_some_and(|score| mate_distance(score).is_none()) {
            examples.push(policy_example(&history, visits));
        }
        history.play(mv);
    }
    Ok(examples)
}

/// The moves of a position, each with its share of the visits.
fn policy_example<G: Engine>(
    history: &PositionHistory<G>,
    visits: &[(usize, u32)],
) -> PolicyExample {
    let total: u32 = visits.iter().map(|&(_, n)| n).sum();
    let visits: HashMap<usize, u32> = visits.iter().copied().collect();
    let mut example = PolicyExample::default();
    G::move_features(history, &mut |index, features| {
        let n = visits.get(&index).copied().unwrap_or_default();
        example.push(features, n as f32 / total.max(1) as f32);
    });
    example
}

/// The active inputs from the point of view of the player to move, then of the opponent if the network sees both.
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
