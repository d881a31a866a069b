//! A game in progress.

use std::time::{Duration, Instant};

use kit::Value;
use kit::{DynHistory, Outcome, Rejection, Side};
use protocol::text::excerpt;
use record::adjudication::{Adjudicated, Adjudication, Adjudicator};
use record::clock::{Clock, Limit, limits, spend};
use record::game::{Ending, FaultReport, GameResult, PlyRecord, Termination};

use super::{LiveEvent, Played};
use crate::arbiter::{Arbiter, Ruling, Seats};
use crate::client::{BestMove, Complaint, Fault};

/// A move that comes later than a fixed time allows, but by less than this, is reported as a matter of the margin.
const NEARLY_IN_TIME: Duration = Duration::from_millis(20);

/// A game in progress, judged ply by ply. The players are passed to each call.
pub struct LiveGame {
    arbiter: Arbiter,
    clocks: [Clock; 2],
    /// The side that moved first.
    first: Side,
    /// Names of the sides on which partners take turns.
    team_names: [Option<String>; 2],
    /// Record the principal variation with each engine move.
    keeps_pv: bool,
    plies: Vec<Option<PlyRecord>>,
    notes: Vec<String>,
    /// Decides unless the game ends by the rules first.
    adjudicator: Adjudicator,
    /// The reply that each player expects to its last move.
    expected: [Option<String>; 2],
    /// The reply to the last move by the principal variation of the player that made it.
    likely: Option<String>,
}

/// Reason why a game stops.
#[derive(Debug, Clone, PartialEq)]
pub enum Halt {
    /// The game ended.
    Over(Box<Ending>),
    /// The match was stopped before the game ended.
    Stopped,
    /// The system is short of a resource that a player needs, or the rules have failed. Holds the reason.
    Trouble(String),
}

impl From<Box<Ending>> for Halt {
    fn from(ending: Box<Ending>) -> Halt {
        Halt::Over(ending)
    }
}

impl LiveGame {
    /// Creates a game that begins after the arbiter's opening. `clocks` are those of p1 and p2.
    pub fn new(arbiter: Arbiter, clocks: [Clock; 2], adjudication: Adjudication) -> LiveGame {
        LiveGame {
            clocks,
            first: arbiter.first_mover(),
            team_names: [None, None],
            keeps_pv: false,
            plies: vec![None; arbiter.moves().len()],
            notes: Vec::new(),
            arbiter,
            adjudicator: Adjudicator::new(adjudication),
            expected: [None, None],
            likely: None,
        }
    }

    /// Sets the names of sides on which partners take turns. Such a side wins under this name, and each of its moves is
    /// recorded with the name of the member that made it.
    pub fn set_team_names(&mut self, names: [Option<String>; 2]) {
        self.team_names = names;
    }

    /// Enables recording of the principal variation with each engine move.
    pub fn keep_pv(&mut self, keeps_pv: bool) {
        self.keeps_pv = keeps_pv;
    }

    /// The name under which a side wins.
    fn side_name<'n>(&'n self, players: &'n Seats<'_>, side: Side) -> &'n str {
        let team = self.team_names[side.index()].as_deref();
        team.unwrap_or_else(|| players[side.index()].name())
    }

    /// Returns the moves and records so far, with an ending.
    pub fn played(&self, ending: Ending) -> Played {
        Played {
            first: self.first,
            moves: self.arbiter.moves().to_vec(),
            plies: self.plies.clone(),
            notes: self.notes.clone(),
            ending,
        }
    }

    /// Plays the game to its end.
    pub(super) fn play_out(
        &mut self,
        players: &mut Seats<'_>,
        tell: &mut dyn FnMut(LiveEvent<'_>),
    ) -> Halt {
        if let Err(halt) = self.begin(players) {
            return halt;
        }
        loop {
            let ply = self.check(players).and_then(|()| self.ply(players, tell));
            if let Err(halt) = ply {
                return halt;
            }
        }
    }

    /// Prepares both players at the same time, then the arbiter. Blocks.
    fn begin(&mut self, players: &mut Seats<'_>) -> Result<(), Halt> {
        for side in Side::BOTH {
            let begun = players[side.index()].begin(Instant::now());
            begun.map_err(|fault| self.lose(players, side, &fault))?;
        }
        for side in Side::BOTH {
            let ready = players[side.index()].wait_until_ready();
            ready.map_err(|fault| self.lose(players, side, &fault))?;
        }
        let begun = self.arbiter.begin(players);
        begun.map_err(|(side, fault)| self.lose(players, side, &fault))?;
        self.first = self.arbiter.first_mover();
        Ok(())
    }

    /// Checks the game for an end by the rules or by adjudication, which is returned as an error.
    pub fn check(&mut self, players: &mut Seats<'_>) -> Result<(), Halt> {
        self.check_rules(players)?;
        self.check_referee(players)
    }

    /// Requests a move, waits for it, and judges it. [`check`](LiveGame::check) must have found that the game
    /// continues. Blocks.
    pub fn ply(
        &mut self,
        players: &mut Seats<'_>,
        tell: &mut dyn FnMut(LiveEvent<'_>),
    ) -> Result<(), Halt> {
        let side = self.start_ply(players)?;
        if let Some(code) = &self.likely {
            self.arbiter.expect(code);
        }
        let answer = players[side.index()].wait_for_move();
        self.on_answer(players, answer, tell)
    }

    /// Requests a move from the side to move, which is returned, and lets the opponent ponder. The answer must be
    /// passed to [`on_answer`](LiveGame::on_answer).
    pub fn start_ply(&mut self, players: &mut Seats<'_>) -> Result<Side, Halt> {
        let side = self.arbiter.side();
        self.let_ponder(players, side.other());
        let go = limits(side, &self.clocks);
        let clock = &self.clocks[side.index()];
        // A late answer shows how late it is, which tells the user which margin would forgive it.
        let patience = match clock.limit() {
            Limit::MoveTime(_) => NEARLY_IN_TIME,
            _ => Duration::ZERO,
        };
        let timeout = clock.allowance().map(|allowance| allowance + patience);
        let asked = players[side.index()].start_move(self.arbiter.position(), go, timeout);
        asked.map_err(|fault| self.lose(players, side, &fault))?;
        Ok(side)
    }

    /// Judges the answer of the side to move: a move or a fault.
    pub fn on_answer(
        &mut self,
        players: &mut Seats<'_>,
        answer: Result<BestMove, Fault>,
        tell: &mut dyn FnMut(LiveEvent<'_>),
    ) -> Result<(), Halt> {
        let side = self.arbiter.side();
        for player in players.iter_mut() {
            for note in player.drain_notes() {
                let name = player.name().to_owned();
                self.notes.push(format!("{name} {note}"));
                tell(LiveEvent::Note(name, note));
            }
        }
        if let Some(why) = players[side.index()].rules_failure() {
            return Err(Halt::Trouble(why));
        }
        let answer = match answer {
            Ok(answer) => answer,
            Err(fault) => {
                if !fault.is_stop() {
                    self.await_rules()?;
                }
                return Err(self.lose_move(players, side, &fault));
            }
        };
        if spend(&mut self.clocks, side, answer.elapsed).is_err() {
            self.await_rules()?;
            let allowance = self.clocks[side.index()].allowance().unwrap_or_default();
            let late = answer.elapsed.saturating_sub(allowance);
            let is_fixed = matches!(self.clocks[side.index()].limit(), Limit::MoveTime(_));
            if is_fixed && late < NEARLY_IN_TIME {
                tell(LiveEvent::Late(
                    players[side.index()].name().to_owned(),
                    late,
                ));
            }
            return Err(self.overstep(players, side, answer.elapsed).into());
        }
        self.judge(players, side, &answer, tell)
    }

    /// The arbiter, which holds the moves so far.
    pub fn arbiter(&self) -> &Arbiter {
        &self.arbiter
    }

    /// The clocks of p1 and p2 before the next move.
    pub fn clocks(&self) -> &[Clock; 2] {
        &self.clocks
    }

    /// Replaces a player's clock, after a change of player or a takeback.
    pub fn set_clock(&mut self, side: Side, clock: Clock) {
        self.clocks[side.index()] = clock;
    }

    /// The record of the last move; `None` for a move of the opening.
    pub fn last_record(&self) -> Option<PlyRecord> {
        self.plies.last().cloned().flatten()
    }

    /// Takes back the last move, which must not belong to the opening. The clocks do not change.
    pub fn take_back(&mut self) {
        self.arbiter.take_back();
        self.plies.pop();
        self.expected = [None, None];
    }

    /// Plays a move with a known record, without asking a player and without using clock time.
    pub fn replay(&mut self, code: &str, record: Option<PlyRecord>) -> Result<(), Rejection> {
        self.arbiter.play(code)?;
        self.plies.push(record);
        self.expected = [None, None];
        Ok(())
    }

    fn check_rules(&mut self, players: &mut Seats<'_>) -> Result<(), Halt> {
        self.check_rules_program()?;
        match self.arbiter.rule(players) {
            Ok(Ruling::GoesOn) => Ok(()),
            Ok(Ruling::Over(outcome)) => {
                self.end_for_learners(players, None);
                Err(self.normal_ending(players, outcome).into())
            }
            Ok(Ruling::Unclear(answers)) => Err(self.unclear_ending(players, answers).into()),
            Err((side, fault)) => Err(self.lose(players, side, &fault)),
        }
    }

    /// Reports the end of the game, and its result if that is not by the rules, to players that learn.
    pub fn end_for_learners(&self, players: &mut Seats<'_>, result: Option<Outcome>) {
        for player in players.iter_mut() {
            player.end_game(self.arbiter.position(), result);
        }
    }

    /// No player loses by a failure of the rules.
    fn check_rules_program(&self) -> Result<(), Halt> {
        let fault = self.arbiter.board().and_then(DynHistory::fault);
        fault.map_or(Ok(()), |why| Err(Halt::Trouble(why)))
    }

    /// Waits for the answers of a rules program that were left for later, before a player loses.
    fn await_rules(&self) -> Result<(), Halt> {
        if let Some(board) = self.arbiter.board() {
            board.moves();
        }
        self.check_rules_program()
    }

    fn check_referee(&mut self, players: &Seats<'_>) -> Result<(), Halt> {
        let n_plies = self.arbiter.moves().len();
        let by_table = self.by_table();
        let decision = by_table.or_else(|| self.adjudicator.decision(n_plies));
        let Some(Adjudicated { winner, how }) = decision else {
            return Ok(());
        };
        let (result, what) = match winner {
            Some(side) => {
                let name = self.side_name(players, side);
                (GameResult::win(side), format!("{name} wins"))
            }
            None => (GameResult::Draw, "drawn".to_owned()),
        };
        let reason = format!("adjudicated: {what} {how}");
        Err(Ending::boxed(result, Termination::Adjudication, reason).into())
    }

    /// The decision of a table that contains the position.
    fn by_table(&mut self) -> Option<Adjudicated> {
        let value = match self.arbiter.known_value() {
            Ok(value) => value?,
            Err(why) => {
                self.notes
                    .push(format!("adjudication by table ended: {why}"));
                return None;
            }
        };
        let side = self.arbiter.side();
        let in_plies = |plies| match plies {
            1 => "in 1 ply by the table".to_owned(),
            plies => format!("in {plies} plies by the table"),
        };
        let (winner, how) = match value {
            Value::Draw => (None, "by the table".to_owned()),
            Value::Win(plies) => (Some(side), in_plies(plies)),
            Value::Loss(plies) => (Some(side.other()), in_plies(plies)),
        };
        Some(Adjudicated { winner, how })
    }

    fn let_ponder(&mut self, players: &mut Seats<'_>, side: Side) {
        if let Some(expected) = self.expected[side.index()].take()
            && self.arbiter.goes_on_after(&expected)
        {
            let position = format!("{} {expected}", self.arbiter.position());
            players[side.index()].ponder(position, limits(side, &self.clocks));
        }
    }

    /// Loss for the side to move, which failed to send a move.
    fn lose_move(&mut self, players: &mut Seats<'_>, side: Side, fault: &Fault) -> Halt {
        let (termination, what) = match self.clocks[side.index()].allowance() {
            _ if !fault.is_silence() => return self.lose(players, side, fault),
            Some(allowance) => (
                Termination::TimeForfeit,
                format!("loses on time: {fault} ({:.3} s)", allowance.as_secs_f64()),
            ),
            // The search timeout applies, which the user can set.
            None => (
                Termination::Abandoned,
                format!("{fault}: without a clock, that is --search-timeout-ms"),
            ),
        };
        self.forfeit(players, side, termination, &what).into()
    }

    fn judge(
        &mut self,
        players: &mut Seats<'_>,
        side: Side,
        answer: &BestMove,
        tell: &mut dyn FnMut(LiveEvent<'_>),
    ) -> Result<(), Halt> {
        if players[side.index()].resigns(&answer.code) {
            let reason = format!("{} resigns", self.side_name(players, side));
            let result = GameResult::win(side.other());
            return Err(Ending::boxed(result, Termination::Normal, reason).into());
        }
        let record = PlyRecord {
            time: answer.elapsed.as_secs_f64(),
            score: answer.thought.score.map(Into::into),
            depth: answer.thought.depth,
            nodes: answer.thought.nodes,
            pv: match self.keeps_pv {
                true => answer.thought.pv.clone(),
                false => Vec::new(),
            },
            by: self.team_names[side.index()]
                .is_some()
                .then(|| players[side.index()].name().to_owned()),
        };
        if let Err(refusal) = self.arbiter.play(&answer.code) {
            self.check_rules_program()?;
            let what = format!("made an illegal move: {refusal}");
            return Err(self
                .forfeit(players, side, Termination::RulesInfraction, &what)
                .into());
        }
        self.plies.push(Some(record.clone()));
        self.adjudicator.score(side, record.score);
        self.expected[side.index()].clone_from(&answer.ponder);
        let by_pv = || answer.thought.pv.get(1).cloned();
        self.likely = answer.ponder.clone().or_else(by_pv);
        let moves = self.arbiter.moves();
        tell(LiveEvent::Move {
            ply: moves.len(),
            code: &moves[moves.len() - 1],
            record,
        });
        Ok(())
    }

    fn normal_ending(&self, players: &Seats<'_>, outcome: Outcome) -> Box<Ending> {
        let reason = match outcome {
            Outcome::Win(side) => format!("{} wins", self.side_name(players, side)),
            Outcome::Draw => "drawn by the rules".to_owned(),
        };
        Ending::boxed(outcome.into(), Termination::Normal, reason)
    }

    /// Ending without a known result. No engine is at fault, but the position is recorded.
    fn unclear_ending(&self, players: &Seats<'_>, answers: String) -> Box<Ending> {
        let names = players.each_ref().map(|player| player.name());
        let reason = format!("the engines disagree: {answers}");
        let mut ending = Ending::boxed(GameResult::Unknown, Termination::Disagreement, reason);
        ending.fault = Some(FaultReport {
            engine: names.join(", "),
            position: self.arbiter.position().to_owned(),
            lines: players
                .iter()
                .flat_map(|player| player.last_output().0)
                .collect(),
            stderr: String::new(),
        });
        ending
    }

    /// Loss on time after a move that took `elapsed`.
    pub fn overstep(
        &mut self,
        players: &mut Seats<'_>,
        side: Side,
        elapsed: Duration,
    ) -> Box<Ending> {
        let what = format!("loses on time: {:.3} s", elapsed.as_secs_f64());
        self.forfeit(players, side, Termination::TimeForfeit, &what)
    }

    /// Loss for the player with the fault, unless the fault is not the player's.
    pub fn lose(&mut self, players: &mut Seats<'_>, side: Side, fault: &Fault) -> Halt {
        let termination = match fault {
            Fault::Unasked(_) | Fault::Unreadable(_) | Fault::Unintelligible { .. } => {
                Termination::RulesInfraction
            }
            _ => Termination::Abandoned,
        };
        match fault {
            Fault::Stopped => Halt::Stopped,
            Fault::Shortage(why) => Halt::Trouble(why.clone()),
            _ => self
                .forfeit(players, side, termination, &fault.to_string())
                .into(),
        }
    }

    fn forfeit(
        &mut self,
        players: &mut Seats<'_>,
        side: Side,
        termination: Termination,
        what: &str,
    ) -> Box<Ending> {
        let player = &mut players[side.index()];
        let engine = player.name().to_owned();
        let (lines, stderr) = player.last_output();
        let mut reason = format!("{engine} {what}");
        if let Some(Complaint { command, words }) = player.complaint() {
            let rejected = match *command {
                "position" => excerpt(self.arbiter.position()),
                other => other.to_owned(),
            };
            let words = excerpt(words);
            reason.push_str(&format!("; it rejects \"{rejected}\": info error {words}"));
        }
        player.on_forfeit();
        let mut ending = Ending::boxed(GameResult::win(side.other()), termination, reason);
        ending.fault = Some(FaultReport {
            engine,
            position: self.arbiter.position().to_owned(),
            lines,
            stderr,
        });
        ending
    }
}
