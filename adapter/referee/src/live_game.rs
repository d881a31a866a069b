//! A game in progress, as a function of what came in: it does no input or output, and holds no player.
//!
//! [`LiveGame::next`] says what is needed: a move of one side, answers to queries, or nothing more, for the game is over.
//! The answers go into [`answered`](LiveGame::answered), [`told`](LiveGame::told), [`failed`](LiveGame::failed) and
//! [`timed_out`](LiveGame::timed_out). Clocks, forfeits, adjudication and disagreement are decided here and nowhere else.

use std::time::Duration;

use kit::{DynHistory, Outcome, Rejection, Side};
use protocol::text::excerpt;
use protocol::{Go, Query};
use record::adjudication::{Adjudicated, Adjudication, Adjudicator};
use record::clock::{Clock, Limit, limits, spend};
use record::game::{Ending, FaultReport, GameResult, PlyRecord, Termination};

use crate::arbiter::{Answers, Arbiter, Ruling};
use crate::engine::{BestMove, Complaint, Fault, Search};

/// A move that comes later than a fixed time allows, but by less than this, is reported as a matter of the margin.
const NEARLY_IN_TIME: Duration = Duration::from_millis(20);

/// A game in progress.
pub struct LiveGame {
    /// The arbiter, which holds the moves so far.
    pub arbiter: Arbiter,
    /// The clocks of p1 and p2 before the next move.
    pub clocks: [Clock; 2],
    /// The side that moved first, once it is known.
    first: Option<Side>,
    /// The names of those who make the next move of p1 and p2.
    pub names: [String; 2],
    /// Names of the sides on which partners take turns. Such a side wins under this name, and each of its moves is recorded
    /// with the name of the member that made it.
    pub team_names: [Option<String>; 2],
    /// Record the principal variation with each engine move.
    pub keeps_pv: bool,
    /// One record for each move; `None` for moves of the opening.
    pub plies: Vec<Option<PlyRecord>>,
    /// Observations without effect on the result, each beginning with the name of the player.
    pub notes: Vec<String>,
    /// Decides unless the game ends by the rules first.
    adjudicator: Adjudicator,
    /// The reply that each player expects to its last move.
    expected: [Option<String>; 2],
    /// The reply to the last move by the principal variation of the player that made it.
    likely: Option<String>,
    /// The position was checked for an end of the game, and is none.
    is_checked: bool,
    /// The reason for which the game stops, until [`next`](LiveGame::next) has returned it.
    pub(crate) halt: Option<Halt>,
    /// Time by which a fixed time and its margin were exceeded, if it was small.
    pub late: Option<Duration>,
}

/// The next step of a game.
#[derive(Debug)]
#[allow(clippy::large_enum_variant, reason = "it lives for one step")]
pub enum Next<'g> {
    /// A move of this side.
    Go {
        /// The side to move.
        side: Side,
        /// The position and moves to search.
        search: Search<'g>,
        /// The `position` line and the limits with which the opponent may ponder, once after each of its moves.
        ponder: Option<(String, Go)>,
    },
    /// Answers to queries about a position.
    Ask {
        /// The `position` line.
        position: &'g str,
        /// The queries to the engines of p1 and p2.
        queries: [&'g [Query]; 2],
    },
    /// Nothing more.
    Over(Halt),
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

impl LiveGame {
    /// Creates a game that begins after the arbiter's opening. `names` and `clocks` are those of p1 and p2.
    pub fn new(
        arbiter: Arbiter,
        names: [String; 2],
        clocks: [Clock; 2],
        adjudication: Adjudication,
    ) -> LiveGame {
        LiveGame {
            clocks,
            first: arbiter.board().map(|_| arbiter.first_mover()),
            names,
            team_names: [None, None],
            keeps_pv: false,
            plies: vec![None; arbiter.moves().len()],
            notes: Vec::new(),
            arbiter,
            adjudicator: Adjudicator::new(adjudication),
            expected: [None, None],
            likely: None,
            is_checked: false,
            halt: None,
            late: None,
        }
    }

    /// The name under which a side wins.
    fn side_name(&self, side: Side) -> &str {
        let team = self.team_names[side.index()].as_ref();
        team.unwrap_or(&self.names[side.index()])
    }

    /// The end of the game with `A wins`, or with what is said of a draw.
    fn over(&self, outcome: Outcome, termination: Termination, drawn: &str) -> Box<Ending> {
        let reason = match outcome {
            Outcome::Win(side) => format!("{} wins", self.side_name(side)),
            Outcome::Draw => drawn.to_owned(),
        };
        Ending::boxed(outcome.into(), termination, reason)
    }

    /// Returns the next step. A fault is reported once; a table may then continue from the same position.
    #[allow(
        clippy::should_implement_trait,
        reason = "an iterator's items outlive it"
    )]
    pub fn next(&mut self) -> Next<'_> {
        if let Some(halt) = self.halt.take() {
            return Next::Over(halt);
        }
        if !self.is_checked {
            // Read twice, since the first borrow would last to the end of this function.
            if self.arbiter.queries().is_some() {
                let queries = self.arbiter.queries().unwrap_or_default();
                let position = self.arbiter.position();
                return Next::Ask { position, queries };
            }
            if let Some(halt) = self.check() {
                return Next::Over(halt);
            }
            self.is_checked = true;
        }
        let side = self.arbiter.side();
        let clock = &self.clocks[side.index()];
        // A late answer shows how late it is, so that the user can choose a margin that would forgive it.
        let patience = match clock.limit() {
            Limit::MoveTime(_) => NEARLY_IN_TIME,
            _ => Duration::ZERO,
        };
        let allowance = clock.allowance().map(|allowance| allowance + patience);
        let waiting = side.other();
        let expected = self.expected[waiting.index()].take();
        let expected = expected.filter(|code| self.arbiter.goes_on_after(code));
        let position = self.arbiter.position();
        let ponder = expected.map(|code| {
            let position = format!("{position} {code}");
            (position, limits(waiting, &self.clocks))
        });
        let search = Search {
            position,
            go: limits(side, &self.clocks),
            allowance,
        };
        Next::Go {
            side,
            search,
            ponder,
        }
    }

    /// Lets a rules program prepare for the move that will probably be made.
    pub fn expect(&self) {
        if let (Some(code), Some(board)) = (&self.likely, self.arbiter.board()) {
            board.expect(code);
        }
    }

    /// Takes the move of the side to move, and what its engine rejected. Returns `true` if it was played; otherwise the
    /// game is over.
    pub fn answered(&mut self, answer: &BestMove, complaint: Option<&Complaint>) -> bool {
        let side = self.arbiter.side();
        if !self.is_in_time(side, answer.elapsed, complaint) {
            return false;
        }
        let team = self.team_names[side.index()].as_ref();
        let record = PlyRecord {
            time: answer.elapsed.as_secs_f64(),
            score: answer.thought.score.map(Into::into),
            depth: answer.thought.depth,
            nodes: answer.thought.nodes,
            pv: match self.keeps_pv {
                true => answer.thought.pv.clone(),
                false => Vec::new(),
            },
            by: team.map(|_| self.names[side.index()].clone()),
        };
        if let Err(refusal) = self.arbiter.play(&answer.code) {
            let what = format!("made an illegal move: {refusal}");
            self.lose(side, Termination::RulesInfraction, &what, complaint);
            return false;
        }
        self.adjudicator.score(side, record.score);
        self.plies.push(Some(record));
        self.expected[side.index()].clone_from(&answer.ponder);
        let by_pv = || answer.thought.pv.get(1).cloned();
        self.likely = answer.ponder.clone().or_else(by_pv);
        self.is_checked = false;
        true
    }

    /// Takes the answers to [`Next::Ask`].
    pub fn told(&mut self, answers: &[Answers; 2]) {
        if let Err((side, fault)) = self.arbiter.told(answers, &self.names) {
            self.failed(side, &fault, None);
        }
        self.first.get_or_insert(self.arbiter.first_mover());
    }

    /// A player failed, with what its engine rejected: it loses, unless the fault is not its own.
    pub fn failed(&mut self, side: Side, fault: &Fault, complaint: Option<&Complaint>) {
        let termination = match fault {
            Fault::Stopped => return self.halt = Some(Halt::Stopped),
            Fault::Shortage(why) => return self.halt = Some(Halt::Trouble(why.clone())),
            Fault::Unasked(_) | Fault::Unreadable(_) | Fault::Unintelligible(_) => {
                Termination::RulesInfraction
            }
            _ => Termination::Abandoned,
        };
        self.lose(side, termination, &fault.to_string(), complaint);
    }

    /// The side to move has sent no move in time: it loses on time.
    pub fn timed_out(&mut self, fault: &Fault, complaint: Option<&Complaint>) {
        let side = self.arbiter.side();
        match self.clocks[side.index()].allowance() {
            Some(allowance) => {
                let what = format!("loses on time: {fault} ({:.3} s)", allowance.as_secs_f64());
                self.lose(side, Termination::TimeForfeit, &what, complaint);
            }
            // The search timeout applies, which the user can set.
            None => {
                let what = format!("{fault}: without a clock, that is --search-timeout-ms");
                self.lose(side, Termination::Abandoned, &what, complaint);
            }
        }
    }

    /// The clock of a side has run out after this time.
    pub fn ran_out(&mut self, side: Side, elapsed: Duration) {
        self.lose(side, Termination::TimeForfeit, &over_time(elapsed), None);
    }

    /// The side to move resigns after this time.
    pub fn resigned(&mut self, elapsed: Duration) {
        let side = self.arbiter.side();
        if !self.is_in_time(side, elapsed, None) {
            return;
        }
        let reason = format!("{} resigns", self.side_name(side));
        let result = GameResult::win(side.other());
        let ending = Ending::boxed(result, Termination::Normal, reason);
        self.halt = Some(Halt::Over(ending));
    }

    /// Spends the time of an answer. Returns `false` if the clock does not permit it: the side loses.
    fn is_in_time(&mut self, side: Side, elapsed: Duration, complaint: Option<&Complaint>) -> bool {
        if spend(&mut self.clocks, side, elapsed).is_ok() {
            return true;
        }
        let clock = &self.clocks[side.index()];
        let late = elapsed.saturating_sub(clock.allowance().unwrap_or_default());
        let is_fixed = matches!(clock.limit(), Limit::MoveTime(_));
        self.late = (is_fixed && late < NEARLY_IN_TIME).then_some(late);
        let what = over_time(elapsed);
        self.lose(side, Termination::TimeForfeit, &what, complaint);
        false
    }

    /// Ends the game with a loss, unless its rules have failed.
    fn lose(
        &mut self,
        side: Side,
        termination: Termination,
        what: &str,
        complaint: Option<&Complaint>,
    ) {
        // The answers of a rules program that were left for later.
        self.arbiter.board().map(DynHistory::moves);
        self.halt = self.rules_failure();
        if self.halt.is_some() {
            return;
        }
        let engine = self.names[side.index()].clone();
        let mut reason = format!("{engine} {what}");
        if let Some(Complaint { command, words }) = complaint {
            let rejected = match *command {
                "position" => excerpt(self.arbiter.position()),
                other => other.to_owned(),
            };
            let words = excerpt(words);
            reason.push_str(&format!("; it rejects \"{rejected}\": info error {words}"));
        }
        let mut ending = Ending::boxed(GameResult::win(side.other()), termination, reason);
        ending.fault = Some(self.report(engine));
        self.halt = Some(Halt::Over(ending));
    }

    /// The report of a fault of this engine, to which what it wrote is added.
    fn report(&self, engine: String) -> FaultReport {
        FaultReport {
            engine,
            position: self.arbiter.position().to_owned(),
            ..FaultReport::default()
        }
    }

    /// Adds an observation about a player without effect on the result.
    pub fn note(&mut self, name: &str, text: &str) {
        self.notes.push(format!("{name} {text}"));
    }

    /// `true` if the game is over by its rules: engines learn from it.
    pub fn is_over_by_rules(&self) -> bool {
        matches!(self.arbiter.ruling(), Ruling::Over(_))
    }

    /// The side that moved first; in a game without rules, as far as the engines have said so.
    pub fn first(&self) -> Side {
        self.first.unwrap_or_else(|| self.arbiter.first_mover())
    }

    /// The record of the last move; `None` for a move of the opening.
    pub fn last_record(&self) -> Option<&PlyRecord> {
        self.plies.last()?.as_ref()
    }

    /// Takes back the last move, which must not belong to the opening. The clocks do not change.
    pub fn take_back(&mut self) {
        self.arbiter.take_back();
        self.plies.pop();
        self.forget_ply();
    }

    /// Plays a move with a known record, without asking a player and without using clock time.
    pub fn replay(&mut self, code: &str, record: Option<PlyRecord>) -> Result<(), Rejection> {
        self.arbiter.play(code)?;
        self.plies.push(record);
        self.forget_ply();
        Ok(())
    }

    /// Forgets what was known of the last position.
    fn forget_ply(&mut self) {
        self.expected = [None, None];
        self.likely = None;
        self.is_checked = false;
        self.halt = None;
    }

    /// Checks the game for an end by the rules, then by adjudication.
    fn check(&mut self) -> Option<Halt> {
        if let Some(halt) = self.rules_failure() {
            return Some(halt);
        }
        match self.arbiter.ruling() {
            Ruling::GoesOn => self.adjudicate().map(Halt::Over),
            Ruling::Over(outcome) => {
                let ending = self.over(outcome, Termination::Normal, "drawn by the rules");
                Some(Halt::Over(ending))
            }
            Ruling::Unclear(answers) => {
                let (result, how) = (GameResult::Unknown, Termination::Disagreement);
                let mut ending =
                    Ending::boxed(result, how, format!("the engines disagree: {answers}"));
                ending.fault = Some(self.report(self.names.join(", ")));
                Some(Halt::Over(ending))
            }
        }
    }

    /// No player loses by a failure of the rules.
    fn rules_failure(&self) -> Option<Halt> {
        let fault = self.arbiter.board().and_then(DynHistory::fault);
        fault.map(Halt::Trouble)
    }

    /// Ends the game before its rules do: by a table, by the scores, or by its length.
    fn adjudicate(&mut self) -> Option<Box<Ending>> {
        let n_plies = self.arbiter.moves().len();
        let by_table = self.arbiter.by_table().unwrap_or_else(|why| {
            self.notes
                .push(format!("adjudication by table ended: {why}"));
            None
        });
        let decision = by_table.or_else(|| self.adjudicator.decision(n_plies));
        let Adjudicated { outcome, how } = decision?;
        let mut ending = self.over(outcome, Termination::Adjudication, "drawn");
        ending.reason = format!("adjudicated: {} {how}", ending.reason);
        Some(ending)
    }
}

fn over_time(elapsed: Duration) -> String {
    format!("loses on time: {:.3} s", elapsed.as_secs_f64())
}

#[cfg(test)]
#[path = "tests/play.rs"]
mod tests;
