//! Solving a suite: an engine searches each position; its move and score are compared with the known solution.

use std::path::Path;

use kit::{Side, Value};
use record::clock::{Clock, limits};
use record::engine_spec::{EngineSpec, OwnProgram, Proto};
use record::game::Points;
use record::registry::Rules;
use referee::engine::{BestMove, Engine, EngineConfig, Fault, Timeouts, begin, best_move, start};
use serde::Serialize;

use crate::case::board;
use crate::suite::Puzzle;

/// An engine's answer to a position.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Answer {
    /// The engine's move, canonical if it is legal.
    #[serde(rename = "move")]
    pub mv: String,
    /// `true` if the move is one of the best; if only the value is known, `true` if the engine reported it.
    pub solved: bool,
    /// `true` if the engine reported the proven value; `None` if no value is known.
    pub told: Option<bool>,
    /// The reported score.
    pub score: Option<Points>,
    /// Plies searched.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Seconds from the write of `go` to the arrival of the answer.
    pub time: f64,
    /// The reason that the move is illegal, if it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub illegal: Option<String>,
}

/// An engine that solves the positions of one game.
pub struct Solver {
    /// The engine.
    pub engine: Engine,
}

impl Solver {
    /// Starts an engine and sets its options. `own` is the executable that runs a built-in engine when called with
    /// `engine GAME`.
    ///
    /// # Errors
    /// The engine does not start, or rejects an option.
    pub fn start(
        spec: &EngineSpec,
        rules: &Rules,
        timeouts: Timeouts,
        own: &Path,
    ) -> Result<Solver, Fault> {
        let mut config = EngineConfig::alone(spec, OwnProgram::of(own, rules), timeouts);
        config.rules = Some(rules.clone());
        let mut engine = Engine::new(config);
        start(&mut engine)?;
        let name = spec.name.clone();
        if let Some(name) = name.or_else(|| engine.facts.id_name.clone()) {
            engine.rename(&name);
        }
        Ok(Solver { engine })
    }

    /// Searches one position, as the first of a new game.
    pub fn solve(&mut self, puzzle: &Puzzle) -> Result<Answer, Fault> {
        begin(&mut self.engine)?;
        let mut board = board(&puzzle.rules, &puzzle.opening);
        let answer = self.search(&format!("position {}", puzzle.opening), board.side())?;
        let played = board.play(&answer.code);
        let illegal = played.as_ref().err().map(ToString::to_string);
        let mv = played.unwrap_or_else(|_| answer.code.clone());
        let score = answer.thought.score.map(Points::from);
        let proto = self.engine.config.spec.proto;
        let is_reported = |value| score.is_some_and(|score| reports(score, value, proto));
        let told = puzzle.value.map(is_reported);
        let solved = match puzzle.best.as_slice() {
            [] => told == Some(true) && illegal.is_none(),
            best => best.contains(&mv),
        };
        Ok(Answer {
            mv,
            solved,
            told,
            score,
            depth: answer.thought.depth,
            nodes: answer.thought.nodes,
            time: answer.elapsed.as_secs_f64(),
            illegal,
        })
    }

    /// Searches the position of a `position` line; `side` is to move.
    pub fn search(&mut self, position: &str, side: Side) -> Result<BestMove, Fault> {
        let clocks: [Clock; 2] = [self.engine.config.clock(), self.engine.config.clock()];
        // A late answer is accepted; a missing one is a fault.
        let grace = self.engine.config.timeouts.ping;
        let time = clocks[0].allowance().map(|time| time + grace);
        let answer = best_move(&mut self.engine, position, limits(side, &clocks), time);
        let complaint = self.engine.facts.complaint.clone();
        match self.engine.config.rules_failure(complaint.as_ref()) {
            Some(why) => Err(Fault::Rules(why)),
            None => answer,
        }
    }
}

/// `true` if a score reports this value.
fn reports(score: Points, value: Value, proto: Proto) -> bool {
    let count = |plies: u32| match proto {
        Proto::Ugi | Proto::Cecp | Proto::Gtp => plies as i32,
        Proto::Uci | Proto::Uai => plies.div_ceil(2) as i32,
    };
    match value {
        Value::Win(plies) => score == Points::Mate(count(plies)),
        Value::Loss(plies) => score == Points::Mate(-count(plies)),
        Value::Draw => matches!(score, Points::Cp(0) | Points::Draw),
    }
}
