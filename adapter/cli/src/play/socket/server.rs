//! The server: accepts connections, limits their number, and runs the dialogue with each guest, a client of the table
//! whose screen is a connection.

use std::io::{self, Write};
use std::net::{IpAddr, Shutdown, SocketAddr, TcpListener, TcpStream};
use std::ops::RangeInclusive;
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use protocol::Line;
use referee::capacity::{TABLE_DESCRIPTORS, spare_descriptors};
use table::strangers::Strangers;
use table::{Role, TableSession};

use super::address;
use super::connection::Connection;
use super::join::{Door, USAGE};
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
        let address = address::parse(text).or_usage("--listen")?;
        let reserved = TABLES + MAX_GUESTS as u64;
        let spare = spare_descriptors(reserved, *STRANGERS.start()).or_trouble("--listen")?;
        let listener = TcpListener::bind(address).and_then(|listener| {
            let address = listener.local_addr()?;
            Ok((listener, address))
        });
        let (listener, address) = listener.or_trouble(format!("--listen {address}"))?;
        Ok(Server {
            listener,
            address,
            password: None,
            max_strangers: spare.min(*STRANGERS.end()) as usize,
        })
    }

    /// Starts the thread that accepts guests until the program ends. Returns their slots.
    ///
    /// # Errors
    /// No thread can be started.
    pub(crate) fn serve(self, door: Arc<Door>, is_ascii: bool) -> io::Result<Slots> {
        let guests = Slots::new(MAX_GUESTS);
        let lobby = Lobby {
            door,
            is_ascii,
            guests: guests.clone(),
        };
        let lobby = Arc::new(lobby);
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
                        receive(stranger, &mut strangers, &lobby);
                    }
                    Err(_) => thread::sleep(ACCEPT_PAUSE),
                }
            }
        })?;
        Ok(guests)
    }
}

/// A connection that has not joined yet.
struct Stranger {
    stream: Arc<TcpStream>,
    ip: IpAddr,
    _slot: Slot,
}

/// Where guests join.
struct Lobby {
    door: Arc<Door>,
    /// `true` if guests get ASCII only.
    is_ascii: bool,
    guests: Slots,
}

/// A counting semaphore: a channel with a message for each slot in use.
#[derive(Clone)]
pub(crate) struct Slots {
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

    /// Waits until all guests have received the end of the table, or a timeout.
    pub(crate) fn wait_for_farewells(&self) {
        let deadline = Instant::now() + FAREWELL;
        for _ in 0..MAX_GUESTS {
            let _ = self.used.send_deadline((), deadline);
        }
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
fn receive(stranger: Arc<Stranger>, strangers: &mut Strangers<Weak<Stranger>>, lobby: &Arc<Lobby>) {
    let is_open = |stranger: &Weak<Stranger>| stranger.strong_count() > 0;
    let closed = strangers.add(stranger.ip, Arc::downgrade(&stranger), is_open);
    if let Some(closed) = closed.and_then(|closed| closed.upgrade()) {
        // Few bytes were sent, so there is room for the line. The thread reads the end of its input and leaves its slot.
        let _ = (&*closed.stream).write_all(b"too many connections: this one is closed\r\n");
        let _ = closed.stream.shutdown(Shutdown::Both);
    }
    let lobby = Arc::clone(lobby);
    let _ = thread::Builder::new().spawn(move || {
        if let Ok(connection) = Connection::new(Arc::clone(&stranger.stream)) {
            lobby.attend(connection, stranger);
        }
    });
}

impl Lobby {
    /// Asks for the line to join, and runs the dialogue with the guest if it is valid.
    fn attend(&self, mut connection: Connection, stranger: Arc<Stranger>) {
        let deadline = Instant::now() + JOIN_TIMEOUT;
        let mut answer = format!("Linesman. To join: {USAGE}");
        for n_tries in 0.. {
            if connection
                .write_all(format!("{answer}\n").as_bytes())
                .is_err()
            {
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

    /// Admits a guest by the line to join.
    fn admit(&self, line: &str, ip: IpAddr) -> Result<(TableSession, Slot), String> {
        let slot = self.guests.used.try_send(());
        slot.map_err(|_| "too many guests: try again later")?;
        let slot = Slot(self.guests.freed.clone());
        Ok((self.door.admit(line, ip)?, slot))
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
}

fn greeting(joined: &TableSession) -> String {
    let game = &joined.game;
    let header = text::header(game, false);
    let Role::Player(sides) = game.snapshot().role else {
        return format!("{header}\nyou are watching");
    };
    let sides = text::side_names(game, sides);
    let partners = text::partners(game).map_or_else(String::new, |text| format!("{text}\n"));
    format!(
        "{header}\nyou play {sides}\n{partners}if the connection is lost, return with the same line"
    )
}
