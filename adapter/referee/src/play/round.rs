//! A game under way.

use std::time::Duration;

use kit::{Outcome, Rejection, Side};

use super::{Ending, News, Played};
use crate::adjudication::{Adjudication, Decision, Scores};
use crate::arbiter::{Arbiter, Ruling, Seats};
use crate::client::{BestMove, Fault};
use crate::clock::{Clock, limits};
use crate::record::{FaultReport, GameResult, PlyRecord, Termination};

/// A game under way, judged ply by ply; the players are handed in with each.
pub struct LiveGame<'a> {
    arbiter: Arbiter<'a>,
    clocks: [Clock; 2],
    plies: Vec<Option<PlyRecord>>,
    notes: Vec<String>,
    max_plies: usize,
    scores: Scores,
    /// What the scores told so far make the referee do, unless the game is over by its rules.
    decision: Option<Decision>,
    /// What each player expects the other to answer to his last move.
    expected: [Option<String>; 2],
}

/// Why a game goes no further: it ended, or (`None`) it was given up.
pub type Halt = Option<Box<Ending>>;

impl<'a> LiveGame<'a> {
    /// A game that begins where the arbiter's opening ends; the clocks are in the order of the sides.
    pub fn new(
        arbiter: Arbiter<'a>,
        clocks: [Clock; 2],
        adjudication: Adjudication,
    ) -> LiveGame<'a> {
        LiveGame {
            clocks,
            plies: vec![None; arbiter.moves().len()],
            notes: Vec::new(),
            arbiter,
            max_plies: adjudication.max_plies,
            scores: Scores::new(adjudication),
            decision: None,
            expected: [None, None],
        }
    }

    /// The game so far, with its ending.
    pub fn played(&self, ending: Ending) -> Played {
        Played {
            moves: self.arbiter.moves().to_vec(),
            plies: self.plies.clone(),
            notes: self.notes.clone(),
            ending,
        }
    }

    pub(super) fn play_out(
        &mut self,
        players: &mut Seats<'_>,
        tell: &mut dyn FnMut(News<'_>),
    ) -> Halt {
        for side in Side::BOTH {
            if let Err(fault) = players[side.index()].begin() {
                return self.lose(players, side, &fault);
            }
        }
        if let Err((side, fault)) = self.arbiter.begin(players) {
            return self.lose(players, side, &fault);
        }
        loop {
            let ply = self
                .check(players, tell)
                .and_then(|()| self.ply(players, tell));
            if let Err(halt) = ply {
                return halt;
            }
        }
    }

    /// Whether the game goes on: by its rules, and by what the referee decides.
    pub fn check(
        &mut self,
        players: &mut Seats<'_>,
        tell: &mut dyn FnMut(News<'_>),
    ) -> Result<(), Halt> {
        self.check_rules(players, tell)?;
        self.check_referee(players)
    }

    /// Asks the player to move for one, and judges it. The game goes on, as [`check`](LiveGame::check) has found.
    pub fn ply(
        &mut self,
        players: &mut Seats<'_>,
        tell: &mut dyn FnMut(News<'_>),
    ) -> Result<(), Halt> {
        let side = self.arbiter.side();
        self.let_ponder(players, side.other());
        let answer = self.ask(players, side)?;
        if self.clocks[side.index()].spend(answer.elapsed).is_err() {
            return Err(self.overstep(players, side, answer.elapsed).into());
        }
        self.judge(players, side, &answer, tell)
    }

    /// The judge, who knows the game so far.
    pub fn arbiter(&self) -> &Arbiter<'a> {
        &self.arbiter
    }

    /// The clocks as they stand before the next move, in the order of the sides.
    pub fn clocks(&self) -> &[Clock; 2] {
        &self.clocks
    }

    /// Sets a player's clock: another player sits down, or moves were taken back.
    pub fn set_clock(&mut self, side: Side, clock: Clock) {
        self.clocks[side.index()] = clock;
    }

    /// What is known of the last move.
    pub fn last_record(&self) -> Option<PlyRecord> {
        self.plies.last().copied().flatten()
    }

    /// Takes the last move back, whoever made it; the clocks stay as they are. There must be one after the opening.
    pub fn take_back(&mut self) {
        self.arbiter.take_back();
        self.plies.pop();
        self.expected = [None, None];
    }

    /// Plays a move that was made before; nobody is asked and no clock runs.
    pub fn replay(&mut self, code: &str, record: Option<PlyRecord>) -> Result<(), Rejection> {
        self.arbiter.play(code)?;
        self.plies.push(record);
        self.expected = [None, None];
        Ok(())
    }

    fn check_rules(
        &mut self,
        players: &mut Seats<'_>,
        tell: &mut dyn FnMut(News<'_>),
    ) -> Result<(), Halt> {
        let ruling = self.arbiter.rule(players);
        for (side, note) in self.arbiter.take_notes() {
            let name = players[side.index()].name();
            self.notes.push(format!("{name} {note}"));
            tell(News::Note(side, note));
        }
        match ruling {
            Ok(Ruling::GoesOn) => Ok(()),
            Ok(Ruling::Over(outcome)) => Err(self.normal_ending(players, outcome).into()),
            Ok(Ruling::Unclear(answers)) => Err(self.unclear_ending(players, answers).into()),
            Err((side, fault)) => Err(self.lose(players, side, &fault)),
        }
    }

    fn check_referee(&self, players: &Seats<'_>) -> Result<(), Halt> {
        let n_plies = self.arbiter.moves().len();
        let (result, reason) = match self.decision {
            Some(Decision::Resign(side)) => {
                let name = players[side.index()].name();
                (GameResult::win(side.other()), format!("{name} resigns"))
            }
            Some(Decision::Draw) => (GameResult::Draw, "drawn by the referee".to_owned()),
            None if n_plies >= self.max_plies => (
                GameResult::Draw,
                format!("drawn by the referee after {n_plies} plies"),
            ),
            None => return Ok(()),
        };
        Err(Ending::boxed(result, Termination::Adjudication, reason).into())
    }

    fn let_ponder(&mut self, players: &mut Seats<'_>, side: Side) {
        if let Some(expected) = self.expected[side.index()].take() {
            let position = format!("{} {expected}", self.arbiter.position());
            players[side.index()].ponder(position, limits(side, &self.clocks));
        }
    }

    fn ask(&mut self, players: &mut Seats<'_>, side: Side) -> Result<BestMove, Halt> {
        let go = limits(side, &self.clocks);
        let allowance = self.clocks[side.index()].allowance();
        players[side.index()]
            .choose(self.arbiter.position(), go, allowance)
            .map_err(|fault| match allowance {
                Some(allowance) if fault.is_silence() => {
                    Some(self.run_out(players, side, &fault, allowance))
                }
                None if fault.is_silence() => Some(self.fall_silent(players, side, &fault)),
                _ => self.lose(players, side, &fault),
            })
    }

    fn judge(
        &mut self,
        players: &mut Seats<'_>,
        side: Side,
        answer: &BestMove,
        tell: &mut dyn FnMut(News<'_>),
    ) -> Result<(), Halt> {
        let record = PlyRecord {
            time: answer.elapsed.as_secs_f64(),
            score: answer.thought.score.map(Into::into),
            depth: answer.thought.depth,
            nodes: answer.thought.nodes,
        };
        if let Err(refusal) = self.arbiter.play(&answer.code) {
            let what = format!("made an illegal move: {refusal}");
            return Err(self
                .forfeit(players, side, Termination::RulesInfraction, &what)
                .into());
        }
        self.plies.push(Some(record));
        self.decision = self.scores.tell(side, record.score);
        self.expected[side.index()].clone_from(&answer.ponder);
        let moves = self.arbiter.moves();
        tell(News::Move {
            ply: moves.len(),
            code: &moves[moves.len() - 1],
            record,
        });
        Ok(())
    }

    fn normal_ending(&self, players: &Seats<'_>, outcome: Outcome) -> Box<Ending> {
        let reason = match outcome {
            Outcome::Win(side) => format!("{} wins", players[side.index()].name()),
            Outcome::Draw => "drawn by the rules".to_owned(),
        };
        Ending::boxed(outcome.into(), Termination::Normal, reason)
    }

    /// A game that nobody knows the result of is nobody's fault, but the position is worth keeping.
    fn unclear_ending(&self, players: &Seats<'_>, answers: String) -> Box<Ending> {
        let names = players.each_ref().map(|player| player.name());
        let reason = format!("the engines disagree: {answers}");
        let mut ending = Ending::boxed(GameResult::Unknown, Termination::Disagreement, reason);
        ending.fault = Some(FaultReport {
            engine: names.join(", "),
            position: self.arbiter.position().to_owned(),
            lines: players
                .iter()
                .flat_map(|player| player.last_words().0)
                .collect(),
            stderr: String::new(),
        });
        ending
    }

    /// This player's time is up.
    pub fn overstep(
        &mut self,
        players: &mut Seats<'_>,
        side: Side,
        elapsed: Duration,
    ) -> Box<Ending> {
        let what = format!("loses on time: {:.3} s", elapsed.as_secs_f64());
        self.forfeit(players, side, Termination::TimeForfeit, &what)
    }

    fn run_out(
        &mut self,
        players: &mut Seats<'_>,
        side: Side,
        fault: &Fault,
        allowance: Duration,
    ) -> Box<Ending> {
        let what = format!("loses on time: {fault} ({:.3} s)", allowance.as_secs_f64());
        self.forfeit(players, side, Termination::TimeForfeit, &what)
    }

    /// Without a clock, all that ends the wait for a move is the patience that the user can set.
    fn fall_silent(&mut self, players: &mut Seats<'_>, side: Side, fault: &Fault) -> Box<Ending> {
        let what = format!("{fault}: without a clock, that is --ping-ms");
        self.forfeit(players, side, Termination::Abandoned, &what)
    }

    /// The game is lost for whoever committed a fault; `None` if the fault is that everything was stopped.
    pub(crate) fn lose(&mut self, players: &mut Seats<'_>, side: Side, fault: &Fault) -> Halt {
        let termination = match fault {
            Fault::Unasked(_) | Fault::Unreadable(_) => Termination::RulesInfraction,
            _ => Termination::Abandoned,
        };
        (!fault.is_stop()).then(|| self.forfeit(players, side, termination, &fault.to_string()))
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
        let (lines, stderr) = player.last_words();
        player.blame();
        let reason = format!("{engine} {what}");
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
