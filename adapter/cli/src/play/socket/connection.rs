//! A guest's connection: input through a bounded queue, output with a deadline.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::{Arc, Weak};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, Sender, bounded};
use parking_lot::Mutex;
use protocol::LineReader;

use super::rate::RateLimited;
use super::telnet::Telnet;
use crate::play::input::Input;
use crate::play::screen::Size;

/// Maximum length of a guest's line, in bytes.
const MAX_LINE: usize = 4096;

/// Maximum number of lines in the queue. Further lines remain in the network buffers.
const MAX_WAITING: usize = 16;

/// Time limit for sending one text. It is not extended when a slow reader accepts some bytes.
const SEND_TIMEOUT: Duration = Duration::from_secs(10);

/// Time for which a closing connection stays open, so that the guest can read the last text.
const LINGER: Duration = Duration::from_secs(2);

/// A connection to a guest.
pub(crate) struct Connection {
    stream: TcpStream,
    /// The input of the guest.
    pub(crate) input: Receiver<Input>,
    /// Disconnected when the reading thread has ended.
    drained: Receiver<()>,
    /// The size of the guest's screen.
    size: Arc<Mutex<Option<Size>>>,
    /// Dropped with this connection, which ends the reading thread.
    _is_open: Arc<()>,
}

impl Connection {
    /// Starts the thread that reads lines.
    ///
    /// # Errors
    /// File descriptors or threads are exhausted.
    pub(crate) fn new(stream: TcpStream) -> io::Result<Connection> {
        // If this fails, prompts may be delayed, but they arrive.
        let _ = stream.set_nodelay(true);
        let reader = stream.try_clone()?;
        let (sender, input) = bounded(MAX_WAITING);
        let (end, drained) = bounded(0);
        let is_open = Arc::new(());
        let connection = Arc::downgrade(&is_open);
        let size = Arc::new(Mutex::new(None));
        let told_size = Arc::clone(&size);
        thread::Builder::new().spawn(move || {
            read_lines(&reader, &sender, &told_size);
            drop(sender);
            drain(&reader, &connection);
            drop::<Sender<()>>(end);
        })?;
        Ok(Connection {
            stream,
            input,
            drained,
            size,
            _is_open: is_open,
        })
    }

    /// The size of the guest's screen, from the line to join or from telnet.
    pub(crate) fn size(&self) -> Option<Size> {
        *self.size.lock()
    }

    /// Sets the size of the guest's screen, if the guest has named it.
    pub(crate) fn set_size(&self, size: Option<Size>) {
        let mut known = self.size.lock();
        *known = size.or(*known);
    }

    /// Sends a whole text.
    ///
    /// # Errors
    /// [`ErrorKind::TimedOut`] if the guest does not read, and errors of the connection.
    pub(crate) fn send(&mut self, text: &str) -> io::Result<()> {
        self.send_until(text, Instant::now() + SEND_TIMEOUT)
    }

    fn send_until(&mut self, text: &str, deadline: Instant) -> io::Result<()> {
        let text = text.replace('\n', "\r\n");
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            self.stream.set_write_timeout(Some(time_left(deadline)?))?;
            match self.stream.write(rest) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(n_sent) => rest = &rest[n_sent..],
                Err(error) if is_temporary(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Sends a last line and closes. The reading thread continues meanwhile: closing a connection with unread bytes
    /// would discard the line.
    pub(crate) fn close(mut self, last_line: &str) {
        let deadline = Instant::now() + LINGER;
        let _ = self.send_until(&format!("{last_line}\n"), deadline);
        let _ = self.stream.shutdown(Shutdown::Write);
        // With the queue disconnected, the reading thread drains the rest.
        self.input = crossbeam_channel::never();
        let _ = self.drained.recv_deadline(deadline);
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        let _ = self.stream.shutdown(Shutdown::Both);
    }
}

/// Forwards lines until the connection ends, the rate limit is exceeded, or the queue is disconnected.
fn read_lines(stream: &TcpStream, input: &Sender<Input>, size: &Mutex<Option<Size>>) {
    let bytes = Telnet::new(RateLimited::new(stream), stream, |told| {
        *size.lock() = Some(told)
    });
    let mut lines = LineReader::with_limit(bytes, MAX_LINE);
    loop {
        let heard = match lines.read() {
            Ok(Some(line)) => Input::Line(Instant::now(), line.to_line()),
            Err(error) if error.kind() == ErrorKind::QuotaExceeded => Input::Flood,
            Ok(None) | Err(_) => Input::End,
        };
        let is_line = matches!(heard, Input::Line(..));
        if input.send(heard).is_err() || !is_line {
            return;
        }
    }
}

/// Reads and discards input until the connection is dropped or ends. A shut-down socket still returns the bytes that
/// arrive, so its end alone is not enough.
fn drain(mut stream: &TcpStream, connection: &Weak<()>) {
    let mut input = [0; 1 << 12];
    while connection.strong_count() > 0 && stream.read(&mut input).is_ok_and(|n_read| n_read > 0) {}
}

/// The time until a deadline, never zero.
fn time_left(deadline: Instant) -> io::Result<Duration> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        Err(ErrorKind::TimedOut.into())
    } else {
        Ok(left)
    }
}

/// `true` if the write can be repeated; its deadline is checked first.
fn is_temporary(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
    )
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
        (Connection::new(stream).expect("a thread"), guest)
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
}
