//! Learning from the games that a session is told.

use std::path::Path;

use super::LEARN;
use crate::learn::GameLearner;
use crate::{Engine, PositionHistory, Rejection};

/// The weights that the option `Learn` names, if it names a file.
#[derive(Debug, Default)]
pub(super) struct Learning {
    learner: Option<GameLearner>,
    /// The `position` of the last game learned from, so that no game is learned from twice.
    learned: Option<String>,
}

impl Learning {
    /// Learns in this file from now on; in none if the path is empty or the file is refused.
    pub(super) fn turn_to<G: Engine>(&mut self, path: &str, game: &G) -> Result<(), Rejection> {
        // The lock on the file before is given up first: it may be the same file.
        *self = Learning::default();
        if path.is_empty() {
            return Ok(());
        }
        let named = |why| Rejection(format!("{LEARN}: {why}"));
        if game.network().is_none() {
            return Err(named(Rejection::from(
                "this board has no evaluation that learns",
            )));
        }
        let learner = GameLearner::open(Path::new(path), G::N_INPUTS).map_err(named)?;
        self.learner = Some(learner);
        Ok(())
    }

    /// The board with the weights that learn.
    pub(super) fn equip<G: Engine>(&self, game: G) -> G {
        match &self.learner {
            Some(learner) if game.network().is_some() => game.with_network(learner.network()),
            _ => game,
        }
    }

    /// Another game begins. It may have the moves of the one before.
    pub(super) fn new_game(&mut self) {
        self.learned = None;
    }

    /// Learns from the game that `line` told if it is over, once. What is to be said of it; `None` if nothing was learned.
    pub(super) fn learn<G: Engine>(
        &mut self,
        history: &PositionHistory<G>,
        line: &str,
    ) -> Option<Result<String, Rejection>> {
        let learner = self.learner.as_mut()?;
        let is_new = history.outcome().is_some() && self.learned.as_deref() != Some(line);
        if !is_new || history.game().network().is_none() {
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
