//! Who sits where: clients come and go, engines take over and hand back.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::time::Instant;

use kit::Side;

use super::TableError;
use super::clients::Client;
use super::event::TableEvent;
use super::journal::JournalEntry;
use super::request::{ClientId, Join, RequestId, Role, SideSet};
use super::seat::{Holder, Seat};
use super::snapshot::{ClientInfo, Sitter, Turn};
use super::start::LEVEL;
use super::state::Table;
use crate::plan::{EngineSpec, Program};

/// The longest name of a client, in characters.
const MAX_NAME: usize = 60;

impl Table {
    /// Takes a client in, and tells him what he may do and how the game stands.
    pub(super) fn join(&mut self, id: ClientId, request: RequestId, join: Join, now: Instant) {
        if self.clients.find(id).is_some() {
            let why = "you have joined already".to_owned();
            self.clients.tell(id, TableEvent::Refused { request, why });
            return;
        }
        let info = ClientInfo {
            client: id,
            name: clean_name(&join.name),
            role: join.role,
        };
        let mut client = Client::new(info, join.events, now);
        match self.assign(join.role, join.token) {
            Ok((role, token)) => {
                client.info.role = role;
                self.welcome(client, request, token, now);
            }
            Err(why) => client.tell(TableEvent::Refused { request, why }.into()),
        }
    }

    fn welcome(
        &mut self,
        mut client: Client,
        request: RequestId,
        token: Option<String>,
        now: Instant,
    ) {
        let info = client.info.clone();
        let (id, role) = (info.client, info.role);
        self.clients.tell_all(TableEvent::Joined(info));
        client.tell(
            TableEvent::Welcome {
                client: id,
                role,
                token,
            }
            .into(),
        );
        self.clients.add(client);
        if let Role::Player(sides) = role {
            self.sit_down(id, sides);
        }
        let snapshot = self.snapshot(id, now);
        self.clients.tell(id, snapshot);
        self.clients.tell(id, TableEvent::Done { request });
    }

    /// What a client gets of the role that he wishes for, and the token of his seat.
    fn assign(
        &mut self,
        role: Role,
        token: Option<String>,
    ) -> Result<(Role, Option<String>), String> {
        let Role::Player(wished) = role else {
            return Ok((role, None));
        };
        if let Some(token) = token {
            let sides = self.kept_by(&token);
            if sides.is_empty() {
                return Err("no seat is kept for this token".to_owned());
            }
            return Ok((Role::Player(sides), Some(token)));
        }
        let is_free =
            |side: Side| matches!(self.seat(side).holder, Holder::Guest { token: None, .. });
        let sides: SideSet = if wished.is_empty() {
            Side::BOTH
                .into_iter()
                .find(|side| is_free(*side))
                .into_iter()
                .collect()
        } else {
            wished
        };
        if sides.is_empty() || !sides.iter().all(is_free) {
            return Err("the seat is taken, or not kept for a guest: join to watch".to_owned());
        }
        let token = new_token();
        for side in sides.iter() {
            self.seat_mut(side).holder = Holder::Guest {
                token: Some(token.clone()),
                client: None,
            };
        }
        Ok((Role::Player(sides), Some(token)))
    }

    /// The seats that this token brings back.
    fn kept_by(&self, wanted: &str) -> SideSet {
        let is_kept = |side: &Side| matches!(&self.seat(*side).holder, Holder::Guest { token: Some(token), .. } if token == wanted);
        Side::BOTH.into_iter().filter(is_kept).collect()
    }

    /// Gives a guest his seats. Whoever sat there with the same token was the same guest on a line that is lost.
    fn sit_down(&mut self, id: ClientId, sides: SideSet) {
        let mut replaced = Vec::new();
        for side in sides.iter() {
            if let Holder::Guest { client, .. } = &mut self.seat_mut(side).holder {
                replaced.extend(client.replace(id).filter(|old| *old != id));
            }
            self.tell_seat(side);
        }
        replaced.dedup();
        for old in replaced {
            let why = "the seat was taken up again elsewhere".to_owned();
            let closed = TableEvent::Closed {
                why: why.clone(),
                is_error: false,
            };
            self.clients.tell(old, closed);
            self.leave(old, &why);
        }
    }

    /// A client goes. A guest's seat is kept.
    pub(super) fn leave(&mut self, id: ClientId, why: &str) {
        let Some(client) = self.clients.remove(id) else {
            return;
        };
        self.clients.tell_all(TableEvent::Left {
            who: client.info,
            why: why.to_owned(),
        });
        self.forget_asker(id);
        for side in Side::BOTH {
            if let Holder::Guest { client, .. } = &mut self.seat_mut(side).holder
                && *client == Some(id)
            {
                *client = None;
                self.tell_seat(side);
            }
        }
    }

    /// Refuses to give the seat of a guest who is there to another player.
    pub(super) fn refuse_guest_seat(&self, side: Side) -> Result<(), TableError> {
        let seat = self.seat(side);
        if seat.is_auto || seat.info().sitter != Sitter::Guest {
            return Ok(());
        }
        let (side, guest) = (self.side_name(side), seat.name());
        let why = format!("{side} is the seat of {guest}, who is here");
        Err(TableError::Refused(why))
    }

    /// Has engines play exactly these seats from now on.
    pub(super) fn set_auto(&mut self, sides: SideSet) -> Result<(), TableError> {
        for side in sides.iter() {
            self.refuse_guest_seat(side)?;
        }
        self.is_held = false;
        self.seat_engines(sides)
    }

    /// As [`set_auto`](Table::set_auto), whoever sits there.
    pub(super) fn seat_engines(&mut self, sides: SideSet) -> Result<(), TableError> {
        let before = self.autos();
        for side in Side::BOTH {
            let is_auto = sides.contains(side);
            if is_auto != before.contains(side) {
                self.change_seat(side, is_auto);
            }
        }
        self.note(&JournalEntry::Auto(
            Side::BOTH.map(|side| sides.contains(side)),
        ))
    }

    fn change_seat(&mut self, side: Side, is_auto: bool) {
        let seat = self.seat_mut(side);
        seat.give_up();
        seat.is_once = false;
        seat.is_auto = is_auto;
        let clock = seat.clock();
        self.return_clock();
        if self.game.clocks()[side.index()].limit() != clock.limit() {
            self.game.set_clock(side, clock);
        }
        self.tell_seat(side);
    }

    /// The seats that engines play.
    pub(super) fn autos(&self) -> SideSet {
        let is_auto = |side: &Side| self.seat(*side).is_auto;
        Side::BOTH.into_iter().filter(is_auto).collect()
    }

    pub(super) fn tell_seat(&mut self, side: Side) {
        let seat = self.seat(side).info();
        self.clients
            .tell_all(TableEvent::SeatChanged { side, seat });
    }

    /// Has an engine make the move that is due, and engines that wait go on.
    pub(super) fn go(&mut self, client: ClientId) -> Result<(), TableError> {
        self.refuse_over()?;
        let side = self.side();
        if !self.seat(side).is_auto && !self.owned(client).contains(side) {
            return Err(TableError::Refused(self.not_your_turn(side)));
        }
        self.is_held = false;
        let seat = self.seat_mut(side);
        seat.is_once = !seat.is_auto;
        Ok(())
    }

    /// Has a thinking engine answer at once.
    pub(super) fn move_now(&mut self, client: ClientId, role: Role) -> Result<(), TableError> {
        if self.analyst.hurry(client) {
            return Ok(());
        }
        match self.turn() {
            Turn::Engine(_) if role != Role::Host => Err(only_host("move-now")),
            Turn::Engine(side) => {
                self.seat_mut(side).hurry();
                Ok(())
            }
            _ => Err(TableError::refused("move-now: no engine thinks")),
        }
    }

    /// Sets how well engines play from now on.
    pub(super) fn set_level(&mut self, level: u32) -> Result<(), TableError> {
        if level > 20 {
            let why = format!("level {level}: expected 0 to 20");
            return Err(TableError::Refused(why));
        }
        let value = level.to_string();
        for engine in self
            .seats
            .iter_mut()
            .filter_map(|seat| seat.engine.as_mut())
        {
            engine
                .set_option(LEVEL, &value)
                .map_err(TableError::Refused)?;
        }
        set_level(&mut self.helper, &value);
        for seat in &mut self.seats {
            if seat.spec.program == Program::Builtin {
                set_level(&mut seat.spec, &value);
            }
        }
        self.level = Some(level);
        self.clients.tell_all(TableEvent::LevelChanged { level });
        Ok(())
    }
}

fn set_level(spec: &mut EngineSpec, value: &str) {
    spec.options
        .retain(|(name, _)| !name.eq_ignore_ascii_case(LEVEL));
    spec.options
        .push((LEVEL.to_owned(), Some(value.to_owned())));
}

pub(super) fn only_host(word: &str) -> TableError {
    TableError::Refused(format!("{word}: only the host may"))
}

fn clean_name(name: &str) -> String {
    let shown = name.chars().filter(|c| !c.is_control());
    let name: String = shown.take(MAX_NAME).collect();
    if name.trim().is_empty() {
        return "guest".to_owned();
    }
    name.trim().to_owned()
}

/// A text that cannot be guessed: the keys of `RandomState` come from the system's random numbers.
fn new_token() -> String {
    let word = || RandomState::new().build_hasher().finish();
    format!("{:016x}{:016x}", word(), word())
}

impl Seat {
    /// Keeps the seat for a guest.
    pub(super) fn keep_for_guest(&mut self) {
        self.holder = Holder::Guest {
            token: None,
            client: None,
        };
    }
}
