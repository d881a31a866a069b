//! Giving a seat to another player during a game.

use std::collections::HashSet;

use crate::model::{ClientId, Proposed, Refusal, SeatId, SeatPlayer};
use record::engine_spec::Program;
use referee::engine::{given_name, unique_name};

use crate::error::{TableError, refuse};
use crate::journal::{Journal, JournalEntry, new_id};
use crate::seat::Holder;
use crate::start::occupant;
use crate::state::Table;

impl Table {
    /// Gives a seat to another player, or changes the player's clock. A changed limit starts a new clock.
    pub(super) fn set_seat(
        &mut self,
        id: SeatId,
        SeatPlayer {
            mut player,
            guest: is_guest,
        }: SeatPlayer,
    ) -> Result<(), TableError> {
        let is_person = player.program == Program::Person;
        if !self.seat_ids().any(|known| known == id) {
            return refuse(Refusal::NoSeat { seat: id });
        }
        self.refuse_guest_seat(id)?;
        if is_guest && !is_person {
            return refuse(Refusal::EngineForGuest);
        }
        let planned = self.planned(id);
        let is_renewed = self.setup.plan.engines[planned].limit != player.limit;
        let (name, limit, spec) = occupant(&player, &self.setup.helper);
        let name = unique_name(name, &mut self.names_beside(id));
        // An engine's own name is known only once it runs.
        if is_person || player.name.is_some() {
            player.name = Some(name.clone());
        }
        let seat = self.seat_at_mut(id);
        seat.change(name, limit, spec, !is_person);
        if is_guest {
            seat.keep_for_guest();
        }
        self.setup.plan.engines[planned] = *player;
        if is_renewed {
            self.clock_since[id.side.index()] = self.tree.n_nodes();
            if id.side == self.side() {
                self.timer.reset();
            }
        }
        self.count_clocks();
        self.name_teams();
        self.is_held = false;
        self.note_seat(id, is_guest, is_renewed)?;
        if is_guest {
            // The old token is invalid.
            self.setup.renewed_tokens.push(id);
            self.note(&JournalEntry::TokenRenewed(id))?;
        }
        self.send_seat(id.side);
        // Forces a `turn` event, which contains the clocks.
        self.told = None;
        Ok(())
    }

    /// Starts another game from the same position, in which the players have exchanged their sides. A guest proposes it
    /// to the other people who play.
    pub(super) fn rematch(&mut self, client: ClientId) -> Result<(), TableError> {
        if self.over.is_none() && !self.moves().is_empty() {
            return refuse(Refusal::GameGoesOn);
        }
        if self.has_partners() {
            return refuse(Refusal::PartnersPlay);
        }
        if self.clients.is_host(client) {
            return self.exchange_sides();
        }
        self.propose(client, Proposed::Rematch, None)
    }

    /// Begins the rematch. Guests keep their tokens.
    pub(super) fn exchange_sides(&mut self) -> Result<(), TableError> {
        self.give_up_searches();
        let [one, two] = &mut self.seats;
        std::mem::swap(one, two);
        self.setup.plan.engines.swap(0, 1);
        self.clients.swap_sides();
        for id in self.seat_ids() {
            let is_guest = matches!(self.seat_at(id).holder, Holder::Guest { .. });
            self.note_seat(id, is_guest, true)?;
        }
        self.adopt(Journal::new(new_id(), self.opening.clone()))
    }

    /// Names an unnamed engine after its handshake, when its own name is known.
    pub(super) fn settle_name(&mut self, id: SeatId) {
        let seat = self.seat_at(id);
        let engine = seat.engine.as_ref().filter(|_| !seat.is_named);
        let Some(name) = engine.map(given_name) else {
            return;
        };
        self.rename_seat(id, name);
        self.send_seat(id.side);
    }

    fn rename_seat(&mut self, id: SeatId, name: String) {
        let name = unique_name(name, &mut self.names_beside(id));
        let planned = self.planned(id);
        self.setup.plan.engines[planned].name = Some(name.clone());
        self.seat_at_mut(id).rename(name);
        self.name_teams();
    }

    /// Stores the player of a seat in the journal.
    fn note_seat(&mut self, seat: SeatId, guest: bool, is_renewed: bool) -> Result<(), TableError> {
        let player = Box::new(self.setup.plan.engines[self.planned(seat)].clone());
        self.note(&JournalEntry::Seat {
            seat,
            player: SeatPlayer { player, guest },
            is_renewed,
        })
    }

    /// Gives a guest's seat the guest's name.
    pub(super) fn rename_guest_seat(&mut self, id: SeatId, name: String) -> Result<(), TableError> {
        self.rename_seat(id, name);
        self.note_seat(id, true, false)?;
        self.send_seat(id.side);
        Ok(())
    }

    /// The names of all other players.
    fn names_beside(&self, id: SeatId) -> HashSet<String> {
        let others = self.seat_ids().filter(|other| *other != id);
        others
            .map(|id| self.seat_at(id).name().to_owned())
            .collect()
    }
}
