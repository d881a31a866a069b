//! What an engine thinks of the position: a hint, a judgement.

use std::time::Duration;

use super::{Table, TableError};
use crate::client::Fault;
use crate::clock::{Clock, Limit, limits};
use crate::pool;
use crate::record::Points;
use crate::tournament::MatchError;

/// What an engine would play, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Analysis {
    /// The move.
    pub code: String,
    /// The score from the player to move.
    pub score: Option<Points>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// The line expected, the move first.
    pub line: Vec<String>,
}

/// How long an adviser may take over its limit.
const PATIENCE: Duration = Duration::from_secs(60);

/// How long it thinks where players have clocks.
const THINKING: Duration = Duration::from_secs(1);

impl Table {
    /// Asks the built-in engine, at its full strength, what it would play.
    pub fn advise(&mut self) -> Result<Analysis, TableError> {
        if self.over.is_some() {
            return Err(TableError::Refused("the game is over".to_owned()));
        }
        let limit = match self.helper.limit {
            Limit::Clock(_) | Limit::Unlimited => Limit::MoveTime(THINKING),
            limit => limit,
        };
        let clock = Clock::new(limit, PATIENCE);
        let allowance = clock.allowance().unwrap_or(PATIENCE);
        let go = limits(self.side(), &[clock.clone(), clock]);
        self.nudge.take();
        let position = self.round.arbiter().position().to_owned();
        let analyst = self.analyst()?;
        let answer = analyst.move_and_wait(&position, go, Some(allowance));
        let answer = answer.map_err(|fault| self.lose_analyst(fault))?;
        let thought = answer.thought;
        Ok(Analysis {
            code: answer.code,
            score: thought.score.map(Into::into),
            depth: thought.depth,
            line: thought.pv,
        })
    }

    fn analyst(&mut self) -> Result<&mut crate::player::EnginePlayer, TableError> {
        if self.analyst.is_none() {
            let mut spec = self.helper.clone();
            spec.options
                .retain(|(name, _)| !name.eq_ignore_ascii_case("Skill Level"));
            let mut analyst = pool::start(&spec, &self.plan, &self.rules, &self.host)?;
            analyst.heed(self.nudge.clone());
            analyst
                .begin_and_wait()
                .map_err(|fault| self.lose_analyst(fault))?;
            self.analyst = Some(analyst);
        }
        Ok(self.analyst.as_mut().expect("it was just started"))
    }

    /// A failed adviser costs nobody anything; the next question gets a fresh one.
    fn lose_analyst(&mut self, fault: Fault) -> TableError {
        self.analyst = None;
        TableError::Engine(MatchError::Engine {
            name: "builtin".to_owned(),
            fault,
        })
    }
}
