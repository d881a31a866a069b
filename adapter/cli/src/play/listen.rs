//! The other person's line: nc or telnet, at a socket.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crossbeam_channel::Sender;
use protocol::LineReader;

use super::port::{News, Who, pass_on};
use super::telnet::Telnet;
use crate::plan::usage;
use crate::usage::Failure;

/// A line that takes nothing for so long is lost.
const DEAF: Duration = Duration::from_secs(10);

/// Where another person may sit down.
pub(crate) struct Listener {
    pub(crate) address: SocketAddr,
    line: Arc<Mutex<Option<TcpStream>>>,
}

impl Listener {
    /// Waits for the other person in the background; whoever comes second is sent away.
    pub(crate) fn open(text: &str, news: Sender<News>) -> Result<Listener, Failure> {
        let address = parse(text)?;
        let listener = TcpListener::bind(address);
        let listener =
            listener.map_err(|error| Failure::Trouble(format!("--listen {address}: {error}")))?;
        let address = listener.local_addr().unwrap_or(address);
        let line = Arc::new(Mutex::new(None));
        let shared = Arc::clone(&line);
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                welcome(stream, &shared, &news);
            }
        });
        Ok(Listener { address, line })
    }

    /// Sends a text; an error means that the line is lost.
    pub(crate) fn write(&self, text: &str) -> io::Result<()> {
        match self
            .line
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .as_mut()
        {
            Some(stream) => stream.write_all(text.replace('\n', "\r\n").as_bytes()),
            None => Ok(()),
        }
    }
}

fn welcome(mut stream: TcpStream, line: &Mutex<Option<TcpStream>>, news: &Sender<News>) {
    let mut line = line.lock().unwrap_or_else(PoisonError::into_inner);
    if line.is_some() {
        let _ = stream.write_all(b"someone sits here already\r\n");
        return;
    }
    let _ = stream.set_nodelay(true);
    let _ = stream.set_write_timeout(Some(DEAF));
    let Ok(reader) = stream.try_clone() else {
        return;
    };
    *line = Some(stream);
    drop(line);
    let news = news.clone();
    let _ = news.send(News::Joined);
    thread::spawn(move || hear(reader, &news));
}

fn hear(reader: impl Read, news: &Sender<News>) {
    let mut lines = LineReader::new(Telnet::new(reader));
    while pass_on(&mut lines, Who::Remote, news) {}
}

/// A bare port, or an address in numbers; a name only if it means this machine.
fn parse(text: &str) -> Result<SocketAddr, Failure> {
    let expected = "expected a port, or an address in numbers as in 127.0.0.1:4000";
    let bad = || usage("--listen", &format!("{text:?}: {expected}"));
    if let Ok(port) = text.trim_start_matches(':').parse::<u16>() {
        return Ok(SocketAddr::from(([127, 0, 0, 1], port)));
    }
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let address = text
        .to_socket_addrs()
        .ok()
        .and_then(|mut found| found.next());
    let address = address.ok_or_else(bad)?;
    if address.ip().is_loopback() {
        return Ok(address);
    }
    let why = format!(
        "{text} is {address}, which others can reach: expected that address itself, if they may"
    );
    Err(usage("--listen", &why))
}

#[cfg(test)]
mod tests {
    use super::parse;

    #[test]
    fn only_an_address_in_numbers_leaves_this_machine() {
        for (text, address) in [
            ("4000", "127.0.0.1:4000"),
            (":4000", "127.0.0.1:4000"),
            ("127.0.0.1:0", "127.0.0.1:0"),
            ("0.0.0.0:4000", "0.0.0.0:4000"),
            ("[::1]:4000", "[::1]:4000"),
        ] {
            let Ok(read) = parse(text) else {
                panic!("{text}");
            };
            assert_eq!(read.to_string(), address);
        }
        for text in [
            "",
            "70000",
            "127.0.0.1",
            "nowhere.invalid:4000",
            "127.0.0.1:x",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }
}
