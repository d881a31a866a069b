//! Single keys from the terminal, without Enter. Dropping [`Keyboard`] restores the terminal's mode.

use std::io::{self, ErrorKind};
use std::time::Duration;

use crate::platform::{self, Size};

/// Maximum delay of the rest of an escape sequence; after it, ESC is the Escape key.
const ESCAPE_TIMEOUT: Duration = Duration::from_millis(50);

/// Interval of checks of the terminal's size.
const SIZE_INTERVAL: Duration = Duration::from_millis(200);

/// A key that was pressed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    /// A printable character.
    Char(char),
    Enter,
    Backspace,
    Escape,
    /// Ctrl-C, or Ctrl-D.
    Interrupt,
    /// Ctrl-Z.
    Suspend,
    Up,
    Down,
    Left,
    Right,
    Home,
    End,
    PageUp,
    PageDown,
    /// Any other key.
    Unknown,
}

/// The keyboard of a terminal in raw mode.
pub(crate) struct Keyboard {
    /// Bytes that were read but not yet decoded.
    bytes: Vec<u8>,
    /// The size of the terminal at the last check.
    size: Option<Size>,
}

impl Keyboard {
    /// Sets the terminal to raw mode.
    ///
    /// # Errors
    /// Standard input is not a terminal.
    pub(crate) fn open() -> io::Result<Keyboard> {
        platform::keep_terminal_mode();
        platform::set_raw_mode()?;
        Ok(Keyboard {
            bytes: Vec::new(),
            size: platform::terminal_size(),
        })
    }

    /// Waits for the next key; `None` at the end of the input.
    ///
    /// # Errors
    /// The terminal cannot be read.
    pub(crate) fn read(&mut self) -> io::Result<Option<Key>> {
        if self.bytes.is_empty() && !self.fill()? {
            return Ok(None);
        }
        if self.bytes == b"\x1b" && platform::awaits_input(ESCAPE_TIMEOUT) {
            self.fill()?;
        }
        let (key, n_bytes) = decode(&self.bytes);
        self.bytes.drain(..n_bytes);
        Ok(Some(key))
    }

    /// Waits for input and reads it; `false` at the end of the input. A change of the terminal's size adds an unknown
    /// key.
    fn fill(&mut self) -> io::Result<bool> {
        while !platform::awaits_input(SIZE_INTERVAL) {
            let size = platform::terminal_size();
            if std::mem::replace(&mut self.size, size) != size {
                self.bytes.push(0);
                return Ok(true);
            }
        }
        let mut buffer = [0; 64];
        match platform::read_input(&mut buffer) {
            Ok(0) => Ok(false),
            Ok(n_read) => {
                self.bytes.extend_from_slice(&buffer[..n_read]);
                Ok(true)
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => self.fill(),
            Err(error) => Err(error),
        }
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        platform::restore_terminal();
    }
}

/// Decodes the first key; returns it with its length in bytes.
fn decode(bytes: &[u8]) -> (Key, usize) {
    match bytes {
        [0x1b, b'[' | b'O', rest @ ..] => {
            let end = rest.iter().position(|byte| (0x40..=0x7e).contains(byte));
            let Some(end) = end else {
                return (Key::Unknown, bytes.len());
            };
            (sequence(&rest[..=end]), end + 3)
        }
        [0x1b, ..] => (Key::Escape, 1),
        [b'\r' | b'\n', ..] => (Key::Enter, 1),
        [0x7f | 0x08, ..] => (Key::Backspace, 1),
        [0x03 | 0x04, ..] => (Key::Interrupt, 1),
        [0x1a, ..] => (Key::Suspend, 1),
        [byte @ 0x20..=0x7e, ..] => (Key::Char(char::from(*byte)), 1),
        _ => (Key::Unknown, 1),
    }
}

/// The key of an escape sequence, given without its introducer.
fn sequence(bytes: &[u8]) -> Key {
    match bytes {
        b"A" => Key::Up,
        b"B" => Key::Down,
        b"C" => Key::Right,
        b"D" => Key::Left,
        b"H" | b"1~" | b"7~" => Key::Home,
        b"F" | b"4~" | b"8~" => Key::End,
        b"5~" => Key::PageUp,
        b"6~" => Key::PageDown,
        _ => Key::Unknown,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_decoded() {
        for (bytes, key) in [
            (&b"a"[..], Key::Char('a')),
            (b"\r", Key::Enter),
            (b"\x7f", Key::Backspace),
            (b"\x1b", Key::Escape),
            (b"\x03", Key::Interrupt),
            (b"\x1a", Key::Suspend),
            (b"\x1b[A", Key::Up),
            (b"\x1bOC", Key::Right),
            (b"\x1b[1~", Key::Home),
            (b"\x1b[6~", Key::PageDown),
            (b"\x1b[1;5C", Key::Unknown),
            (b"\x1b[", Key::Unknown),
            (b"\xc3", Key::Unknown),
        ] {
            assert_eq!(decode(bytes), (key, bytes.len()), "{bytes:?}");
        }
        assert_eq!(decode(b"\x1b[Ab"), (Key::Up, 3));
    }
}
