//! Moves as they are made, and the ways in which a game ends.

use std::time::{Duration, Instant};

use kit::Side;

use super::chair::Seat;
use super::journal::JournalEntry;
use super::tree::{Mover, Ply};
use super::{Table, TableError};
use crate::arbiter::Seats;
use crate::play::{Ending, Halt};
use crate::player::wait_until_ready;
use crate::record::{GameResult, Points, Termination};

/// What came of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// A move was made.
    Moved,
    /// The game ended without one: a clock ran out, or an engine failed.
    Ended,
    /// Everything was told to stop.
    Stopped,
}

/// What comes of the offer of a draw.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DrawAnswer {
    /// The other player is a person, who may answer.
    Offered,
    /// The game is drawn.
    Agreed,
    /// The engine plays on.
    Declined,
}

/// The ply before which an engine thinks it too early for a draw.
const TOO_EARLY: usize = 10;

impl Table {
    /// Makes a person's move, by a code that the rules read, after so much time on his clock. In a seat where an
    /// engine waits, no time counts.
    pub fn play(&mut self, code: &str, elapsed: Duration) -> Result<Step, TableError> {
        self.refuse_over()?;
        let code = self.board().fork().play(code)?;
        let side = self.side();
        let chair = &mut self.chairs[side.index()];
        let was_auto = std::mem::take(&mut chair.is_auto);
        let elapsed = if was_auto { Duration::ZERO } else { elapsed };
        chair.choose(code, elapsed);
        let step = self.ply(side, Mover::Person);
        self.chairs[side.index()].is_auto = was_auto;
        step
    }

    /// Lets the engine of the player to move think and move, whoever sits there.
    pub fn think(&mut self) -> Result<Step, TableError> {
        self.refuse_over()?;
        let side = self.side();
        self.engage(side)?;
        let chair = &mut self.chairs[side.index()];
        let was_auto = std::mem::replace(&mut chair.is_auto, true);
        let own = self.round.clocks()[side.index()].clone();
        let clock = chair.clock();
        let is_lent = own.limit() != clock.limit();
        if is_lent {
            self.round.set_clock(side, clock);
        }
        // A wish from before this turn is no wish.
        self.nudge.take();
        let step = self
            .announce(side)
            .and_then(|()| self.ply(side, Mover::Engine));
        self.chairs[side.index()].is_auto = was_auto;
        if is_lent {
            self.round.set_clock(side, own);
        }
        step
    }

    /// The time of the player to move is up.
    pub fn run_out(&mut self, elapsed: Duration) -> Result<(), TableError> {
        let side = self.side();
        let mut players = seats(&mut self.chairs);
        let ending = self.round.overstep(&mut players, side, elapsed);
        self.end(*ending)
    }

    /// A player gives up.
    pub fn resign(&mut self, side: Side) -> Result<(), TableError> {
        self.refuse_over()?;
        let reason = format!("{} resigns", self.name(side));
        self.end(adjudicated(GameResult::win(side.other()), reason))
    }

    /// A player offers a draw, or accepts the other's offer.
    pub fn offer_draw(&mut self, side: Side) -> Result<DrawAnswer, TableError> {
        self.refuse_over()?;
        let is_agreed = if self.is_auto(side.other()) {
            self.would_draw(side.other())
        } else {
            self.offer == Some(side.other())
        };
        if is_agreed {
            self.end(adjudicated(
                GameResult::Draw,
                "drawn by agreement".to_owned(),
            ))?;
            return Ok(DrawAnswer::Agreed);
        }
        if self.is_auto(side.other()) {
            return Ok(DrawAnswer::Declined);
        }
        self.offer = Some(side);
        Ok(DrawAnswer::Offered)
    }

    /// An engine agrees to a draw where its last move was none too good in its own eyes.
    fn would_draw(&self, side: Side) -> bool {
        let own = self.tree.line().filter(|ply| ply.side == side);
        let last = own
            .last()
            .and_then(|ply| ply.record)
            .and_then(|record| record.score);
        self.moves().len() >= TOO_EARLY
            && last.is_some_and(|score| match score {
                Points::Cp(score) | Points::Mate(score) => score <= 0,
            })
    }

    /// Tells an engine of the game before its first move.
    fn announce(&mut self, side: Side) -> Result<(), TableError> {
        if !self.is_ready[side.index()] {
            self.is_ready[side.index()] = true;
            let mut players = seats(&mut self.chairs);
            let player = &mut players[side.index()];
            let begun = player.begin(Instant::now());
            if let Err(fault) = begun.and_then(|()| wait_until_ready(*player)) {
                let halt = self.round.lose(&mut players, side, &fault);
                self.is_ready[side.index()] = false;
                return match halt {
                    Halt::Over(ending) => self.end(*ending),
                    _ => Ok(()),
                };
            }
        }
        Ok(())
    }

    fn ply(&mut self, side: Side, by: Mover) -> Result<Step, TableError> {
        if self.over.is_some() {
            return Ok(Step::Ended);
        }
        let mut players = seats(&mut self.chairs);
        match self.round.ply(&mut players, &mut |_| {}) {
            Ok(()) => self.grow(side, by),
            Err(Halt::Over(ending)) => {
                // A failed engine has to be started again, should anyone take this back.
                self.is_ready = [false; 2];
                self.end(*ending).map(|()| Step::Ended)
            }
            Err(_) => Ok(Step::Stopped),
        }
    }

    fn grow(&mut self, side: Side, by: Mover) -> Result<Step, TableError> {
        if self.offer == Some(side.other()) {
            self.offer = None;
        }
        self.is_held = false;
        let from = self.tree.here();
        let code = self.moves().last().cloned().unwrap_or_default();
        let record = self.round.last_record();
        let entry = JournalEntry::Move {
            from,
            code: code.clone(),
            by,
            record,
        };
        let is_new = self.tree.grow(Ply {
            code,
            side,
            by,
            record,
        });
        let entry = if is_new {
            entry
        } else {
            JournalEntry::At(self.tree.here())
        };
        self.note(&entry)?;
        self.settle_outcome()?;
        Ok(Step::Moved)
    }

    /// Ends the game where its rules end it.
    pub(super) fn settle_outcome(&mut self) -> Result<(), TableError> {
        if self.over.is_some() {
            return Ok(());
        }
        let mut players = seats(&mut self.chairs);
        let checked: Result<(), Halt> = self.round.check(&mut players, &mut |_| {});
        match checked {
            Err(Halt::Over(ending)) => self.end(*ending),
            _ => Ok(()),
        }
    }

    fn end(&mut self, ending: Ending) -> Result<(), TableError> {
        self.over = Some(ending);
        self.offer = None;
        self.file()
    }

    fn refuse_over(&self) -> Result<(), TableError> {
        match self.over {
            None => Ok(()),
            Some(_) => Err(TableError::Refused("the game is over".to_owned())),
        }
    }
}

/// Whoever plays now, in the order of the sides.
fn seats(chairs: &mut [Seat; 2]) -> Seats<'_> {
    chairs.each_mut().map(Seat::player)
}

fn adjudicated(result: GameResult, reason: String) -> Ending {
    *Ending::boxed(result, Termination::Adjudication, reason)
}
