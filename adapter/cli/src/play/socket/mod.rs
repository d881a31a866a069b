//! `--listen`: people on other machines join the table with nc or telnet.
//!
//! This module parses the flag and accepts connections, `join` parses the line with which a guest joins and checks
//! its password, and `connection` is the screen of a guest. What a stranger can use is limited: connections, guesses, the
//! time to join, and the bytes and lines of input.

mod connection;
pub(super) mod join;

use std::io::Write;
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::ops::RangeInclusive;
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};
use std::{io, thread};

use crossbeam_channel::RecvTimeoutError;
use itertools::Itertools;
use protocol::text::excerpt;
use referee::capacity::{TABLE_DESCRIPTORS, spare_descriptors};
use table::strangers::Strangers;
use table::{Role, TableSession};

use connection::Connection;
use join::{Door, MAX_GUESTS, Slot, Slots, USAGE};

use crate::play::client::{Client, End};
use crate::play::lines::Lines;
use crate::play::screen::{Input, InputMode};
use crate::play::style::BoardStyle;
use crate::play::text;
use crate::usage::{Done, OrFail};

/// Range of the number of connections that have not joined yet.
const STRANGERS: RangeInclusive<u64> = 8..=32;

/// Descriptors of the table, and of the one that replaces it by `new GAME`.
const TABLES: u64 = 2 * TABLE_DESCRIPTORS;

/// Time limit and maximum number of attempts to join.
const JOIN_TIMEOUT: Duration = Duration::from_secs(30);
const MAX_TRIES: usize = 3;

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
    pub(crate) fn open(text: &str) -> Done<Server> {
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
            attend(&door, connection, stranger);
        }
    });
}

/// Asks for the line to join, and runs the dialogue with the guest if it is valid.
fn attend(door: &Door, mut connection: Connection, stranger: Arc<Stranger>) {
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
            Ok(Input::Line(_, line)) => line,
            Ok(Input::Refused(_)) => String::new(),
            Ok(Input::Flood) => return connection.close(FLOODED),
            Ok(_) | Err(RecvTimeoutError::Disconnected) => return,
            Err(RecvTimeoutError::Timeout) => {
                let seconds = JOIN_TIMEOUT.as_secs();
                let text = format!("not joined within {seconds} s: connection closed");
                return connection.close(&text);
            }
        };
        match door.admit(&line, stranger.ip) {
            Ok((joined, _guest)) => {
                drop(stranger);
                return talk(door, connection, joined);
            }
            Err(why) => answer = why,
        }
    }
    connection.close("goodbye");
}

/// Runs the dialogue with a guest until the end of the connection.
fn talk(door: &Door, connection: Connection, joined: TableSession) {
    let greeting = greeting(&joined);
    let style = BoardStyle::plain(door.is_ascii);
    let input = connection.input.clone();
    let mut screen = Lines::new(InputMode::Guest, input, connection, style.clone());
    let client = Client::new(joined, &mut screen, style);
    let last_line = match client.run(&greeting).map(|left| left.end) {
        Ok(End::Left) => "goodbye".to_owned(),
        Ok(End::Flooded) => FLOODED.to_owned(),
        Ok(End::Closed { why, .. }) => why,
        // The guest does not read, or is disconnected.
        Err(_) => return,
    };
    screen.output.close(&last_line);
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

/// The forms of an address, for errors.
const FORMS: &str =
    "give a port, or an address in numbers and a port, as in 4000, 127.0.0.1:4000 or [::1]:4000";

/// Parses an address. A port without an address is on this machine only. An address that other machines can reach must
/// be numeric, so that no port is opened to them by accident.
///
/// # Errors
/// A text that names the forms.
pub(crate) fn parse_address(text: &str) -> Result<SocketAddr, String> {
    if let Some(port) = parse_port(text.strip_prefix(':').unwrap_or(text)) {
        return Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    }
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    if let Ok(address) = text.trim_matches(['[', ']']).parse() {
        let example = SocketAddr::new(address, 4000);
        return Err(format!("{text:?} has no port: write {example}"));
    }
    // A host name must be this machine's.
    let is_named = |(name, port): (&str, &str)| {
        !name.is_empty() && !name.contains([':', '[', ']']) && parse_port(port).is_some()
    };
    let found = match text.rsplit_once(':').is_some_and(is_named) {
        true => text.to_socket_addrs().ok().and_then(|mut all| all.next()),
        false => None,
    };
    match found {
        Some(address) if address.ip().is_loopback() => Ok(address),
        Some(address) => Err(format!(
            "{text} is {address}, which other machines can reach: write {address} if they may"
        )),
        None => Err(format!("\"{}\": {FORMS}", excerpt(text))),
    }
}

/// Parses digits; `str::parse` would also accept a sign.
fn parse_port(text: &str) -> Option<u16> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

#[cfg(test)]
mod tests {
    use super::parse_address as parse;

    #[test]
    fn every_form_of_an_address_is_read() {
        for (text, address) in [
            ("4000", "127.0.0.1:4000"),
            (":4000", "127.0.0.1:4000"),
            ("0", "127.0.0.1:0"),
            ("127.0.0.1:0", "127.0.0.1:0"),
            ("0.0.0.0:4000", "0.0.0.0:4000"),
            ("[::1]:4000", "[::1]:4000"),
            ("[::]:4000", "[::]:4000"),
            ("[fe80::1%2]:4000", "[fe80::1%2]:4000"),
        ] {
            assert_eq!(
                parse(text).map(|address| address.to_string()),
                Ok(address.to_owned())
            );
        }
        assert!(parse("localhost:4000").is_ok_and(|address| address.ip().is_loopback()));
    }

    #[test]
    fn an_address_without_a_port_is_told_with_one() {
        for (text, expected) in [
            ("::1", "\"::1\" has no port: write [::1]:4000"),
            ("[::1]", "\"[::1]\" has no port: write [::1]:4000"),
            ("::", "\"::\" has no port: write [::]:4000"),
            (
                "127.0.0.1",
                "\"127.0.0.1\" has no port: write 127.0.0.1:4000",
            ),
            // The whole text is an address: to have a port, `[::1]:4000` needs the brackets.
            (
                "::1:4000",
                "\"::1:4000\" has no port: write [::1:4000]:4000",
            ),
        ] {
            assert_eq!(parse(text), Err(expected.to_owned()));
        }
    }

    #[test]
    fn anything_else_is_told_what_is_expected() {
        for text in [
            "",
            ":",
            "::",
            ":::4000",
            "+4000",
            "70000",
            "-1",
            "localhost",
            "localhost:",
            "localhost:+1",
            "127.0.0.1:99999",
            "127.0.0.1:x",
            "[127.0.0.1]:4000",
            "*:4000",
            "nowhere.invalid:4000",
        ] {
            let why = parse(text).expect_err(text);
            assert!(
                why.contains(": give ") || why.contains(": write "),
                "{text}: {why}"
            );
        }
    }
}
