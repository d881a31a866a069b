//! Losses other than by the rules of the game: by a fault, on time, or by resignation.

use std::time::Duration;

use kit::Side;
use protocol::text::excerpt;
use record::clock::{Limit, spend};
use record::game::{Ending, FaultReport, GameResult, Termination};

use crate::engine::{Complaint, Fault};
use crate::live_game::{Halt, LiveGame, NEARLY_IN_TIME};

impl LiveGame {
    /// A player failed, with what its engine rejected: it loses, unless the fault is not its own.
    pub fn failed(&mut self, side: Side, fault: &Fault, complaint: Option<&Complaint>) {
        let termination = match fault {
            Fault::Stopped => return self.halt = Some(Halt::Stopped),
            Fault::Shortage(why) => return self.halt = Some(Halt::Trouble(why.clone())),
            Fault::Unasked(_) | Fault::Unreadable(_) | Fault::Unintelligible { .. } => {
                Termination::RulesInfraction
            }
            _ => Termination::Abandoned,
        };
        self.lose(side, termination, &fault.to_string(), complaint);
    }

    /// The side to move has sent no move in time: it loses on time.
    pub fn timed_out(&mut self, fault: &Fault, complaint: Option<&Complaint>) {
        let side = self.arbiter.side();
        let (termination, what) = match self.clocks[side.index()].allowance() {
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
        self.lose(side, termination, &what, complaint);
    }

    /// The clock of a side has run out after this time.
    pub fn ran_out(&mut self, side: Side, elapsed: Duration) {
        let what = over_time(elapsed);
        self.halt = Some(self.forfeit(side, Termination::TimeForfeit, &what, None));
    }

    /// The side to move resigns after this time.
    pub fn resigned(&mut self, elapsed: Duration) {
        let side = self.arbiter.side();
        if !self.is_in_time(side, elapsed, None) {
            return;
        }
        let reason = format!("{} resigns", self.side_name(side));
        let result = GameResult::win(side.other());
        self.halt = Some(Halt::Over(Ending::boxed(
            result,
            Termination::Normal,
            reason,
        )));
    }

    /// The rules have failed, for this reason.
    pub fn rules_failed(&mut self, why: String) {
        self.halt = Some(Halt::Trouble(why));
    }

    /// Spends the time of an answer. Returns `false` if the clock does not permit it: the side loses.
    pub(crate) fn is_in_time(
        &mut self,
        side: Side,
        elapsed: Duration,
        complaint: Option<&Complaint>,
    ) -> bool {
        if spend(&mut self.clocks, side, elapsed).is_ok() {
            return true;
        }
        self.late = self.lateness(side, elapsed);
        self.lose(
            side,
            Termination::TimeForfeit,
            &over_time(elapsed),
            complaint,
        );
        false
    }

    /// By how little a fixed time was exceeded.
    fn lateness(&self, side: Side, elapsed: Duration) -> Option<Duration> {
        let clock = &self.clocks[side.index()];
        let is_fixed = matches!(clock.limit(), Limit::MoveTime(_));
        let late = elapsed.saturating_sub(clock.allowance().unwrap_or_default());
        (is_fixed && late < NEARLY_IN_TIME).then_some(late)
    }

    /// Waits for the answers of a rules program that were left for later, before a player loses.
    fn await_rules(&self) -> Option<Halt> {
        if let Some(board) = self.arbiter.board() {
            board.moves();
        }
        self.rules_failure()
    }

    /// Ends the game with a loss, unless its rules have failed.
    pub(crate) fn lose(
        &mut self,
        side: Side,
        termination: Termination,
        what: &str,
        complaint: Option<&Complaint>,
    ) {
        let loss = || self.forfeit(side, termination, what, complaint);
        self.halt = Some(self.await_rules().unwrap_or_else(loss));
    }

    fn forfeit(
        &self,
        side: Side,
        termination: Termination,
        what: &str,
        complaint: Option<&Complaint>,
    ) -> Halt {
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
        Halt::Over(ending)
    }

    /// The report of a fault of this engine, to which what it wrote is added.
    pub(crate) fn report(&self, engine: String) -> FaultReport {
        FaultReport {
            engine,
            position: self.arbiter.position().to_owned(),
            lines: Vec::new(),
            stderr: String::new(),
        }
    }
}

fn over_time(elapsed: Duration) -> String {
    format!("loses on time: {:.3} s", elapsed.as_secs_f64())
}
