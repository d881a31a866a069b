//! The seats of both sides, on each of which several partners may take turns: who sits where, and giving a seat to another
//! player during a game.

use std::collections::HashSet;

use crate::model::{
    ClientId, Mover, NodeId, Proposed, Refusal, Role, SeatId, SeatInfo, SeatPlayer, SideAuto,
    SideSet,
};
use kit::Side;
use record::clock::Clock;
use record::engine_spec::Program;
use record::plan::{PARTNERS, partner_to_move};
use referee::engine::{given_name, unique_name};

use crate::error::{Done, refuse};
use crate::journal::{Journal, JournalEntry, new_id};
use crate::seat::{Holder, Seat};
use crate::start::occupant;
use crate::state::Table;

impl Table {
    /// All seats, those of p1 first, in the order of their turns.
    pub(super) fn seat_ids(&self) -> impl Iterator<Item = SeatId> + use<> {
        let n_partners = self.seats.each_ref().map(Vec::len);
        Side::BOTH.into_iter().flat_map(move |side| {
            (0..n_partners[side.index()]).map(move |partner| SeatId { side, partner })
        })
    }

    /// `true` if several players take turns on a side.
    pub(super) fn has_partners(&self) -> bool {
        self.seats.iter().any(|seats| seats.len() > 1)
    }

    pub(super) fn all_seats(&self) -> impl Iterator<Item = &Seat> {
        self.seats.iter().flatten()
    }

    /// The players of a side, in the order of their turns.
    pub(super) fn partners(&self, side: Side) -> &[Seat] {
        &self.seats[side.index()]
    }

    /// The seat that makes a side's next move.
    pub(super) fn seat_id(&self, side: Side) -> SeatId {
        let n_played = self.moves().len().saturating_sub(self.opening.moves.len());
        self.seat_after(n_played + usize::from(side != self.side()), side)
    }

    /// The seat that makes a side's first move after this number of moves.
    pub(super) fn seat_after(&self, n_moves: usize, side: Side) -> SeatId {
        let partner = partner_to_move(n_moves, self.partners(side).len());
        SeatId { side, partner }
    }

    /// The index of each side's next mover among its partners.
    pub(super) fn partners_to_move(&self) -> [usize; 2] {
        Side::BOTH.map(|side| self.seat_id(side).partner)
    }

    /// The seat whose move led to a node; `None` for the root.
    pub(super) fn mover(&self, node: NodeId) -> Option<SeatId> {
        let side = self.tree.ply(node)?.side;
        Some(self.seat_after(self.tree.path(node).len() - 1, side))
    }

    pub(super) fn seat_at(&self, id: SeatId) -> &Seat {
        &self.seats[id.side.index()][id.partner]
    }

    pub(super) fn seat_at_mut(&mut self, id: SeatId) -> &mut Seat {
        &mut self.seats[id.side.index()][id.partner]
    }

    /// The index of a seat's player in the plan.
    pub(super) fn planned(&self, id: SeatId) -> usize {
        match id.side {
            Side::P1 => id.partner,
            Side::P2 => self.partners(Side::P1).len() + id.partner,
        }
    }

    /// `true` if the plan has a person in this seat.
    pub(super) fn is_persons(&self, id: SeatId) -> bool {
        self.setup.plan.engines[self.planned(id)].program == Program::Person
    }

    /// The name of a side in the records: the player's, or the joined names of the partners.
    pub(super) fn player_name(&self, side: Side) -> String {
        let names = self.partners(side).iter().map(|seat| seat.name.as_str());
        names.collect::<Vec<_>>().join(PARTNERS)
    }

    /// Passes the names of sides with partners to the game, for the reasons of results.
    pub(super) fn name_teams(&mut self) {
        let name = |side: Side| (self.partners(side).len() > 1).then(|| self.player_name(side));
        self.game.team_names = Side::BOTH.map(name);
    }

    /// The players of a side except the engines that move for persons; persons first.
    pub(super) fn own_players(&self, side: Side) -> impl Iterator<Item = &Seat> {
        let ids = move || self.seat_ids().filter(move |id| id.side == side);
        let persons = ids().filter(|id| !self.seat_at(*id).is_auto);
        let engines = ids().filter(|id| self.seat_at(*id).is_auto && !self.is_persons(*id));
        persons.chain(engines).map(|id| self.seat_at(id))
    }

    /// A side's clock at the start of a game: a person's, if any partner is a person.
    pub(super) fn fresh_clock(&self, side: Side) -> Clock {
        let own = self.own_players(side).next();
        own.unwrap_or(&self.partners(side)[0]).clock()
    }

    /// The seats that engines play, indexed by side.
    pub(super) fn autos(&self) -> [SideAuto; 2] {
        let autos = |seats: &Vec<Seat>| seats.iter().map(|seat| seat.is_auto).collect::<Vec<_>>();
        self.seats.each_ref().map(|seats| autos(seats).into())
    }

    /// `true` if a seat belongs to this client while a person plays there.
    pub(super) fn owns(&self, client: ClientId, id: SeatId) -> bool {
        match self.seat_at(id).holder {
            Holder::Host => self.clients.is_host(client),
            Holder::Guest { client: sitter, .. } => sitter == Some(client),
        }
    }

    /// The seats that belong to this client while persons play there.
    pub(super) fn owned(&self, client: ClientId) -> Vec<SeatId> {
        let owned = self.seat_ids().filter(|id| self.owns(client, *id));
        owned.collect()
    }

    /// The client's seat on a side; without one, the seat that moves next.
    pub(super) fn own_seat(&self, client: ClientId, side: Side) -> SeatId {
        let mut owned = self.owned(client).into_iter();
        let own = owned.find(|id| id.side == side);
        own.unwrap_or(self.seat_id(side))
    }

    /// The sides with a seat that satisfies the predicate.
    pub(super) fn sides_with(&self, is_wanted: impl Fn(SeatId) -> bool) -> SideSet {
        let wanted = self.seat_ids().filter(|id| is_wanted(*id));
        wanted.map(|id| id.side).collect()
    }

    /// Returns an error if the client shares a side with another person and the game is in progress: partners may not
    /// consult.
    pub(super) fn refuse_partners_talk(&self, client: ClientId) -> Done {
        let own = self.sides_with(|id| self.owns(client, id) && self.is_persons(id));
        let others = self.sides_with(|id| !self.owns(client, id) && self.is_persons(id));
        let is_shared = own.iter().any(|side| others.contains(side));
        match is_shared && self.over.is_none() {
            true => refuse(Refusal::PartnersTalk),
            false => Ok(()),
        }
    }

    /// A side as clients see it.
    pub(super) fn seat_info(&self, side: Side) -> SeatInfo {
        let partners: Vec<_> = self.partners(side).iter().map(Seat::info).collect();
        if let [alone] = partners.as_slice() {
            return SeatInfo {
                client: None,
                ..alone.clone()
            };
        }
        let persons = partners.iter().filter(|seat| seat.by == Mover::Person);
        let first = persons
            .min_by_key(|seat| seat.sitter)
            .unwrap_or(&partners[0]);
        SeatInfo {
            name: self.player_name(side),
            by: first.by,
            sitter: first.sitter,
            client: None,
            partners,
        }
    }

    /// Gives a seat to another player, or changes the player's clock. A changed limit starts a new clock.
    pub(super) fn set_seat(&mut self, id: SeatId, new: SeatPlayer) -> Done {
        let (mut player, is_guest) = (new.player, new.guest);
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
    pub(super) fn rematch(&mut self, client: ClientId) -> Done {
        if self.over.is_none() && !self.moves().is_empty() {
            return refuse(Refusal::GameGoesOn);
        }
        if self.has_partners() {
            return refuse(Refusal::PartnersPlay);
        }
        if self.clients.is_host(client) {
            return self.exchange_sides();
        }
        self.propose(client, Proposed::Rematch)
    }

    /// Begins the rematch. Guests keep their tokens.
    pub(super) fn exchange_sides(&mut self) -> Done {
        self.give_up_searches();
        let [one, two] = &mut self.seats;
        std::mem::swap(one, two);
        self.setup.plan.engines.swap(0, 1);
        for client in self.clients.all.values_mut() {
            if let Role::Player(sides) = &mut client.info.role {
                *sides = sides.iter().map(Side::other).collect();
            }
        }
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
        if let Some(name) = engine.map(given_name) {
            self.rename_seat(id, name);
            self.send_seat(id.side);
        }
    }

    pub(super) fn rename_seat(&mut self, id: SeatId, name: String) {
        let name = unique_name(name, &mut self.names_beside(id));
        let planned = self.planned(id);
        self.setup.plan.engines[planned].name = Some(name.clone());
        self.seat_at_mut(id).rename(name);
        self.name_teams();
    }

    /// Stores the player of a seat in the journal.
    pub(super) fn note_seat(&mut self, seat: SeatId, guest: bool, is_renewed: bool) -> Done {
        let player = Box::new(self.setup.plan.engines[self.planned(seat)].clone());
        self.note(&JournalEntry::Seat {
            seat,
            player: SeatPlayer { player, guest },
            is_renewed,
        })
    }

    /// The names of all other players.
    fn names_beside(&self, id: SeatId) -> HashSet<String> {
        let others = self.seat_ids().filter(|other| *other != id);
        let names = others.map(|id| self.seat_at(id).name.clone());
        names.collect()
    }
}
