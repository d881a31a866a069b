//! Another player takes a seat in the course of a game.

use std::collections::HashSet;

use kit::Side;

use super::TableError;
use super::journal::JournalEntry;
use super::start::occupant;
use super::state::Table;
use crate::plan::{EngineSpec, Program};
use crate::pool::unique_name;

impl Table {
    /// Has another player take a seat, or the same on another clock. His clock begins anew if its limit is another one.
    pub(super) fn set_seat(
        &mut self,
        side: Side,
        mut player: EngineSpec,
        is_guest: bool,
    ) -> Result<(), TableError> {
        let is_person = player.program == Program::Person;
        self.refuse_guest_seat(side)?;
        if is_guest && !is_person {
            return Err(TableError::refused(
                "an engine in a guest's seat: expected a person",
            ));
        }
        self.return_clock();
        let (name, limit, spec) = occupant(&player, &self.helper);
        let mut taken = HashSet::from([self.seat(side.other()).name().to_owned()]);
        let name = unique_name(name, &mut taken);
        // An engine's own name is known once it runs.
        if is_person || player.name.is_some() {
            player.name = Some(name.clone());
        }
        let seat = self.seat_mut(side);
        seat.change(name, limit, spec, !is_person);
        if is_guest {
            seat.keep_for_guest();
        }
        let clock = seat.clock();
        if self.game.clocks()[side.index()].limit() != clock.limit() {
            self.game.set_clock(side, clock);
        }
        self.plan.engines[side.index()] = player.clone();
        self.is_held = false;
        self.note(&JournalEntry::Seat {
            side,
            player: Box::new(player),
            guest: is_guest,
        })?;
        self.tell_seat(side);
        // The clocks are told again with the turn.
        self.told = None;
        Ok(())
    }

    /// Gives an engine that took a seat without a name its own, once it has told it.
    pub(super) fn settle_name(&mut self, side: Side) {
        let seat = self.seat(side);
        let engine = seat.engine.as_ref().filter(|_| !seat.is_named);
        let Some(name) = engine.map(|engine| engine.given_name()) else {
            return;
        };
        let mut taken = HashSet::from([self.seat(side.other()).name().to_owned()]);
        let name = unique_name(name, &mut taken);
        self.plan.engines[side.index()].name = Some(name.clone());
        self.seat_mut(side).rename(name);
        self.tell_seat(side);
    }
}
