//! A guest's connection: lines through a bounded queue, and texts with a deadline.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, bounded, never};
use protocol::LineReader;
use referee::token_bucket::TokenBucket;

use crate::play::lines::send_lines;
use crate::play::screen::Input;

/// Maximum length of a guest's line, in bytes.
const MAX_LINE: usize = 4096;

/// Maximum number of lines in the queue. Further lines remain in the network buffers.
const MAX_WAITING: usize = 16;

/// Time limit for sending one text. It is not extended when a slow reader accepts some bytes.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// Time for which a closing connection stays open, so that the guest can read the last text.
const LINGER: Duration = Duration::from_secs(2);

/// Maximum burst of input in bytes: about 600 short lines.
const BURST: f64 = 65_536.0;

/// Sustained rate in bytes per second: about 40 short lines.
const RATE: f64 = 4_096.0;

/// Cost of a line in addition to its bytes, since each line is answered.
const LINE_COST: f64 = 100.0;

/// A connection to a guest.
pub(super) struct Connection {
    /// Shared with the thread that reads, so that a connection is one descriptor.
    stream: Arc<TcpStream>,
    /// The input of the guest.
    pub(super) input: Receiver<Input>,
}

impl Connection {
    /// Starts the thread that reads lines, until the connection ends, the rate is exceeded, or the connection is dropped.
    ///
    /// # Errors
    /// Threads are exhausted.
    pub(super) fn new(stream: Arc<TcpStream>) -> io::Result<Connection> {
        // If this fails, prompts may be delayed, but they arrive.
        let _ = stream.set_nodelay(true);
        let (sender, input) = bounded(MAX_WAITING);
        let read = Arc::clone(&stream);
        thread::Builder::new().spawn(move || {
            let lines = LineReader::with_limit(GuestBytes::new(&*read), MAX_LINE);
            send_lines(lines, &sender, None);
        })?;
        Ok(Connection { stream, input })
    }

    fn send_until(&mut self, text: &str, deadline: Instant) -> io::Result<()> {
        let text = text.replace('\n', "\r\n");
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            self.stream.set_write_timeout(Some(time_left(deadline)?))?;
            match (&*self.stream).write(rest) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(n_sent) => rest = &rest[n_sent..],
                Err(error) if is_temporary(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Sends a last line and closes. What the guest still sends is read meanwhile: closing a connection with unread bytes
    /// would discard the line.
    pub(super) fn close(mut self, last_line: &str) {
        let deadline = Instant::now() + LINGER;
        let _ = self.send_until(&format!("{last_line}\n"), deadline);
        let _ = self.stream.shutdown(Shutdown::Write);
        // Ends the reading thread.
        self.input = never();
        let mut unread = [0; 1 << 12];
        while let Ok(left) = time_left(deadline) {
            let _ = self.stream.set_read_timeout(Some(left));
            match (&*self.stream).read(&mut unread) {
                Ok(0) => return,
                Err(error) if !is_temporary(&error) => return,
                _ => {}
            }
        }
    }
}

/// Sends each text as a whole. The error is [`ErrorKind::TimedOut`] if the guest does not read it.
impl Write for Connection {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let deadline = Instant::now() + SEND_TIMEOUT;
        self.send_until(&String::from_utf8_lossy(text), deadline)?;
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// The time until a deadline, never zero.
fn time_left(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    let left = Some(left).filter(|left| !left.is_zero());
    left.ok_or_else(|| ErrorKind::TimedOut.into())
}

/// `true` if reading or writing can be repeated; the deadline is checked first.
fn is_temporary(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
}

const IAC: u8 = 255;
const SB: u8 = 250;
const SE: u8 = 240;
const WILL: u8 = 251;
const DONT: u8 = 254;

/// The parts of telnet negotiation (RFC 854).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Telnet {
    Text,
    /// After a carriage return; a following NUL is a line feed.
    Return,
    Command,
    /// Before the option of a command of three bytes.
    Option,
    /// In a subnegotiation, which ends with IAC SE.
    Sub,
    SubCommand,
}

/// The bytes that a guest types, without telnet negotiation. Reading fails with [`ErrorKind::QuotaExceeded`] when the
/// input exceeds the rate.
struct GuestBytes<R> {
    input: R,
    quota: TokenBucket,
    telnet: Telnet,
}

impl<R> GuestBytes<R> {
    fn new(input: R) -> GuestBytes<R> {
        GuestBytes {
            input,
            quota: TokenBucket::full(BURST, RATE, Instant::now()),
            telnet: Telnet::Text,
        }
    }

    /// `true` if these bytes are within the rate.
    fn admits(&mut self, bytes: &[u8], now: Instant) -> bool {
        let n_lines = bytes.iter().filter(|byte| **byte == b'\n').count();
        let cost = bytes.len() as f64 + LINE_COST * n_lines as f64;
        self.quota.take(cost, now)
    }

    /// The next byte of the text, if this input byte produces one.
    fn text(&mut self, byte: u8) -> Option<u8> {
        use Telnet::{Command, Option, Return, Sub, SubCommand, Text};
        let (telnet, text) = match (self.telnet, byte) {
            (Text | Return, IAC) => (Command, None),
            (Return, 0) => (Text, Some(b'\n')),
            (Text | Return, b'\r') => (Return, Some(byte)),
            (Text | Return, _) | (Command, IAC) => (Text, Some(byte)),
            (Command, SB) => (Sub, None),
            (Command, WILL..=DONT) => (Option, None),
            (Command | Option, _) | (SubCommand, SE) => (Text, None),
            (Sub, IAC) => (SubCommand, None),
            (Sub | SubCommand, _) => (Sub, None),
        };
        self.telnet = telnet;
        text
    }
}

impl<R: Read> Read for GuestBytes<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let n_read = self.input.read(buffer)?;
            if !self.admits(&buffer[..n_read], Instant::now()) {
                return Err(ErrorKind::QuotaExceeded.into());
            }
            let mut n_text = 0;
            for at in 0..n_read {
                if let Some(byte) = self.text(buffer[at]) {
                    buffer[n_text] = byte;
                    n_text += 1;
                }
            }
            // A block that contains only negotiation is not the end of the input.
            if n_text > 0 || n_read == 0 {
                return Ok(n_text);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpListener;

    /// A connection, and the guest's end of it.
    fn pair() -> (Connection, TcpStream) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("bound");
        let guest = TcpStream::connect(address).expect("it listens");
        let (stream, _) = listener.accept().expect("it came");
        (Connection::new(Arc::new(stream)).expect("a thread"), guest)
    }

    #[test]
    fn a_guest_who_does_not_read_is_noticed_by_the_deadline() {
        let (mut connection, guest) = pair();
        let text = "x".repeat(1 << 26);
        let sent = connection.send_until(&text, Instant::now() + Duration::from_millis(50));
        assert_eq!(sent.expect_err("full").kind(), ErrorKind::TimedOut);
        drop(guest);
    }

    #[test]
    fn a_guest_who_never_stops_sending_is_disconnected() {
        let (connection, guest) = pair();
        let flood = || {
            let mut guest = guest.try_clone().expect("a descriptor");
            thread::spawn(move || while guest.write_all(&[b'x'; 1 << 16]).is_ok() {})
        };
        let flooders = [(); 4].map(|()| flood());
        connection.close("goodbye");
        for flooder in flooders {
            flooder.join().expect("the connection is closed");
        }
    }

    #[test]
    fn the_last_line_arrives_although_more_was_sent() {
        let (connection, mut guest) = pair();
        // More than the limit, and never removed from the queue.
        guest.write_all(&b"x\n".repeat(10_000)).expect("it is read");
        connection.close("too much");
        let mut seen = String::new();
        guest.read_to_string(&mut seen).expect("no reset");
        assert_eq!(seen, "too much\r\n");
    }

    #[test]
    fn a_flood_is_told_after_the_lines_that_were_allowed() {
        let (connection, mut guest) = pair();
        let writer = thread::spawn(move || {
            let _ = guest.write_all(&b"x\n".repeat(10_000));
            guest
        });
        let n_lines = connection
            .input
            .iter()
            .take_while(|input| !matches!(input, Input::Flood));
        assert!(n_lines.count() < 700);
        drop(connection);
        let _ = writer.join();
    }

    #[test]
    fn negotiation_is_left_out() {
        let text = |bytes: &[u8]| {
            let mut text = Vec::new();
            let read = GuestBytes::new(bytes).read_to_end(&mut text);
            read.expect("a slice");
            text
        };
        let line = b"\xff\xfd\x03\xff\xfb\x18e5\r\n\xff\xfa\x18\x00xterm\xff\xf0b2\r\0\xff\xf1q";
        assert_eq!(text(line), b"e5\r\nb2\r\nq");
        assert_eq!(text(b"\xff\xff"), b"\xff");
        assert_eq!(text(b"\xff\xfa\xff"), b"");
    }

    #[test]
    fn a_flood_exceeds_the_rate() {
        let mut input = GuestBytes::new(io::repeat(b'\n'));
        let error = input.read(&mut [0; 1 << 16]).expect_err("too much");
        assert_eq!(error.kind(), ErrorKind::QuotaExceeded);
    }

    #[test]
    fn a_person_does_not() {
        let mut input = GuestBytes::new(io::empty());
        let mut now = Instant::now();
        for _ in 0..10_000 {
            now += Duration::from_millis(200);
            assert!(input.admits(b"b2 -> c3\n", now));
        }
        let pasted = "a line of a pasted diagram\n".repeat(50);
        assert!(input.admits(pasted.as_bytes(), now));
    }

    #[test]
    fn a_line_without_an_end_exceeds_the_rate_too() {
        let (chunk, now) = ([b'x'; 1 << 12], Instant::now());
        let mut input = GuestBytes::new(io::empty());
        let n_admitted = (0..).take_while(|_| input.admits(&chunk, now));
        assert_eq!(n_admitted.count(), 16);
    }
}
