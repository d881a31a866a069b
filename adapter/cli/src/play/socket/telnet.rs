//! A filter that removes telnet negotiation from the input (RFC 854).

use std::io::{self, Read};

const IAC: u8 = 255;
const SB: u8 = 250;
const SE: u8 = 240;
const WILL: u8 = 251;
const DONT: u8 = 254;

/// The state of the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Text,
    /// After a carriage return; a following NUL is replaced by a line feed.
    Return,
    Command,
    /// Before the option of a command of three bytes.
    Option,
    /// In a subnegotiation, which ends with IAC SE.
    Sub,
    SubCommand,
}

/// A reader of the text only.
#[derive(Debug)]
pub(crate) struct Telnet<R> {
    input: R,
    state: State,
}

impl<R: Read> Telnet<R> {
    pub(crate) fn new(input: R) -> Telnet<R> {
        Telnet {
            input,
            state: State::Text,
        }
    }

    /// The next byte of the text, if this input byte produces one.
    fn take(&mut self, byte: u8) -> Option<u8> {
        let (state, text) = match (self.state, byte) {
            (State::Text | State::Return, IAC) => (State::Command, None),
            (State::Return, 0) => (State::Text, Some(b'\n')),
            (State::Text | State::Return, b'\r') => (State::Return, Some(byte)),
            (State::Text | State::Return, _) => (State::Text, Some(byte)),
            (State::Command, IAC) => (State::Text, Some(byte)),
            (State::Command, SB) => (State::Sub, None),
            (State::Command, WILL..=DONT) => (State::Option, None),
            (State::Command | State::Option, _) => (State::Text, None),
            (State::Sub, IAC) => (State::SubCommand, None),
            (State::SubCommand, SE) => (State::Text, None),
            (State::Sub | State::SubCommand, _) => (State::Sub, None),
        };
        self.state = state;
        text
    }
}

impl<R: Read> Read for Telnet<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let n_read = self.input.read(buffer)?;
            let mut n_text = 0;
            for at in 0..n_read {
                if let Some(byte) = self.take(buffer[at]) {
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

    fn text(bytes: &[u8]) -> Vec<u8> {
        let mut text = Vec::new();
        Telnet::new(bytes).read_to_end(&mut text).expect("a slice");
        text
    }

    #[test]
    fn negotiation_is_left_out() {
        let line = b"\xff\xfd\x03\xff\xfb\x18e5\r\n\xff\xfa\x18\x00xterm\xff\xf0b2\r\0\xff\xf1q";
        assert_eq!(text(line), b"e5\r\nb2\r\nq");
        assert_eq!(text(b"\xff\xff"), b"\xff");
        assert_eq!(text(b"\xff\xfa\xff"), b"");
    }
}
