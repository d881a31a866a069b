//! Learning from the games that a session receives as positions.

use std::path::Path;

use protocol::Reply;

use super::{LEARN, LEARN_RESULT, Session, error};
use crate::learn::{LearnedChange, OnlineLearner};
use crate::search::{SearchScore, mate_distance};
use crate::{DynHistory, Outcome, Rejection, Side};

/// The weights in the file that the option `Learn` names; none if it names no file.
#[derive(Debug, Default)]
pub(super) struct Learning {
    learner: Option<OnlineLearner>,
    /// The `position` line of the last game learned from, so that no game is learned from twice.
    learned: Option<String>,
    /// The sides for which the engine searched in this game.
    searched: [bool; 2],
}

impl Learning {
    /// Opens the file to learn in; an empty path ends learning. The file that is open already stays open.
    ///
    /// # Errors
    /// The file is not accepted. Nothing changes then.
    pub(super) fn open(&mut self, path: &str, n_inputs: usize) -> Result<(), Rejection> {
        if path.is_empty() {
            *self = Learning::default();
            return Ok(());
        }
        let named = |why| Rejection(format!("{LEARN}: {why}"));
        if n_inputs == 0 {
            return Err(named("the evaluation of this game cannot learn".into()));
        }
        let path = Path::new(path);
        match self.learner.as_ref().filter(|learner| learner.is_of(path)) {
            // Its lock would refuse a second learner.
            Some(learner) => learner.check_inputs(n_inputs).map_err(named),
            None => {
                let learner = OnlineLearner::open(path, n_inputs).map_err(named)?;
                *self = Learning {
                    learner: Some(learner),
                    ..Learning::default()
                };
                Ok(())
            }
        }
    }

    /// Returns the board with the current weights.
    pub(super) fn with_weights(&self, game: Box<dyn DynHistory>) -> Box<dyn DynHistory> {
        match &self.learner {
            Some(learner) if game.n_inputs() > 0 => game.with_network(learner.network()),
            _ => game,
        }
    }

    /// Begins another game. It may have the same moves as the previous one.
    pub(super) fn new_game(&mut self) {
        self.learned = None;
        self.searched = [false; 2];
    }

    /// Records a search for this side.
    pub(super) fn search(&mut self, side: Side) {
        self.searched[side.index()] = true;
    }

    /// Learns once from the game of the `position` line, which ended with this result. Returns the message for the user;
    /// `None` if nothing was learned.
    pub(super) fn learn(
        &mut self,
        game: &str,
        history: &dyn DynHistory,
        line: &str,
        outcome: Outcome,
    ) -> Option<Result<String, Rejection>> {
        let learner = self.learner.as_mut()?;
        let is_new = self.learned.as_deref() != Some(line);
        if !is_new || history.ply() == 0 || history.network().is_none() {
            return None;
        }
        self.learned = Some(line.to_owned());
        let own = match self.searched {
            [true, false] => Some(Side::P1),
            [false, true] => Some(Side::P2),
            _ => None,
        };
        let learned = learner.learn(game, history, outcome, own);
        Some(match learned {
            Ok(change) => Ok(report(learner.n_games(), outcome, own, &change)),
            Err(why) => Err(Rejection(format!("{LEARN}: {why}"))),
        })
    }
}

impl Session {
    /// Learns from the game of the `position` line, which ended with this result; a game is learned from once. The next
    /// game uses the new weights.
    pub(super) fn learn(&mut self, line: &str, outcome: Outcome) -> Option<Reply> {
        let (game, history) = (self.entry.name, self.history.as_ref());
        let learned = self.learning.learn(game, history, line, outcome)?;
        self.game = self.learning.with_weights(self.game.fork());
        Some(learned.map_or_else(|why| error(&why), Reply::string))
    }

    /// Learns from a game that did not end by the rules.
    pub(super) fn learn_result(&mut self, result: &str) -> Result<Vec<Reply>, Rejection> {
        let outcome = match result {
            "" => return Ok(Vec::new()),
            word => Outcome::from_result_word(word).flatten(),
        };
        let unknown = || format!("{LEARN_RESULT} {result:?}: expected p1win, p2win or draw");
        let outcome = outcome.ok_or_else(|| Rejection(unknown()))?;
        let line = self.crash_log.lock().position.clone();
        Ok(self.learn(&line, outcome).into_iter().collect())
    }
}

/// The message about a game that was learned from.
fn report(n_games: u64, outcome: Outcome, own: Option<Side>, change: &LearnedChange) -> String {
    let own_result = own.map(|side| match outcome {
        Outcome::Win(winner) if winner == side => " (won)",
        Outcome::Win(_) => " (lost)",
        Outcome::Draw => " (drawn)",
    });
    let mut text = format!(
        "learned from game {n_games}{}",
        own_result.unwrap_or_default()
    );
    if !change.opening.is_empty() {
        let [before, after] = change.scores.map(score_text);
        let whose = if own.is_some() {
            "its"
        } else {
            "the first player's"
        };
        let opening = change.opening.join(" ");
        text += &format!(": after {opening} {whose} score moved from {before} to {after}");
    }
    let [before, after] = &change.first_moves;
    if before != after {
        text += &format!("; its first choice is now {after} instead of {before}");
    }
    text
}

/// A score in units of the game, or the plies to a forced end.
fn score_text(score: SearchScore) -> String {
    match mate_distance(score) {
        Some(plies) if plies > 0 => format!("a win in {plies}"),
        Some(plies) => format!("a loss in {}", -plies),
        None => format!("{:+.2}", f64::from(score) / 100.0),
    }
}
