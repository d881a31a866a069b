//! A guest at nc or telnet.

use std::io::{BufRead, BufReader, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use super::pty::{Person, Terminal};
use crate::support::Run;

/// The port for guests, and the word with which they join.
#[derive(Clone)]
pub(super) struct Invitation {
    pub(super) port: u16,
    pub(super) word: String,
}

impl Invitation {
    /// Reads the invitation from the host's screen.
    pub(super) fn seen(terminal: &mut Terminal) -> Invitation {
        let (_, found) = terminal.finds(r"nc \S+ \d+\r\n");
        let port = found.trim().rsplit(' ').next().expect("a port");
        let (_, found) = terminal.finds(r"to play: join \S+\r\n");
        Invitation {
            port: port.parse().expect("a port"),
            word: found.trim().rsplit(' ').next().expect("a word").to_owned(),
        }
    }

    /// Reads the invitation from the host's output.
    pub(super) fn told(host: &Run) -> Invitation {
        let last_word = |start: &str| loop {
            let line = host.line().expect("an invitation");
            if line.starts_with(start) {
                return line.rsplit(' ').next().expect("a word").to_owned();
            }
        };
        let port = last_word("waiting for the other person: nc ");
        Invitation {
            port: port.parse().expect("a port"),
            word: last_word("to play: join "),
        }
    }

    /// Connects without sending anything.
    pub(super) fn connect(&self) -> Guest {
        let stream = TcpStream::connect(("127.0.0.1", self.port)).expect("linesman listens");
        let timeout = Some(Duration::from_secs(120));
        stream.set_read_timeout(timeout).expect("a deadline");
        stream.set_write_timeout(timeout).expect("a deadline");
        Guest {
            lines: BufReader::new(stream),
        }
    }

    /// Connects and joins; `rest` may name the role.
    pub(super) fn join(&self, rest: &str) -> Guest {
        let mut guest = self.connect();
        guest.types(format!("join {} {rest}\r\n", self.word).as_bytes());
        guest.sees("A move is typed as its code");
        guest
    }
}

/// A person at nc.
pub(super) struct Guest {
    lines: BufReader<TcpStream>,
}

impl Guest {
    pub(super) fn types(&mut self, bytes: &[u8]) {
        self.try_to_type(bytes).expect("linesman reads");
    }

    /// Sends bytes, if linesman has not closed the connection.
    pub(super) fn try_to_type(&mut self, bytes: &[u8]) -> std::io::Result<()> {
        self.lines.get_mut().write_all(bytes)
    }

    /// Waits for a text. Returns the output before it.
    pub(super) fn sees(&mut self, text: &str) -> String {
        let mut seen = Vec::new();
        while !seen.ends_with(text.as_bytes()) {
            let mut byte = [0];
            let n_read = self.lines.read(&mut byte).unwrap_or(0);
            assert!(
                n_read == 1,
                "{text:?} is not in {}",
                String::from_utf8_lossy(&seen)
            );
            seen.push(byte[0]);
        }
        String::from_utf8_lossy(&seen).into_owned()
    }

    /// All output until the connection is closed.
    pub(super) fn rest(mut self) -> String {
        let mut rest = Vec::new();
        loop {
            match self.lines.read_until(b'\n', &mut rest) {
                Ok(0) => break,
                Ok(_) => {}
                Err(error) if error.kind() == ErrorKind::ConnectionReset => break,
                Err(error) => panic!("the connection is not closed: {error}"),
            }
        }
        String::from_utf8_lossy(&rest).into_owned()
    }
}

impl Person for Guest {
    fn enters(&mut self, line: &str) {
        self.types(format!("{line}\r\n").as_bytes());
    }

    fn awaits(&mut self, text: &str) {
        self.sees(text);
    }
}
