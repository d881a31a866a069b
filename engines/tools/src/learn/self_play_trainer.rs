//! Trainers of the weights that engines have, with the examples that they take from games.

use std::collections::HashMap;
use std::sync::Arc;

use kit::learn::{Example, NetworkTrainer, Trainer};
use kit::network::Network;
use kit::policy::Policy;
use kit::search::mate_distance;
use kit::{DynEngine, Rejection};

use super::policy_trainer::{PolicyExample, PolicyTrainer};
use super::self_play::PlayedGame;
use super::targets::targets;

/// A trainer that learns from games of the engine against itself. Engines are at the start position.
pub trait SelfPlayTrainer: Trainer {
    /// The name of the weights in messages.
    const NAME: &'static str;
    /// The extension of their file.
    const EXTENSION: &'static str;

    /// Inputs of the engine's weights; 0 if it has none of this kind.
    fn n_inputs(engine: &dyn DynEngine) -> usize;

    /// The weights that the engine has; `None` if it has none by its options.
    fn built_in(engine: &dyn DynEngine) -> Option<Arc<Self::Weights>>;

    /// The engine with these weights.
    fn engine(engine: &dyn DynEngine, weights: &Arc<Self::Weights>) -> Box<dyn DynEngine>;

    /// The examples of a game: its positions whose move was searched without finding a forced end.
    ///
    /// # Errors
    /// An illegal move, which the text names.
    fn examples(
        engine: &dyn DynEngine,
        played: &PlayedGame,
    ) -> Result<Vec<Self::Example>, Rejection>;
}

impl SelfPlayTrainer for NetworkTrainer {
    const NAME: &'static str = "network";
    const EXTENSION: &'static str = "net";

    fn n_inputs(engine: &dyn DynEngine) -> usize {
        engine.n_inputs()
    }

    fn built_in(engine: &dyn DynEngine) -> Option<Arc<Network>> {
        engine.network()
    }

    fn engine(engine: &dyn DynEngine, network: &Arc<Network>) -> Box<dyn DynEngine> {
        engine.with_network(Arc::clone(network))
    }

    fn examples(engine: &dyn DynEngine, played: &PlayedGame) -> Result<Vec<Example>, Rejection> {
        let mut engine = engine.fork_engine();
        let mut examples = Vec::new();
        let targets = targets(played, engine.td_lambda());
        for (code, target) in played.moves.iter().zip(targets) {
            if let Some(target) = target {
                let inputs = engine.inputs();
                examples.push(Example { inputs, target });
            }
            engine.play(code)?;
        }
        Ok(examples)
    }
}

impl SelfPlayTrainer for PolicyTrainer {
    const NAME: &'static str = "policy";
    const EXTENSION: &'static str = "policy";

    fn n_inputs(engine: &dyn DynEngine) -> usize {
        engine.n_move_features()
    }

    fn built_in(engine: &dyn DynEngine) -> Option<Arc<Policy>> {
        engine.policy()
    }

    fn engine(engine: &dyn DynEngine, policy: &Arc<Policy>) -> Box<dyn DynEngine> {
        engine.with_policy(Arc::clone(policy))
    }

    fn examples(
        engine: &dyn DynEngine,
        played: &PlayedGame,
    ) -> Result<Vec<PolicyExample>, Rejection> {
        let mut engine = engine.fork_engine();
        let mut examples = Vec::new();
        let found = played.scores.iter().zip(&played.visits);
        for (code, (score, visits)) in played.moves.iter().zip(found) {
            if score.is_some_and(|score| mate_distance(score).is_none()) {
                examples.push(policy_example(engine.as_ref(), visits));
            }
            engine.play(code)?;
        }
        Ok(examples)
    }
}

/// The moves of a position with their shares of these games.
fn policy_example(engine: &dyn DynEngine, visits: &[(usize, u32)]) -> PolicyExample {
    let total: u32 = visits.iter().map(|&(_, n)| n).sum();
    let visits: HashMap<usize, u32> = visits.iter().copied().collect();
    let mut example = PolicyExample::default();
    for (index, features) in engine.move_features() {
        let n = visits.get(&index).copied().unwrap_or_default();
        example.push(&features, n as f32 / total.max(1) as f32);
    }
    example
}
