//! One game: asks the players in turn, has the arbiter judge, keeps the clocks, and records what happened.
//!
//! Whatever a player does, [`play`] comes back with a finished game; only being told to stop leaves one unfinished.

use std::time::Duration;

use kit::{Outcome, Side};

use crate::adjudication::{Adjudication, Decision, Scores};
use crate::arbiter::{Arbiter, Ruling, Seats};
use crate::client::{BestMove, Fault};
use crate::clock::{Clock, limits};
use crate::record::{FaultReport, GameResult, PlyRecord, Termination};

/// What was played, and how it ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Played {
    /// Canonical codes of all moves, those of the opening first.
    pub moves: Vec<String>,
    /// Shape: one a move; `None` for those of the opening.
    pub plies: Vec<Option<PlyRecord>>,
    /// What was noticed that cost nobody anything, with the name of the player it is about.
    pub notes: Vec<String>,
    /// How it ended.
    pub ending: Ending,
}

/// How a game ended.
#[derive(Debug, Clone, PartialEq)]
pub struct Ending {
    /// Who won.
    pub result: GameResult,
    /// In what way.
    pub termination: Termination,
    /// Why, in words.
    pub reason: String,
    /// What an engine did wrong, where one did.
    pub fault: Option<FaultReport>,
}

/// What happens in a game.
#[derive(Debug)]
pub enum News<'a> {
    /// A legal move was played.
    Move {
        /// How many moves there are now, the opening's included.
        ply: usize,
        /// Its canonical code.
        code: &'a str,
        /// What is known of it.
        record: PlyRecord,
    },
    /// Something about this player that costs nothing.
    Note(Side, String),
}

/// Plays a game to its end; `None` if the match was told to stop before that.
///
/// `players` are in the order of their sides.
pub fn play<'a>(
    arbiter: Arbiter<'a>,
    players: Seats<'a>,
    adjudication: Adjudication,
    tell: &'a mut dyn FnMut(News<'_>),
) -> Option<Played> {
    let mut game = Game {
        clocks: [players[0].clock(), players[1].clock()],
        plies: vec![None; arbiter.moves().len()],
        notes: Vec::new(),
        arbiter,
        players,
        max_plies: adjudication.max_plies,
        scores: Scores::new(adjudication),
        decision: None,
        expected: [None, None],
        tell,
    };
    let ending = game.play_out()?;
    Some(Played {
        moves: game.arbiter.moves().to_vec(),
        plies: game.plies,
        notes: game.notes,
        ending: *ending,
    })
}

impl Ending {
    fn boxed(result: GameResult, termination: Termination, reason: String) -> Box<Ending> {
        Box::new(Ending {
            result,
            termination,
            reason,
            fault: None,
        })
    }
}

struct Game<'a> {
    arbiter: Arbiter<'a>,
    players: Seats<'a>,
    clocks: [Clock; 2],
    plies: Vec<Option<PlyRecord>>,
    notes: Vec<String>,
    max_plies: usize,
    scores: Scores,
    /// What the scores told so far make the referee do, unless the game is over by its rules.
    decision: Option<Decision>,
    /// What each player expects the other to answer to his last move.
    expected: [Option<String>; 2],
    tell: &'a mut dyn FnMut(News<'_>),
}

/// Why a game goes no further: it ended, or (`None`) it was given up.
type Halt = Option<Box<Ending>>;

impl Game<'_> {
    fn play_out(&mut self) -> Halt {
        for side in Side::BOTH {
            if let Err(fault) = self.players[side.index()].begin() {
                return self.lose(side, &fault);
            }
        }
        if let Err((side, fault)) = self.arbiter.begin(&mut self.players) {
            return self.lose(side, &fault);
        }
        loop {
            if let Err(halt) = self.ply() {
                return halt;
            }
        }
    }

    fn ply(&mut self) -> Result<(), Halt> {
        self.check_rules()?;
        self.check_referee()?;
        let side = self.arbiter.side();
        self.let_ponder(side.other());
        let answer = self.ask(side)?;
        if self.clocks[side.index()].spend(answer.elapsed).is_err() {
            return Err(self.overstep(side, answer.elapsed).into());
        }
        self.judge(side, &answer)
    }

    fn check_rules(&mut self) -> Result<(), Halt> {
        let ruling = self.arbiter.rule(&mut self.players);
        for (side, note) in self.arbiter.take_notes() {
            let name = self.players[side.index()].name();
            self.notes.push(format!("{name} {note}"));
            (self.tell)(News::Note(side, note));
        }
        match ruling {
            Ok(Ruling::GoesOn) => Ok(()),
            Ok(Ruling::Over(outcome)) => Err(self.normal_ending(outcome).into()),
            Ok(Ruling::Unclear(answers)) => Err(self.unclear_ending(answers).into()),
            Err((side, fault)) => Err(self.lose(side, &fault)),
        }
    }

    fn check_referee(&self) -> Result<(), Halt> {
        let n_plies = self.arbiter.moves().len();
        let (result, reason) = match self.decision {
            Some(Decision::Resign(side)) => {
                let name = self.players[side.index()].name();
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

    fn let_ponder(&mut self, side: Side) {
        if let Some(expected) = self.expected[side.index()].take() {
            let position = format!("{} {expected}", self.arbiter.position());
            self.players[side.index()].ponder(position, limits(side, &self.clocks));
        }
    }

    fn ask(&mut self, side: Side) -> Result<BestMove, Halt> {
        let go = limits(side, &self.clocks);
        let allowance = self.clocks[side.index()].allowance();
        self.players[side.index()]
            .choose(self.arbiter.position(), go, allowance)
            .map_err(|fault| match allowance {
                Some(allowance) if fault.is_silence() => {
                    Some(self.run_out(side, &fault, allowance))
                }
                None if fault.is_silence() => Some(self.fall_silent(side, &fault)),
                _ => self.lose(side, &fault),
            })
    }

    fn judge(&mut self, side: Side, answer: &BestMove) -> Result<(), Halt> {
        let record = PlyRecord {
            time: answer.elapsed.as_secs_f64(),
            score: answer.thought.score.map(Into::into),
            depth: answer.thought.depth,
            nodes: answer.thought.nodes,
        };
        if let Err(refusal) = self.arbiter.play(&answer.code) {
            let what = format!("made an illegal move: {refusal}");
            return Err(self
                .forfeit(side, Termination::RulesInfraction, &what)
                .into());
        }
        self.plies.push(Some(record));
        self.decision = self.scores.tell(side, record.score);
        self.expected[side.index()].clone_from(&answer.ponder);
        let moves = self.arbiter.moves();
        (self.tell)(News::Move {
            ply: moves.len(),
            code: &moves[moves.len() - 1],
            record,
        });
        Ok(())
    }

    fn normal_ending(&self, outcome: Outcome) -> Box<Ending> {
        let reason = match outcome {
            Outcome::Win(side) => format!("{} wins", self.players[side.index()].name()),
            Outcome::Draw => "drawn by the rules".to_owned(),
        };
        Ending::boxed(outcome.into(), Termination::Normal, reason)
    }

    /// A game that nobody knows the result of is nobody's fault, but the position is worth keeping.
    fn unclear_ending(&self, answers: String) -> Box<Ending> {
        let names = self.players.each_ref().map(|player| player.name());
        let reason = format!("the engines disagree: {answers}");
        let mut ending = Ending::boxed(GameResult::Unknown, Termination::Disagreement, reason);
        ending.fault = Some(FaultReport {
            engine: names.join(", "),
            position: self.arbiter.position().to_owned(),
            lines: self
                .players
                .iter()
                .flat_map(|player| player.last_words().0)
                .collect(),
            stderr: String::new(),
        });
        ending
    }

    fn overstep(&mut self, side: Side, elapsed: Duration) -> Box<Ending> {
        let what = format!("loses on time: {:.3} s", elapsed.as_secs_f64());
        self.forfeit(side, Termination::TimeForfeit, &what)
    }

    fn run_out(&mut self, side: Side, fault: &Fault, allowance: Duration) -> Box<Ending> {
        let what = format!("loses on time: {fault} ({:.3} s)", allowance.as_secs_f64());
        self.forfeit(side, Termination::TimeForfeit, &what)
    }

    /// Without a clock, all that ends the wait for a move is the patience that the user can set.
    fn fall_silent(&mut self, side: Side, fault: &Fault) -> Box<Ending> {
        let what = format!("{fault}: without a clock, that is --ping-ms");
        self.forfeit(side, Termination::Abandoned, &what)
    }

    /// The game is lost for whoever committed a fault; `None` if the fault is that everything was stopped.
    fn lose(&mut self, side: Side, fault: &Fault) -> Halt {
        let termination = match fault {
            Fault::Unasked(_) | Fault::Unreadable(_) => Termination::RulesInfraction,
            _ => Termination::Abandoned,
        };
        (!fault.is_stop()).then(|| self.forfeit(side, termination, &fault.to_string()))
    }

    fn forfeit(&mut self, side: Side, termination: Termination, what: &str) -> Box<Ending> {
        let player = &mut self.players[side.index()];
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
