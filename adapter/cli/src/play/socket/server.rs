//! The server: accepts connections, limits their number, admits guests by their line and the table's password, and runs the
//! dialogue with each, a client of the table whose screen is a connection.

use std::io::Write;
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use std::{io, thread};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use itertools::Itertools;
use parking_lot::Mutex;
use protocol::Line;
use record::registry::Registry;
use referee::capacity::{TABLE_DESCRIPTORS, spare_descriptors};
use table::strangers::{Guesses, Strangers};
use table::token::{Secret, is_same, random_word};
use table::{JoinWish, Role, SeatId, SideSet, TableHandle, TableSession, TableSetup};

use super::connection::Connection;
use super::parse_address;
use crate::play::client::{Client, End};
use crate::play::lines::Lines;
use crate::play::screen::{Input, InputMode};
use crate::play::style::BoardStyle;
use crate::play::text;
use crate::usage::{Failure, OrFail};

/// Maximum number of guests, and the range of the number of connections that have not joined yet.
const MAX_GUESTS: usize = 16;
const STRANGERS: RangeInclusive<u64> = 8..=32;

/// Descriptors of the table, and of the one that replaces it by `new GAME`.
const TABLES: u64 = 2 * TABLE_DESCRIPTORS;

/// Time limit and maximum number of attempts to join.
const JOIN_TIMEOUT: Duration = Duration::from_secs(30);
const MAX_TRIES: usize = 3;

/// Time for which the program waits for guests to read that the table has ended.
const FAREWELL: Duration = Duration::from_secs(2);

/// The last line to a guest who exceeded the rate limit.
const FLOODED: &str = "too much input: connection closed";

/// Pause after a failed accept, which a lack of file descriptors may cause.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// An open socket. Connections are accepted after [`serve`](Server::serve).
pub(crate) struct Server {
    listener: TcpListener,
    pub(crate) address: SocketAddr,
    /// The password that the host chose.
    pub(crate) password: Option<String>,
    /// Maximum number of connections that have not joined yet. Each is one descriptor, and those of the table are left.
    max_strangers: usize,
}

impl Server {
    /// Opens the address of `--listen`.
    pub(crate) fn open(text: &str) -> Result<Server, Failure> {
        let address = parse_address(text).or_usage("--listen")?;
        let reserved = TABLES + MAX_GUESTS as u64;
        let spare = spare_descriptors(reserved, *STRANGERS.start()).or_trouble("--listen")?;
        let about = format!("--listen {address}");
        let listener = TcpListener::bind(address).or_trouble(&about)?;
        Ok(Server {
            address: listener.local_addr().or_trouble(&about)?,
            listener,
            password: None,
            max_strangers: spare.min(*STRANGERS.end()) as usize,
        })
    }

    /// Starts the thread that accepts guests until the program ends.
    ///
    /// # Errors
    /// No thread can be started.
    pub(crate) fn serve(self, door: Arc<Door>) -> io::Result<()> {
        let mut strangers = Strangers::new(self.max_strangers);
        // One is for the newcomer that another connection is closed for.
        let slots = Slots::new(self.max_strangers + 1);
        thread::Builder::new().spawn(move || {
            loop {
                match self.listener.accept() {
                    Ok((stream, peer)) => {
                        let stranger = Arc::new(Stranger {
                            stream: Arc::new(stream),
                            ip: peer.ip(),
                            _slot: slots.take(),
                        });
                        receive(stranger, &mut strangers, &door);
                    }
                    Err(_) => thread::sleep(ACCEPT_PAUSE),
                }
            }
        })?;
        Ok(())
    }
}

/// A connection that has not joined yet.
struct Stranger {
    stream: Arc<TcpStream>,
    ip: IpAddr,
    _slot: Slot,
}

/// A counting semaphore: a channel with a message for each slot in use.
struct Slots {
    used: Sender<()>,
    freed: Receiver<()>,
}

impl Slots {
    fn new(n_slots: usize) -> Slots {
        let (used, freed) = bounded(n_slots);
        Slots { used, freed }
    }

    /// Waits for a slot.
    fn take(&self) -> Slot {
        // The channel stays connected.
        let _ = self.used.send(());
        Slot(self.freed.clone())
    }
}

/// A slot that is in use; it is free again when this is dropped.
struct Slot(Receiver<()>);

impl Drop for Slot {
    fn drop(&mut self) {
        let _ = self.0.try_recv();
    }
}

/// Passes a connection to a new thread. If too many connections have not joined, one of them is closed first. If no
/// thread can be started, the connection is closed.
fn receive(stranger: Arc<Stranger>, strangers: &mut Strangers<Weak<Stranger>>, door: &Arc<Door>) {
    let is_open = |stranger: &Weak<Stranger>| stranger.strong_count() > 0;
    let closed = strangers.add(stranger.ip, Arc::downgrade(&stranger), is_open);
    if let Some(closed) = closed.and_then(|closed| closed.upgrade()) {
        // Few bytes were sent, so there is room for the line. The thread reads the end of its input and leaves its slot.
        let _ = (&*closed.stream).write_all(b"too many connections: this one is closed\r\n");
        let _ = closed.stream.shutdown(Shutdown::Both);
    }
    let door = Arc::clone(door);
    let _ = thread::Builder::new().spawn(move || {
        if let Ok(connection) = Connection::new(Arc::clone(&stranger.stream)) {
            door.attend(connection, stranger);
        }
    });
}

fn greeting(joined: &TableSession) -> String {
    let game = &joined.game;
    let header = text::header(game, false);
    let Role::Player(sides) = game.snapshot().role else {
        return format!("{header}\nyou are watching");
    };
    let own = format!("you play {}", text::side_names(game, sides));
    let lost = "if the connection is lost, return with the same line".to_owned();
    let lines = [header, own].into_iter().chain(text::partners(game));
    lines.chain([lost]).join("\n")
}

/// The form of the line to join.
const USAGE: &str = "join PASSWORD [p1|p2|watch] [NAME]";

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
    is_ascii: bool,
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
    fn admit(&self, line: &str, ip: IpAddr) -> Result<(TableSession, Slot), String> {
        let slot = self.guests.used.try_send(());
        slot.map_err(|_| "too many guests: try again later")?;
        let slot = Slot(self.guests.freed.clone());
        let usage = || format!("To join, type: {USAGE}");
        let (password, mut wish) = parse(line).ok_or_else(usage)?;
        self.check_password(password, ip)?;
        let number = self.n_joined.fetch_add(1, Ordering::Relaxed) + 1;
        if !wish.names_seats {
            wish.name = format!("guest {number}");
        }
        let joined = TableSession::join(&self.table, self.registry, wish);
        Ok((joined.map_err(|error| error.to_string())?, slot))
    }

    /// Asks for the line to join, and runs the dialogue with the guest if it is valid.
    fn attend(&self, mut connection: Connection, stranger: Arc<Stranger>) {
        let deadline = Instant::now() + JOIN_TIMEOUT;
        let mut answer = format!("Linesman. To join: {USAGE}");
        for n_tries in 0.. {
            let sent = connection.write_all(format!("{answer}\n").as_bytes());
            if sent.is_err() {
                return;
            }
            if n_tries == MAX_TRIES {
                break;
            }
            let line = match connection.input.recv_deadline(deadline) {
                Ok(Input::Line(_, Line::Text(line))) => line,
                Ok(Input::Line(_, Line::TooLong(_))) => String::new(),
                Ok(Input::Flood) => return connection.close(FLOODED),
                Ok(_) | Err(RecvTimeoutError::Disconnected) => return,
                Err(RecvTimeoutError::Timeout) => {
                    let seconds = JOIN_TIMEOUT.as_secs();
                    let text = format!("not joined within {seconds} s: connection closed");
                    return connection.close(&text);
                }
            };
            match self.admit(&line, stranger.ip) {
                Ok((joined, _guest)) => {
                    drop(stranger);
                    return self.talk(connection, joined);
                }
                Err(why) => answer = why,
            }
        }
        connection.close("goodbye");
    }

    /// Runs the dialogue with a guest until the end of the connection.
    fn talk(&self, connection: Connection, joined: TableSession) {
        let greeting = greeting(&joined);
        let style = BoardStyle::plain(self.is_ascii);
        let input = connection.input.clone();
        let mut screen = Lines::new(InputMode::GUEST, input, connection, style.clone());
        let client = Client::new(joined, &mut screen, style);
        let last_line = match client.run(&greeting).map(|left| left.end) {
            Ok(End::Left) => "goodbye".to_owned(),
            Ok(End::Flooded) => FLOODED.to_owned(),
            Ok(End::Closed { why, .. }) => why,
            // The guest does not read, or is disconnected.
            Err(_) => return,
        };
        screen.into_output().close(&last_line);
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
