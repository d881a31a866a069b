//! Engines that take turns as one side.

use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use protocol::Go;

use super::{EnginePlayer, Oracle, Player, PlayerEvent};
use crate::client::{Complaint, Fault, Message};
use crate::clock::Clock;
use crate::process::Batch;

/// One side of a game: an engine, or several that take turns. Each is told of the game, and hears a position only when it
/// is asked about it.
#[derive(Debug)]
pub(crate) struct Team {
    members: Vec<EnginePlayer>,
    /// The member whose turn it is. What the team says of itself is said of this one.
    at: usize,
    /// Whether that member has moved. The next one's turn begins when the team is asked again, so that a bad move is
    /// blamed on its author.
    has_moved: bool,
    /// How many members are ready for the game; they are waited for in turn.
    n_ready: usize,
}

impl Team {
    /// A side of these engines, the first of which moves first. There must be one.
    pub(crate) fn new(members: Vec<EnginePlayer>) -> Team {
        Team {
            members,
            at: 0,
            has_moved: false,
            n_ready: 0,
        }
    }

    /// The engines, in their order.
    pub(crate) fn into_members(self) -> Vec<EnginePlayer> {
        self.members
    }

    fn member(&self) -> &EnginePlayer {
        &self.members[self.at]
    }

    /// The member that is dealt with at present.
    fn member_mut(&mut self) -> &mut EnginePlayer {
        &mut self.members[self.at]
    }

    /// The member that moves next.
    fn next_mover(&mut self) -> &mut EnginePlayer {
        if std::mem::take(&mut self.has_moved) {
            self.at = (self.at + 1) % self.members.len();
        }
        self.member_mut()
    }

    /// What an event of a member is to the game; `None` while other members are still getting ready.
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

    fn end_game(&mut self, position: &str) {
        let members = self.members.iter_mut();
        members.for_each(|member| member.end_game(position));
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

    fn blame(&mut self) {
        self.member_mut().blame();
    }

    fn complaint(&self) -> Option<&Complaint> {
        self.member().complaint()
    }

    fn last_output(&self) -> (Vec<String>, String) {
        self.member().last_output()
    }
}
