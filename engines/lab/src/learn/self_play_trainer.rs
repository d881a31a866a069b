//! Trainers of the weights that engines have, with the examples that they take from games.

use std::collections::HashMap;
use std::sync::Arc;

use kit::learn::{Example, NetworkTrainer, Trainer, logistic};
use kit::network::{Network, SCALE};
use kit::search::mate_distance;
use kit::{DynHistory, Rejection, Side};
use projex::N_FEATURES;
use projex::policy::Policy;

use super::policy_trainer::{PolicyExample, PolicyTrainer};
use super::self_play::{PlayedGame, projex};

/// A trainer that learns from games of the engine against itself. Engines are at the start position.
pub trait SelfPlayTrainer: Trainer {
    /// The extension of their file.
    const EXTENSION: &'static str;

    /// Inputs of the engine's weights; 0 if it has none of this kind.
    fn n_inputs(engine: &dyn DynHistory) -> usize;

    /// The weights that the engine has; `None` if it has none by its options.
    fn built_in(engine: &dyn DynHistory) -> Option<Arc<Self::Weights>>;

    /// The engine with these weights.
    fn engine(engine: &dyn DynHistory, weights: &Arc<Self::Weights>) -> Box<dyn DynHistory>;

    /// The examples of a game: its positions whose move was searched without finding a forced end.
    ///
    /// # Errors
    /// An illegal move, which the text names.
    fn examples(
        engine: &dyn DynHistory,
        played: &PlayedGame,
    ) -> Result<Vec<Self::Example>, Rejection>;
}

impl SelfPlayTrainer for NetworkTrainer {
    const EXTENSION: &'static str = "net";

    fn n_inputs(engine: &dyn DynHistory) -> usize {
        engine.n_inputs()
    }

    fn built_in(engine: &dyn DynHistory) -> Option<Arc<Network>> {
        engine.network()
    }

    fn engine(engine: &dyn DynHistory, network: &Arc<Network>) -> Box<dyn DynHistory> {
        engine.with_network(Arc::clone(network))
    }

    fn examples(engine: &dyn DynHistory, played: &PlayedGame) -> Result<Vec<Example>, Rejection> {
        let targets = targets(played, engine.td_lambda());
        each_position(engine, played, |engine, ply| {
            let target = targets[ply]?;
            let inputs = engine.inputs();
            Some(Example { inputs, target })
        })
    }
}

impl SelfPlayTrainer for PolicyTrainer {
    const EXTENSION: &'static str = "policy";

    fn n_inputs(engine: &dyn DynHistory) -> usize {
        projex(engine).map_or(0, |_| N_FEATURES)
    }

    fn built_in(engine: &dyn DynHistory) -> Option<Arc<Policy>> {
        projex(engine).map(|history| Arc::clone(history.game().policy()))
    }

    fn engine(engine: &dyn DynHistory, policy: &Arc<Policy>) -> Box<dyn DynHistory> {
        let history = projex(engine).expect("an engine with a policy");
        Box::new(history.with_game(history.game().with_policy(Arc::clone(policy))))
    }

    fn examples(
        engine: &dyn DynHistory,
        played: &PlayedGame,
    ) -> Result<Vec<PolicyExample>, Rejection> {
        each_position(engine, played, |engine, ply| {
            let score = (*played.scores.get(ply)?)?;
            let visits = played.visits.get(ply)?;
            let is_open = mate_distance(score).is_none();
            is_open.then(|| policy_example(engine, visits))
        })
    }
}

/// The results of `example` for the positions of a game.
fn each_position<E>(
    engine: &dyn DynHistory,
    played: &PlayedGame,
    example: impl Fn(&dyn DynHistory, usize) -> Option<E>,
) -> Result<Vec<E>, Rejection> {
    let mut engine = engine.fork();
    let mut examples = Vec::new();
    for (ply, code) in played.moves.iter().enumerate() {
        examples.extend(example(engine.as_ref(), ply));
        engine.play(code)?;
    }
    Ok(examples)
}

/// The moves of a position with their shares of these games.
fn policy_example(engine: &dyn DynHistory, visits: &[(usize, u32)]) -> PolicyExample {
    let total: u32 = visits.iter().map(|&(_, n)| n).sum();
    let visits: HashMap<usize, u32> = visits.iter().copied().collect();
    let mut example = PolicyExample::default();
    let history = projex(engine).expect("an engine with a policy");
    history.game().move_features(history, |index, features| {
        let n = visits.get(&index).copied().unwrap_or_default();
        example.push(features, n as f32 / total.max(1) as f32);
    });
    example
}

/// Share of the look-ahead return in a target; the rest is the score of the search.
const AHEAD_SHARE: f32 = 0.5;

/// Training targets of the positions of a game.
///
/// A target is the mean of two expectations, in shares of a point. One is what the position's search predicts. The other
/// looks ahead in the game. With a lambda of 1 it is the game's result. With less it is the return of TD(lambda) (Sutton
/// 1988): the expectation of the position itself and that of the next one, in the shares `1 - lambda` and `lambda`, and
/// so on to the end of the game. In a game of a thousand plies that tells more than the result. It ends at a random move,
/// since the play before had no part in what follows.
///
/// For each move, the target of the position before it, from the player to move; `None` if the move was random or the
/// search found a forced end.
fn targets(played: &PlayedGame, lambda: f32) -> Vec<Option<f32>> {
    let n_moves = played.moves.len();
    let result = |ply: usize| played.outcome().points(Side::BOTH[ply % 2]);
    // A game without a winner may have been stopped, so its result is unknown.
    let is_known = lambda == 1.0 || played.winner.is_some();
    let mut ahead = is_known.then(|| result(n_moves));
    let mut targets = vec![None; n_moves];
    for (ply, score) in played.scores.iter().enumerate().rev() {
        let Some(score) = *score else {
            ahead = (lambda == 1.0).then(|| result(ply));
            continue;
        };
        let expected = logistic(score as f32 / SCALE as f32);
        let next = ahead.map_or(expected, |next| 1.0 - next);
        let seen = lambda * next + (1.0 - lambda) * expected;
        if mate_distance(score).is_none() {
            targets[ply] = Some(AHEAD_SHARE * seen + (1.0 - AHEAD_SHARE) * expected);
        }
        ahead = Some(seen);
    }
    targets
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::SelfPlay;
    use kit::PositionHistory;
    use kit::search::score::win_in;
    use projex::Projex;

    /// A game of five moves, won by the first player with the last one; the third move is random.
    fn game() -> PlayedGame {
        PlayedGame {
            number: 0,
            moves: vec![String::new(); 5],
            scores: vec![Some(0), Some(SCALE), None, Some(-SCALE), Some(0)],
            visits: Vec::new(),
            winner: Some(Side::P1),
        }
    }

    /// Compares the targets; the random move has none.
    fn assert_targets(lambda: f32, [first, second, fourth, fifth]: [f32; 4]) {
        let targets = targets(&game(), lambda);
        let expected = [Some(first), Some(second), None, Some(fourth), Some(fifth)];
        for (target, expected) in targets.iter().zip(expected) {
            assert_eq!(target.is_some(), expected.is_some(), "{targets:?}");
            let difference = target.unwrap_or(0.0) - expected.unwrap_or(0.0);
            assert!(difference.abs() < 1e-6, "{targets:?}, not {expected:?}");
        }
    }

    #[test]
    fn with_a_lambda_of_one_the_result_counts() {
        let lead = logistic(1.0);
        assert_targets(1.0, [0.75, lead / 2.0, (1.0 - lead) / 2.0, 0.75]);
    }

    #[test]
    fn with_less_it_fades_and_ends_at_a_random_move() {
        let lead = logistic(1.0);
        // From the end: the last position's return is 0.75, and the position before takes half of the complement.
        let fourth = 0.5 * 0.25 + 0.5 * (1.0 - lead);
        let first = 0.5 * (1.0 - lead) + 0.5 * 0.5;
        let (first, fourth) = ((first + 0.5) / 2.0, (fourth + 1.0 - lead) / 2.0);
        assert_targets(0.5, [first, lead, fourth, (0.75 + 0.5) / 2.0]);
    }

    /// The examples of two games of Projex.
    fn examples(engine: &PositionHistory<Projex>, first: u64) -> Vec<PolicyExample> {
        let self_play = SelfPlay {
            seed: 1,
            nodes: 200,
        };
        let examples = |number| {
            let played = self_play.play(engine, number);
            assert_eq!(played.visits.len(), played.moves.len());
            PolicyTrainer::examples(engine, &played).expect("legal moves")
        };
        (first..first + 2).flat_map(examples).collect()
    }

    #[test]
    fn the_shares_of_a_search_are_learned_for_other_games() {
        let engine = laws::testing::at("Size=4", "startpos");
        let (learned, held_out) = (examples(&engine, 0), examples(&engine, 2));
        let mut trainer = PolicyTrainer::untrained(N_FEATURES, 1);
        let before = trainer.error(&held_out);
        for _ in 0..20 {
            trainer.learn(&learned.iter().collect::<Vec<_>>(), 0.02);
        }
        let after = trainer.error(&held_out);
        assert!(after < before - 0.2, "{before} {after}");
    }

    #[test]
    fn a_forced_end_teaches_nothing_itself() {
        let mut game = game();
        game.scores[4] = Some(win_in(1));
        assert_eq!(targets(&game, 0.5)[4], None);
    }
}
