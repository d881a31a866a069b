//! Several engines that take turns as one side.

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use kit::Outcome;
use protocol::Go;
use record::clock::Clock;

use super::engine::EnginePlayer;
use super::{Oracle, Player, PlayerEvent, SeatEngine};
use crate::client::{Complaint, Fault, Message};
use crate::process::Batch;
use crate::queue::SpinValues;

/// One side of a game: an engine, or several that take turns. All members are prepared for the game, but each receives
/// a position only when it has to move.
#[derive(Debug)]
pub(crate) struct Team {
    members: Vec<EnginePlayer>,
    /// Index of the current member, which represents the team.
    at: usize,
    /// The current member has moved. The next member's turn begins with the next request, so that an illegal move is
    /// attributed to the member that made it.
    has_moved: bool,
    /// Number of members that are ready for the game; they are awaited in order.
    n_ready: usize,
}

impl Team {
    /// Creates a side of at least one engine; the first one moves first.
    pub(crate) fn new(members: Vec<EnginePlayer>) -> Team {
        Team {
            members,
            at: 0,
            has_moved: false,
            n_ready: 0,
        }
    }

    /// Sets the seed of the next game for all members.
    pub(crate) fn set_game_seed(&mut self, seed: u64) {
        let members = self.members.iter_mut();
        members.for_each(|member| member.set_game_seed(seed));
    }

    /// Sets options of a member.
    ///
    /// # Errors
    /// Those of [`EnginePlayer::set_option`].
    pub(crate) fn set_options(&mut self, member: usize, values: &SpinValues) -> Result<(), String> {
        let member = &mut self.members[member];
        let mut values = values.iter();
        values.try_for_each(|(name, value)| member.set_option(name, &value.to_string()))
    }

    /// Returns the engines in their original order.
    pub(crate) fn into_members(self) -> Vec<EnginePlayer> {
        self.members
    }

    fn member(&self) -> &EnginePlayer {
        &self.members[self.at]
    }

    /// The current member.
    fn member_mut(&mut self) -> &mut EnginePlayer {
        &mut self.members[self.at]
    }

    /// Moves on to the next member if the current one has moved, and returns the current member.
    fn next_mover(&mut self) -> &mut EnginePlayer {
        if std::mem::take(&mut self.has_moved) {
            self.at = (self.at + 1) % self.members.len();
        }
        self.member_mut()
    }

    /// Converts a member's event to one of the team; `None` while other members are still preparing.
    fn take(&mut self, event: PlayerEvent) -> Option<PlayerEvent> {
        match event {
            PlayerEvent::Ready => {
                self.n_ready += 1;
                self.at = self.n_ready % self.members.len();
                (self.at == 0).then_some(event)
            }
            PlayerEvent::Moved(_) => {
                self.has_moved = true;
                Some(event)
            }
            _ => Some(event),
        }
    }
}

impl Player for Team {
    fn name(&self) -> &str {
        self.member().name()
    }

    fn clock(&self) -> Clock {
        self.member().clock()
    }

    fn begin(&mut self, now: Instant) -> Result<(), Fault> {
        self.has_moved = false;
        self.n_ready = 0;
        for at in 0..self.members.len() {
            self.at = at;
            self.member_mut().begin(now)?;
        }
        self.at = 0;
        Ok(())
    }

    fn start_move(
        &mut self,
        position: &str,
        go: Go,
        allowance: Option<Duration>,
    ) -> Result<(), Fault> {
        self.next_mover().start_move(position, go, allowance)
    }

    fn move_now(&mut self) {
        self.member_mut().move_now();
    }

    fn give_up(&mut self) {
        self.members.iter_mut().for_each(Player::give_up);
    }

    fn end_game(&mut self, position: &str, result: Option<Outcome>) {
        let members = self.members.iter_mut();
        members.for_each(|member| member.end_game(position, result));
    }

    fn ponder(&mut self, position: String, go: Go) {
        self.next_mover().ponder(position, go);
    }

    fn poll(&mut self, now: Instant) -> Result<Option<PlayerEvent>, Fault> {
        let event = self.member_mut().poll(now)?;
        Ok(event.and_then(|event| self.take(event)))
    }

    fn deadline(&mut self, now: Instant) -> Option<Instant> {
        self.member_mut().deadline(now)
    }

    fn receiver(&self) -> Option<&Receiver<Batch<Message>>> {
        self.member().receiver()
    }

    fn wait(&mut self) -> Result<PlayerEvent, Fault> {
        loop {
            let event = self.member_mut().wait()?;
            if let Some(event) = self.take(event) {
                return Ok(event);
            }
        }
    }

    fn oracle(&mut self) -> Option<&mut dyn Oracle> {
        self.next_mover().oracle()
    }

    fn on_forfeit(&mut self) {
        self.member_mut().on_forfeit();
    }

    fn complaint(&self) -> Option<&Complaint> {
        self.member().complaint()
    }

    fn rules_failure(&self) -> Option<String> {
        self.member().rules_failure()
    }

    fn last_output(&self) -> (Vec<String>, String) {
        self.member().last_output()
    }
}
