//! Learning from the games that a session receives as positions.

use std::path::Path;

use super::LEARN;
use crate::evaluate::network;
use crate::learn::OnlineLearner;
use crate::{Engine, PositionHistory, Rejection};

/// The weights in the file that the option `Learn` names; none if it names no file.
#[derive(Debug, Default)]
pub(super) struct Learning {
    learner: Option<OnlineLearner>,
    /// The `position` line of the last game learned from, so that no game is learned from twice.
    learned: Option<String>,
}

impl Learning {
    /// Opens the file to learn in; an empty path ends learning. The file that is open already stays open.
    ///
    /// # Errors
    /// The file is not accepted. Nothing changes then.
    pub(super) fn open<G: Engine>(&mut self, path: &str, game: &G) -> Result<(), Rejection> {
        if path.is_empty() {
            *self = Learning::default();
            return Ok(());
        }
        let named = |why| Rejection(format!("{LEARN}: {why}"));
        let inputs = game
            .network_inputs()
            .filter(|inputs| inputs.network().is_some());
        let why = "the evaluation of this board cannot learn";
        let inputs = inputs.ok_or_else(|| named(why.into()))?;
        let (path, n_inputs) = (Path::new(path), inputs.n_inputs());
        match self.learner.as_ref().filter(|learner| learner.is_of(path)) {
            // Its lock would refuse a second learner.
            Some(learner) => learner.check_inputs(n_inputs).map_err(named),
            None => {
                let learner = OnlineLearner::open(path, n_inputs).map_err(named)?;
                *self = Learning {
                    learner: Some(learner),
                    learned: None,
                };
                Ok(())
            }
        }
    }

    /// Returns the board with the current weights.
    pub(super) fn with_weights<G: Engine>(&self, game: G) -> G {
        match (&self.learner, game.network_inputs()) {
            (Some(learner), Some(inputs)) if inputs.network().is_some() => {
                inputs.with_network(learner.network())
            }
            _ => game,
        }
    }

    /// Begins another game. It may have the same moves as the previous one.
    pub(super) fn new_game(&mut self) {
        self.learned = None;
    }

    /// Learns once from the game of the `position` line, if it is over. Returns the message for the user; `None` if
    /// nothing was learned.
    pub(super) fn learn<G: Engine>(
        &mut self,
        history: &PositionHistory<G>,
        line: &str,
    ) -> Option<Result<String, Rejection>> {
        let learner = self.learner.as_mut()?;
        let is_new = history.outcome().is_some() && self.learned.as_deref() != Some(line);
        if !is_new || network(history.game()).is_none() {
            return None;
        }
        self.learned = Some(line.to_owned());
        let learned = learner.learn(history);
        Some(match learned {
            Ok(()) => Ok(format!("learned from game {}", learner.n_games())),
            Err(why) => Err(Rejection(format!("{LEARN}: {why}"))),
        })
    }
}
