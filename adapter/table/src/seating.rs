//! Clients join and leave; engines take over seats and hand them back.

use std::time::Instant;

use crate::model::{
    ClientId, ClientInfo, CommandId, Refusal, RequestId, Role, SeatId, SeatPlayer, SideAuto,
    SideSet, Sitter, TableEvent, Turn,
};
use crate::token::{SEAT_TOKEN, is_same, random_word};
use crossbeam_channel::Sender;
use kit::Side;
use protocol::text::visible;
use record::clock::Limit;

use crate::error::{Done, failed, refuse};
use crate::journal::JournalEntry;
use crate::seat::{Holder, Seat, SeatStage, is_unnamed};
use crate::session::{Client, JoinWish};
use crate::state::Table;

/// Maximum length of a client's name in characters.
const MAX_NAME: usize = 60;

impl Table {
    /// Adds a client, and sends it its role and a snapshot.
    ///
    /// # Errors
    /// The ledger cannot be written.
    pub(super) fn join(
        &mut self,
        id: ClientId,
        request: RequestId,
        wish: JoinWish,
        events: Sender<TableEvent>,
    ) -> Done {
        let info = ClientInfo {
            client: id,
            name: visible(&wish.name).trim().to_owned(),
            role: wish.role,
        };
        let mut client = Client::new(info, wish.voice, events, self.now);
        let (seats, token) = match self.assign(&wish, &client.info.name) {
            Ok(assigned) => assigned,
            Err(why) => {
                client.tell(TableEvent::Refused { request, why });
                return Ok(());
            }
        };
        if let Some(token) = &token {
            client.info.role = Role::Player(sides_of(&seats));
            self.sit_down(id, &seats, token);
        }
        if client.info.name.is_empty() {
            client.info.name = self.usual_name(wish.role, &seats);
        }
        let info = client.info.clone();
        for seat in seats {
            if wish.names_seats && is_unnamed(&self.seat_at(seat).name) {
                self.rename_seat(seat, info.name.clone());
                self.note_seat(seat, true, false)?;
                self.send_seat(seat.side);
            }
        }
        let role = info.role;
        self.tell_all(TableEvent::Joined(info));
        client.tell(TableEvent::Welcome {
            client: id,
            role,
            token,
        });
        self.clients.all.insert(id, client);
        let snapshot = self.snapshot(id);
        self.tell(id, snapshot);
        self.tell(id, TableEvent::Done { request });
        Ok(())
    }

    /// Removes a guest and replaces the tokens of the guest's seats.
    pub(super) fn kick(&mut self, client: ClientId) -> Done {
        match self.clients.role(client) {
            None => return refuse(Refusal::NoGuest),
            Some(Role::Host) => return refuse(Refusal::HostStays),
            Some(Role::Player(_) | Role::Spectator) => {}
        }
        let seats = self.owned(client);
        self.remove(client, "the host removed you", "removed by the host", false);
        for id in seats {
            let mut player = Box::new(self.setup.plan.engines[self.planned(id)].clone());
            player.name = None;
            let guest = true;
            self.set_seat(id, SeatPlayer { player, guest })?;
        }
        Ok(())
    }

    /// The name of a client who gives none.
    fn usual_name(&self, role: Role, seats: &[SeatId]) -> String {
        let name = seats.first().map(|seat| &self.seat_at(*seat).name);
        match (role, name) {
            (Role::Host, _) => "host",
            (Role::Spectator, _) => "watcher",
            (Role::Player(_), Some(name)) if !is_unnamed(name) => name,
            (Role::Player(_), _) => "guest",
        }
        .to_owned()
    }

    /// The seats of a player who joins, and the token that reclaims them.
    fn assign(
        &self,
        wish: &JoinWish,
        name: &str,
    ) -> Result<(Vec<SeatId>, Option<String>), Refusal> {
        if name.chars().count() > MAX_NAME {
            return Err(Refusal::NameTooLong { most: MAX_NAME });
        }
        let Role::Player(wished) = wish.role else {
            return Ok((Vec::new(), None));
        };
        if let Some(token) = &wish.token {
            let seats = self.kept_by(token);
            if !seats.is_empty() {
                return Ok((seats, Some(token.clone())));
            }
            if !wish.takes_left_seats {
                return Err(Refusal::UnknownToken);
            }
        }
        let seats = self.free_seats(wished, wish);
        if seats.is_empty() || !wished.iter().all(|side| sides_of(&seats).contains(side)) {
            return Err(Refusal::SeatIsTaken);
        }
        let random = || random_word::<SEAT_TOKEN>().map_err(failed);
        let token = self.derived_token(seats[0]).map_or_else(random, Ok)?;
        Ok((seats, Some(token)))
    }

    /// The token of a guest's seat, which is the same after the table is resumed; `None` without a secret.
    fn derived_token(&self, id: SeatId) -> Option<String> {
        let n_renewed = self.setup.renewed_tokens.iter().filter(|seat| **seat == id);
        let plan = &self.setup.plan.id;
        let secret = self.setup.secret.as_ref().filter(|_| !plan.is_empty())?;
        let mut token = secret.token(&format!("seat {plan} {id} {}", n_renewed.count()));
        token.truncate(SEAT_TOKEN);
        Some(token)
    }

    /// The best free seat on each requested side; the best one of all if no side is requested.
    fn free_seats(&self, wished: SideSet, wish: &JoinWish) -> Vec<SeatId> {
        let best = |side: Option<Side>| {
            let is_meant = |id: &SeatId| side.is_none_or(|side| side == id.side);
            let seats = self.seat_ids().filter(is_meant);
            let ranked = seats.filter_map(|id| Some((self.rank(id, wish)?, id)));
            ranked.min_by_key(|(rank, _)| *rank).map(|(_, id)| id)
        };
        if wished.is_empty() {
            return best(None).into_iter().collect();
        }
        wished.iter().filter_map(|side| best(Some(side))).collect()
    }

    /// The rank of a free seat, the best first: one that the client seems to have left, one without a player, one
    /// that another guest has left. `None` if the seat is not free.
    fn rank(&self, id: SeatId, wish: &JoinWish) -> Option<u32> {
        let seat = self.seat_at(id);
        let is_own = !wish.names_seats || wish.name == seat.name;
        match &seat.holder {
            _ if wish.seat.is_some_and(|seat| seat != id) => None,
            Holder::Guest { token: None, .. } => Some(1),
            Holder::Guest { client: None, .. } if wish.takes_left_seats => {
                Some(if is_own { 0 } else { 2 })
            }
            Holder::Guest { .. } | Holder::Host => None,
        }
    }

    /// The seats that are kept for this token.
    fn kept_by(&self, wanted: &str) -> Vec<SeatId> {
        let is_kept = |id: &SeatId| match &self.seat_at(*id).holder {
            Holder::Host => false,
            Holder::Guest { token, .. } => {
                let token = token.clone().or_else(|| self.derived_token(*id));
                token.is_some_and(|token| is_same(&token, wanted))
            }
        };
        self.seat_ids().filter(is_kept).collect()
    }

    /// Gives a guest its seats, which the token reclaims. An older client with the same token is the same guest on a
    /// lost connection, and is removed.
    fn sit_down(&mut self, id: ClientId, seats: &[SeatId], wanted: &str) {
        let (now, mut replaced) = (self.now, Vec::new());
        for seat in seats {
            self.seat_at_mut(*seat).arrive(now);
            if let Holder::Guest { client, token } = &mut self.seat_at_mut(*seat).holder {
                *token = Some(wanted.to_owned());
                replaced.extend(client.replace(id).filter(|old| *old != id));
            }
            self.send_seat(seat.side);
        }
        replaced.dedup();
        for old in replaced {
            let why = "the seat is now used by a newer connection";
            self.remove(old, why, why, true);
        }
    }

    /// Makes a client leave, and sends it and the others the reason.
    fn remove(&mut self, id: ClientId, why: &str, told: &str, may_return: bool) {
        let why = why.to_owned();
        self.tell(id, TableEvent::Removed { why, may_return });
        self.leave(id, told);
    }

    /// Removes a client. A guest's seat is kept.
    pub(super) fn leave(&mut self, id: ClientId, why: &str) {
        let Some(client) = self.clients.all.remove(&id) else {
            return;
        };
        self.tell_all(TableEvent::Left {
            who: client.info,
            why: why.to_owned(),
        });
        self.forget_asker(id);
        let now = self.now;
        for seat_id in self.seat_ids() {
            let seat = self.seat_at_mut(seat_id);
            if let Holder::Guest { client, .. } = &mut seat.holder
                && *client == Some(id)
            {
                *client = None;
                seat.left = Some(now);
                seat.is_awaited = true;
                self.send_seat(seat_id.side);
            }
        }
    }

    /// The time at which the game stops waiting for a guest who has left: with clocks, it continues without the guest.
    pub(super) fn waiting_end(&self) -> Option<(Instant, SeatId)> {
        let ends = self.seat_ids().filter_map(|id| {
            let seat = self.seat_at(id);
            let left = seat.left.filter(|_| seat.is_awaited)?;
            Some((left + self.setup.reconnect.saturating_sub(seat.absence), id))
        });
        let has_clock = self.all_seats().any(Seat::has_clock);
        ends.filter(|_| has_clock).min_by_key(|(end, _)| *end)
    }

    /// Continues the game without a guest whose time to reconnect is over, and returns when it ended.
    pub(super) fn stop_waiting(&mut self) -> Option<Instant> {
        let (end, id) = self.waiting_end().filter(|(end, _)| *end <= self.now)?;
        self.seat_at_mut(id).is_awaited = false;
        Some(end)
    }

    /// Returns an error if a guest is present in this seat, so that it cannot be reassigned.
    pub(super) fn refuse_guest_seat(&self, id: SeatId) -> Done {
        let seat = self.seat_at(id);
        if seat.is_auto || seat.info().sitter != Sitter::Guest {
            return Ok(());
        }
        let guest = match is_unnamed(&seat.name) {
            true => "a guest".to_owned(),
            false => seat.name.clone(),
        };
        let side = self.side_name(id.side);
        refuse(Refusal::SeatIsUsed { side, guest })
    }

    /// Returns an error if a guest is present on one of the sides.
    pub(super) fn refuse_guest_seats(&self, sides: SideSet) -> Done {
        let mut ids = self.seat_ids().filter(|id| sides.contains(id.side));
        ids.try_for_each(|id| self.refuse_guest_seat(id))
    }

    /// Makes engines play exactly these sides.
    pub(super) fn set_auto(&mut self, sides: SideSet) -> Done {
        self.refuse_guest_seats(sides)?;
        self.is_held = false;
        self.seat_engines(&Side::BOTH.map(|side| SideAuto::All(sides.contains(side))))
    }

    /// Assigns engines like [`set_auto`](Table::set_auto), without checking the present owners.
    pub(super) fn seat_engines(&mut self, autos: &[SideAuto; 2]) -> Done {
        for id in self.seat_ids() {
            let is_auto = autos[id.side.index()].of(id.partner);
            let seat = self.seat_at_mut(id);
            if is_auto != seat.is_auto {
                seat.give_up();
                seat.is_once = false;
                seat.is_auto = is_auto;
                self.count_clocks();
                self.send_seat(id.side);
            }
        }
        self.note(&JournalEntry::Auto(self.autos()))
    }

    pub(super) fn send_seat(&mut self, side: Side) {
        let seat = self.seat_info(side);
        self.tell_all(TableEvent::SeatChanged { side, seat });
    }

    /// Lets an engine make the next move; engines that were held continue, or wait again after `once`.
    pub(super) fn go(&mut self, client: ClientId, limit: Option<Limit>, once: bool) -> Done {
        let side = self.side();
        let is_auto = self.seat(side).is_auto;
        if !is_auto && !self.owns(client, self.seat_id(side)) {
            let player = self.player_and_side(side);
            return refuse(Refusal::OthersTurn { player });
        }
        if is_auto && limit.is_some() {
            return refuse(Refusal::HasLimit);
        }
        if limit == Some(Limit::Unlimited) {
            return refuse(Refusal::NoLimit);
        }
        self.is_held = false;
        let seat = self.seat_mut(side);
        // A search that is running keeps its limit.
        if seat.stage != SeatStage::Thinking {
            seat.is_once = !is_auto;
            seat.limit_once = limit;
        }
        if once {
            self.pace.skip();
            self.reconcile()?;
            self.is_held = true;
        }
        Ok(())
    }

    /// Makes a thinking engine answer immediately.
    pub(super) fn move_now(&mut self, client: ClientId) -> Done {
        let first = self.analyst.questions.front();
        if first.is_some_and(|asked| asked.client == client) {
            self.analyst.analyser.move_now();
            return Ok(());
        }
        let command = CommandId::MoveNow;
        match self.turn() {
            Turn::Engine(_) if !self.clients.is_host(client) => {
                refuse(Refusal::OnlyHost { command })
            }
            Turn::Engine(side) => {
                self.pace.skip();
                self.seat_mut(side).move_now();
                Ok(())
            }
            _ => refuse(Refusal::NothingToStop),
        }
    }
}

/// The sides of these seats.
fn sides_of(seats: &[SeatId]) -> SideSet {
    seats.iter().map(|seat| seat.side).collect()
}
