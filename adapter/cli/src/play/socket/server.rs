//! The server: accepts connections, and admits guests who know the password.

use std::io::{self, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use parking_lot::Mutex;
use protocol::Line;
use record::ledger::LedgerKey;
use record::table::{Role, SeatId, SideSet};
use record::token::{is_same, random_word};
use table::strangers::{Guesses, Strangers};
use table::{JoinWish, TableSession, TableSetup};

use super::connection::Connection;
use super::join::{self, JoinLine, LobbyRequest, ROOM_USAGE, USAGE};
use super::room::Room;
use super::{address, guest};
use crate::play::client::ListTables;
use crate::play::input::Input;
use crate::play::screen::Size;
use crate::usage::{Failure, OrFail};

/// Maximum number of guests, and of connections that have not joined yet.
const MAX_GUESTS: usize = 16;
const MAX_STRANGERS: usize = 32;

/// Time limit and maximum number of attempts to join.
const JOIN_TIMEOUT: Duration = Duration::from_secs(30);
const MAX_TRIES: usize = 3;

/// Time for which the program waits for guests to read that the table has ended.
const FAREWELL: Duration = Duration::from_secs(2);

/// Pause after a failed accept, which a lack of file descriptors may cause.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Length of a password that is made here: 40 bits.
const PASSWORD: usize = 8;

/// An open socket. Connections are accepted after [`serve`](Server::serve).
pub(crate) struct Server {
    listener: TcpListener,
    pub(crate) address: SocketAddr,
}

impl Server {
    /// Opens the address of `--listen`.
    pub(crate) fn open(text: &str) -> Result<Server, Failure> {
        let address = address::parse(text).or_usage("--listen")?;
        let server = Server::bind(address);
        server.map_err(|error| Failure::Trouble(format!("--listen {address}: {error}")))
    }

    /// Opens the address at which a resumed game listened before.
    pub(crate) fn open_again(address: SocketAddr) -> Result<Server, Failure> {
        Server::bind(address).map_err(|error| {
            let why = "the game listened there: expected another address by --listen";
            Failure::Trouble(format!("{address}: {error}; {why}"))
        })
    }

    fn bind(address: SocketAddr) -> io::Result<Server> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        Ok(Server { listener, address })
    }

    /// Starts the thread that accepts guests until the program ends.
    ///
    /// # Errors
    /// No thread can be started.
    pub(crate) fn serve(self, lobby: Arc<Lobby>) -> io::Result<()> {
        let mut strangers = Strangers::new(MAX_STRANGERS);
        thread::Builder::new().spawn(move || {
            loop {
                match self.listener.accept() {
                    Ok((stream, peer)) => receive(stream, peer.ip(), &mut strangers, &lobby),
                    Err(_) => thread::sleep(ACCEPT_PAUSE),
                }
            }
        })?;
        Ok(())
    }
}

/// The state shared by all connections.
pub(crate) struct Lobby {
    room: Room,
    password: Mutex<String>,
    secrets: GuestSecrets,
    guesses: Mutex<Guesses>,
    /// `true` if guests get ASCII only.
    is_ascii: bool,
    /// The seats of guests.
    places: Mutex<Vec<Place>>,
    strangers: Slots,
    guests: Slots,
    n_joined: AtomicUsize,
}

impl Lobby {
    pub(crate) fn new(
        room: Room,
        password: String,
        secrets: GuestSecrets,
        is_ascii: bool,
    ) -> Lobby {
        Lobby {
            room,
            password: Mutex::new(password),
            secrets,
            guesses: Mutex::default(),
            is_ascii,
            places: Mutex::default(),
            strangers: Slots::new(MAX_STRANGERS),
            guests: Slots::new(MAX_GUESTS),
            n_joined: AtomicUsize::new(0),
        }
    }

    /// Waits until all guests have received the end of the table, or a timeout.
    pub(crate) fn wait_for_farewells(&self) {
        let deadline = Instant::now() + FAREWELL;
        for _ in 0..MAX_GUESTS {
            let _ = self.guests.free.recv_deadline(deadline);
        }
    }

    /// Admits a guest by the line to join, or answers another line. An error is the reason for a rejection.
    fn admit(&self, line: &str, ip: IpAddr) -> Result<Admission, String> {
        let expected = || format!("expected {}", self.usage());
        let request = join::parse(line).ok_or_else(expected)?;
        let slot = self.guests.take();
        let slot = slot.ok_or("too many guests: try again later")?;
        let has_tables = self.room.has_tables();
        let wanted = match request {
            LobbyRequest::Join(wanted) => wanted,
            _ if !has_tables => return Err(expected()),
            LobbyRequest::List(word) => {
                self.check_password(&word, ip)?;
                return Ok(Admission::Answer(self.room.list()));
            }
            LobbyRequest::Open(game, wanted) => {
                self.check_password(&wanted.word, ip)?;
                let table = Some(self.room.open(&game)?);
                JoinLine { table, ..wanted }
            }
        };
        let joined = match self.known_place(&wanted) {
            Some((table, token)) => self.join(&wanted, table, Some(token))?,
            None => self.admit_stranger(&wanted, ip)?,
        };
        if let (Some(token), Role::Player(sides)) = (joined.token(), joined.game().snapshot().role)
        {
            self.add_place(token, sides, &wanted);
        }
        Ok(Admission::Joined(Box::new(joined), slot, wanted.size))
    }

    /// The lines that a guest may type first.
    fn usage(&self) -> &'static str {
        match self.room.has_tables() {
            true => ROOM_USAGE,
            false => USAGE,
        }
    }

    /// The list of the tables.
    pub(crate) fn list(&self) -> String {
        self.room.list()
    }

    /// Ends the tables that guests opened.
    pub(crate) fn close_tables(&self) {
        self.room.close();
    }

    fn join(
        &self,
        wanted: &JoinLine,
        table: Option<usize>,
        token: Option<String>,
    ) -> Result<TableSession, String> {
        let number = self.n_joined.fetch_add(1, Ordering::Relaxed) + 1;
        let name = wanted.name.clone();
        let wish = JoinWish {
            names_seats: name.is_some(),
            role: wanted.role,
            seat: wanted.seat,
            token,
            ..JoinWish::new(
                &name.unwrap_or_else(|| format!("guest {number}")),
                wanted.role,
            )
        };
        self.room.join(table, wish)
    }

    /// The table and the token of a seat that was given to a guest, if this is the guest's word.
    fn known_place(&self, wanted: &JoinLine) -> Option<(Option<usize>, String)> {
        let places = self.places.lock();
        let mut places = places.iter();
        let place = places.find(|place| is_same(&place.token, &wanted.word));
        place.map(|place| (place.table, place.token.clone()))
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
        Err(format!("wrong password: expected {}", self.usage()))
    }

    /// Admits a guest with the password, or with a token from before the program was restarted. The password also leads
    /// to a seat that a guest has left.
    fn admit_stranger(&self, wanted: &JoinLine, ip: IpAddr) -> Result<TableSession, String> {
        let is_waiting = self.guesses.lock().wait(ip, Instant::now()) > Duration::ZERO;
        if !is_waiting && !is_same(&self.password.lock(), &wanted.word) {
            let returning = JoinLine {
                word: wanted.word.clone(),
                role: Role::Player(SideSet::NONE),
                seat: None,
                name: wanted.name.clone(),
                table: None,
                size: None,
            };
            if let Ok(joined) = self.join(&returning, None, Some(wanted.word.clone())) {
                return Ok(joined);
            }
        }
        self.check_password(&wanted.word, ip)?;
        self.join(wanted, wanted.table, self.left_place(wanted))
    }

    /// The token of a seat that a guest has left, for a guest who joins there with the password.
    fn left_place(&self, wanted: &JoinLine) -> Option<String> {
        let Role::Player(sides) = wanted.role else {
            return None;
        };
        let places = self.places.lock();
        let is_wanted = |place: &&Place| {
            let is_side = sides.is_empty() || sides == place.sides;
            let is_name = wanted.name.is_none() || wanted.name == place.name;
            let is_table = wanted.table == place.table;
            !place.is_here && is_table && is_side && is_name && wanted.seat == place.seat
        };
        let place = places.iter().find(is_wanted);
        place.map(|place| place.token.clone())
    }

    fn add_place(&self, token: &str, sides: SideSet, wanted: &JoinLine) {
        let mut places = self.places.lock();
        if let Some(place) = places.iter_mut().find(|place| place.token == token) {
            place.is_here = true;
            return;
        }
        places.push(Place {
            token: token.to_owned(),
            table: wanted.table,
            sides,
            seat: wanted.seat,
            name: wanted.name.clone(),
            is_here: true,
        });
    }

    fn leave_place(&self, token: &str) {
        let mut places = self.places.lock();
        if let Some(place) = places.iter_mut().find(|place| place.token == token) {
            place.is_here = false;
        }
    }

    /// Replaces the password, which a removed guest knows, and returns the new one.
    ///
    /// # Errors
    /// The system provides no random numbers.
    pub(crate) fn renew_password(&self) -> io::Result<String> {
        let password = self.secrets.renewed_password()?;
        self.password.lock().clone_from(&password);
        Ok(password)
    }

    /// Runs the dialogue with a guest. Afterwards the seat is free for the guest's return, unless the guest has already
    /// returned on another connection.
    fn talk(self: &Arc<Self>, connection: Connection, joined: TableSession) {
        let token = joined.token().map(str::to_owned);
        let lobby = Arc::clone(self);
        let list: ListTables = Box::new(move || lobby.list());
        let list = self.room.has_tables().then_some(list);
        let is_replaced = guest::talk(connection, joined, self.is_ascii, list);
        if let Some(token) = token.filter(|_| !is_replaced) {
            self.leave_place(&token);
        }
    }
}

/// The effect of a guest's line.
enum Admission {
    /// The guest has joined a table, with a slot and the size of the screen.
    Joined(Box<TableSession>, Slot, Option<Size>),
    /// The guest gets an answer.
    Answer(String),
}

/// A counting semaphore: each slot is free again when its [`Slot`] is dropped.
struct Slots {
    free: Receiver<()>,
    give_back: Sender<()>,
}

/// A slot that is in use.
struct Slot(Sender<()>);

impl Slots {
    fn new(n_slots: usize) -> Slots {
        let (give_back, free) = bounded(n_slots);
        for _ in 0..n_slots {
            let _ = give_back.send(());
        }
        Slots { free, give_back }
    }

    fn take(&self) -> Option<Slot> {
        let taken = self.free.try_recv();
        taken.ok().map(|()| Slot(self.give_back.clone()))
    }

    /// Blocks until a slot is free.
    fn wait(&self) -> Slot {
        // `self` has a sender too, so the channel stays connected.
        let _ = self.free.recv();
        Slot(self.give_back.clone())
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let _ = self.0.try_send(());
    }
}

/// A guest's seat.
struct Place {
    token: String,
    /// The number in the guest's line; the host's table without one.
    table: Option<usize>,
    sides: SideSet,
    /// The seat and the name in the guest's line.
    seat: Option<SeatId>,
    name: Option<String>,
    /// Whether the guest is connected, as far as the server knows.
    is_here: bool,
}

/// Makes the passwords of a table. With the user's key, they are the same after the program is restarted.
pub(crate) struct GuestSecrets {
    key: Option<LedgerKey>,
    plan_id: String,
    n_renewed: AtomicUsize,
}

impl GuestSecrets {
    /// The secrets of the table with this setup.
    pub(crate) fn of(setup: &TableSetup) -> GuestSecrets {
        GuestSecrets {
            key: setup.key.clone(),
            plan_id: setup.plan.id.clone(),
            n_renewed: AtomicUsize::new(setup.renewed_tokens.len()),
        }
    }

    /// The current password.
    ///
    /// # Errors
    /// The system provides no random numbers.
    pub(crate) fn password(&self) -> io::Result<String> {
        let Some(key) = self.key.as_ref().filter(|_| !self.plan_id.is_empty()) else {
            return random_word::<PASSWORD>();
        };
        let n_renewed = self.n_renewed.load(Ordering::Relaxed);
        let mut password = key.token(&format!("password {} {n_renewed}", self.plan_id));
        password.truncate(PASSWORD);
        Ok(password)
    }

    fn renewed_password(&self) -> io::Result<String> {
        self.n_renewed.fetch_add(1, Ordering::Relaxed);
        self.password()
    }
}

/// Passes a connection to a new thread. If too many connections have not joined, one of them is closed first. If no
/// thread can be started, the connection is closed.
fn receive(
    stream: TcpStream,
    ip: IpAddr,
    strangers: &mut Strangers<Weak<TcpStream>>,
    lobby: &Arc<Lobby>,
) {
    let Ok(stranger) = stream.try_clone().map(Arc::new) else {
        return;
    };
    let is_open = |stranger: &Weak<TcpStream>| stranger.strong_count() > 0;
    let closed = strangers.add(ip, Arc::downgrade(&stranger), is_open);
    if let Some(closed) = closed.and_then(|closed| closed.upgrade()) {
        // Few bytes were sent, so there is room for the line. The thread reads the end of its input and leaves its slot.
        let _ = (&*closed).write_all(b"too many connections: this one is closed\r\n");
        let _ = closed.shutdown(Shutdown::Both);
    }
    let slot = lobby.strangers.wait();
    let lobby = Arc::clone(lobby);
    let _ = thread::Builder::new().spawn(move || {
        if let Ok(connection) = Connection::new(stream) {
            attend(connection, ip, &lobby, (stranger, slot));
        }
    });
}

/// Asks for the line to join, and runs the dialogue with the guest if it is valid.
fn attend(
    mut connection: Connection,
    ip: IpAddr,
    lobby: &Arc<Lobby>,
    stranger: (Arc<TcpStream>, Slot),
) {
    let deadline = Instant::now() + JOIN_TIMEOUT;
    if connection
        .send(&format!("Linesman. To join: {}\n", lobby.usage()))
        .is_err()
    {
        return;
    }
    let mut n_tries = 0;
    while n_tries < MAX_TRIES {
        let line = match connection.input.recv_deadline(deadline) {
            Ok(Input::Line(_, Line::Text(line))) => line,
            Ok(Input::Line(_, Line::TooLong(_))) => String::new(),
            Ok(Input::Flood) => return connection.close("too much input: connection closed"),
            Ok(_) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                let seconds = JOIN_TIMEOUT.as_secs();
                return connection
                    .close(&format!("not joined within {seconds} s: connection closed"));
            }
        };
        match lobby.admit(&line, ip) {
            Ok(Admission::Joined(joined, guest, size)) => {
                drop(stranger);
                connection.set_size(size);
                lobby.talk(connection, *joined);
                drop(guest);
                return;
            }
            Ok(Admission::Answer(text)) if connection.send(&format!("{text}\n")).is_err() => {
                return;
            }
            Ok(Admission::Answer(_)) => {}
            Err(why) if connection.send(&format!("{why}\n")).is_err() => return,
            Err(_) => n_tries += 1,
        }
    }
    connection.close("goodbye");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_taken_and_given_back() {
        let slots = Slots::new(2);
        let (first, second) = (slots.take(), slots.take());
        assert!(first.is_some() && second.is_some() && slots.take().is_none());
        drop(first);
        assert!(slots.take().is_some());
    }
}
