//! Admission of guests: the first line of a guest who has just connected, and the table's password.

use std::io;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use record::registry::Registry;
use table::strangers::Guesses;
use table::token::{Secret, is_same, random_word};
use table::{JoinWish, Role, SeatId, SideSet, TableHandle, TableSession, TableSetup};

/// Maximum number of guests.
pub(super) const MAX_GUESTS: usize = 16;

/// Time for which the program waits for guests to read that the table has ended.
const FAREWELL: Duration = Duration::from_secs(2);

/// The form of the line to join.
pub(super) const USAGE: &str = "join PASSWORD [p1|p2|watch] [NAME]";

/// Length of a password that is made here: 40 bits.
const PASSWORD: usize = 8;

/// Parses the line; `None` if it has another form. Only the password and the name are case-sensitive.
fn parse(line: &str) -> Option<(&str, JoinWish)> {
    let mut words = line.split_whitespace().peekable();
    words.next_if(|word| word.eq_ignore_ascii_case("join"))?;
    let password = words.next()?;
    let place = words.peek().and_then(|word| place(word));
    let name: Vec<&str> = words.skip(usize::from(place.is_some())).collect();
    // Another place is a typing error, not a name.
    if name.iter().any(|word| is_like_place(word)) {
        return None;
    }
    let (role, seat) = place.unwrap_or((Role::Player(SideSet::NONE), None));
    let wish = JoinWish {
        names_seats: !name.is_empty(),
        seat,
        takes_left_seats: true,
        ..JoinWish::new(&name.join(" "), role)
    };
    Some((password, wish))
}

/// Parses `p1`, `p2.2` or `watch`.
fn place(word: &str) -> Option<(Role, Option<SeatId>)> {
    let word = word.to_ascii_lowercase();
    if word == "watch" {
        return Some((Role::Spectator, None));
    }
    let seat: SeatId = word.parse().ok()?;
    let is_exact = word.contains('.');
    Some((Role::Player(seat.side.into()), is_exact.then_some(seat)))
}

fn is_like_place(word: &str) -> bool {
    let number = word.strip_prefix(['p', 'P']);
    word.eq_ignore_ascii_case("watch")
        || number.is_some_and(|number| number.starts_with(|c: char| c.is_ascii_digit()))
}

/// Admits guests who know the password to the table.
pub(crate) struct Door {
    registry: Registry,
    table: TableHandle,
    password: Mutex<String>,
    /// With the user's secret, passwords are the same after the program is restarted.
    secret: Option<Secret>,
    plan_id: String,
    n_renewed: AtomicUsize,
    guesses: Mutex<Guesses>,
    n_joined: AtomicUsize,
    guests: Slots,
    /// `true` if guests get ASCII only.
    pub(super) is_ascii: bool,
}

impl Door {
    /// The door of a table with this setup. The host may have `chosen` the password.
    ///
    /// # Errors
    /// The system provides no random numbers.
    pub(crate) fn new(
        setup: &TableSetup,
        table: TableHandle,
        chosen: Option<String>,
        is_ascii: bool,
    ) -> io::Result<Door> {
        let door = Door {
            registry: setup.host.registry,
            table,
            password: Mutex::default(),
            secret: setup.secret.clone(),
            plan_id: setup.plan.id.clone(),
            n_renewed: AtomicUsize::new(setup.renewed_tokens.len()),
            guesses: Mutex::default(),
            n_joined: AtomicUsize::new(0),
            guests: Slots::new(MAX_GUESTS),
            is_ascii,
        };
        *door.password.lock() = chosen.map_or_else(|| door.new_password(), Ok)?;
        Ok(door)
    }

    /// Admits a guest by the line to join. The password also leads to a seat that a guest has left.
    ///
    /// # Errors
    /// The reason for a rejection.
    pub(super) fn admit(&self, line: &str, ip: IpAddr) -> Result<(TableSession, Slot), String> {
        let slot = self.guests.used.try_send(());
        slot.map_err(|_| "too many guests: try again later")?;
        let slot = Slot(self.guests.freed.clone());
        let (password, mut wish) = parse(line).ok_or_else(|| format!("To join, type: {USAGE}"))?;
        self.check_password(password, ip)?;
        let number = self.n_joined.fetch_add(1, Ordering::Relaxed) + 1;
        if !wish.names_seats {
            wish.name = format!("guest {number}");
        }
        let joined = TableSession::join(&self.table, self.registry, wish);
        Ok((joined.map_err(|error| error.to_string())?, slot))
    }

    /// Waits until all guests have received the end of the table, or a timeout.
    pub(crate) fn wait_for_farewells(&self) {
        let deadline = Instant::now() + FAREWELL;
        for _ in 0..MAX_GUESTS {
            let _ = self.guests.used.send_deadline((), deadline);
        }
    }

    /// Checks the password; a wrong one counts as a guess.
    fn check_password(&self, word: &str, ip: IpAddr) -> Result<(), String> {
        let now = Instant::now();
        let mut guesses = self.guesses.lock();
        let wait = guesses.wait(ip, now).as_secs_f64().ceil();
        if wait > 0.0 {
            return Err(format!("too many wrong passwords: try again in {wait} s"));
        }
        if is_same(&self.password.lock(), word) {
            return Ok(());
        }
        guesses.count(ip, now);
        Err(format!("wrong password. To join, type: {USAGE}"))
    }

    /// The line with which guests join.
    pub(crate) fn line(&self) -> String {
        format!("join {}", self.password.lock())
    }

    /// Replaces the password, which a removed guest knows.
    ///
    /// # Errors
    /// The system provides no random numbers.
    pub(crate) fn renew_password(&self) -> io::Result<()> {
        self.n_renewed.fetch_add(1, Ordering::Relaxed);
        *self.password.lock() = self.new_password()?;
        Ok(())
    }

    fn new_password(&self) -> io::Result<String> {
        let Some(secret) = self.secret.as_ref().filter(|_| !self.plan_id.is_empty()) else {
            return random_word::<PASSWORD>();
        };
        let n_renewed = self.n_renewed.load(Ordering::Relaxed);
        let mut password = secret.token(&format!("password {} {n_renewed}", self.plan_id));
        password.truncate(PASSWORD);
        Ok(password)
    }
}

/// A counting semaphore: a channel with a message for each slot in use.
pub(super) struct Slots {
    used: Sender<()>,
    freed: Receiver<()>,
}

impl Slots {
    pub(super) fn new(n_slots: usize) -> Slots {
        let (used, freed) = bounded(n_slots);
        Slots { used, freed }
    }

    /// Waits for a slot.
    pub(super) fn take(&self) -> Slot {
        // The channel stays connected.
        let _ = self.used.send(());
        Slot(self.freed.clone())
    }
}

/// A slot that is in use; it is free again when this is dropped.
pub(super) struct Slot(Receiver<()>);

impl Drop for Slot {
    fn drop(&mut self) {
        let _ = self.0.try_recv();
    }
}

#[cfg(test)]
mod tests {
    use kit::Side;

    use super::*;

    #[test]
    fn the_line_is_read() {
        let read = |line: &str| {
            let (password, wish) = parse(line).unwrap_or_else(|| panic!("{line}"));
            assert_eq!(password, "Xy7", "{line}");
            let seat = wish.seat.map(|seat| seat.to_string());
            (wish.role, seat.unwrap_or_default(), wish.name)
        };
        let at = |role: Role, seat: &str, name: &str| (role, seat.to_owned(), name.to_owned());
        let any = Role::Player(SideSet::NONE);
        let [p1, p2] = Side::BOTH.map(|side| Role::Player(side.into()));
        assert_eq!(read("join Xy7"), at(any, "", ""));
        assert_eq!(read(" JOIN  Xy7 P1 "), at(p1, "", ""));
        assert_eq!(read("join Xy7 p2 Bob"), at(p2, "", "Bob"));
        assert_eq!(read("join Xy7 p2.2"), at(p2, "p2.2", ""));
        assert_eq!(read("join Xy7 Bob  Jr"), at(any, "", "Bob Jr"));
        assert_eq!(read("join Xy7 watch Eve"), at(Role::Spectator, "", "Eve"));
    }

    #[test]
    fn another_line_joins_nobody() {
        for line in [
            "",
            "join",
            "join Xy7 p3",
            "join Xy7 p1 p2",
            "join Xy7 Bob p2.2",
            "GET / HTTP/1.1",
            "Xy7",
        ] {
            assert!(parse(line).is_none(), "{line}");
        }
    }
}
