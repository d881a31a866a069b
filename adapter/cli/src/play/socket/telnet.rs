//! A filter that removes telnet negotiation from the input (RFC 854), and accepts the size of the screen (RFC 1073).

use std::io::{self, Read, Write};

use crate::play::screen::Size;

const IAC: u8 = 255;
const SB: u8 = 250;
const SE: u8 = 240;
const WILL: u8 = 251;
const DO: u8 = 253;
const DONT: u8 = 254;
/// The option for the size of the screen.
const NAWS: u8 = 31;

/// The state of the parser.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Text,
    /// After a carriage return; a following NUL is replaced by a line feed.
    Return,
    Command,
    /// Before the option of this command of three bytes.
    Option(u8),
    /// In a subnegotiation, which ends with IAC SE.
    Sub,
    SubCommand,
}

/// A reader of the text only.
pub(crate) struct Telnet<R, W, F> {
    input: R,
    /// The way to the client.
    output: W,
    /// Receives the size of the client's screen.
    on_size: F,
    state: State,
    /// The subnegotiation so far, at most the longest that is understood and one byte.
    sub: Vec<u8>,
}

impl<R: Read, W: Write, F: FnMut(Size)> Telnet<R, W, F> {
    pub(crate) fn new(input: R, output: W, on_size: F) -> Telnet<R, W, F> {
        Telnet {
            input,
            output,
            on_size,
            state: State::Text,
            sub: Vec::new(),
        }
    }

    /// Handles a subnegotiation.
    fn end_sub(&mut self) {
        if let [NAWS, sizes @ ..] = self.sub.as_slice()
            && let &[a, b, c, d] = sizes
        {
            let [columns, lines] =
                [[a, b], [c, d]].map(|pair| usize::from(u16::from_be_bytes(pair)));
            // 0 means unknown.
            if columns > 0 && lines > 0 {
                (self.on_size)(Size { columns, lines });
            }
        }
        self.sub.clear();
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
            (State::Command, WILL..=DONT) => (State::Option(byte), None),
            (State::Option(WILL), NAWS) => {
                // Without the answer, the size stays unknown.
                let _ = self.output.write_all(&[IAC, DO, NAWS]);
                (State::Text, None)
            }
            (State::Command | State::Option(_), _) => (State::Text, None),
            (State::Sub, IAC) => (State::SubCommand, None),
            (State::SubCommand, SE) => {
                self.end_sub();
                (State::Text, None)
            }
            (State::Sub | State::SubCommand, _) => {
                if self.sub.len() < 6 {
                    self.sub.push(byte);
                }
                (State::Sub, None)
            }
        };
        self.state = state;
        text
    }
}

impl<R: Read, W: Write, F: FnMut(Size)> Read for Telnet<R, W, F> {
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
        let mut telnet = Telnet::new(bytes, io::sink(), |_| ());
        telnet.read_to_end(&mut text).expect("a slice");
        text
    }

    #[test]
    fn the_size_of_the_screen_is_accepted() {
        let (mut sent, mut sizes) = (Vec::new(), Vec::new());
        let bytes = b"\xff\xfb\x1f\xff\xfa\x1f\x00\x28\x00\x0c\xff\xf0e5".as_slice();
        let mut telnet = Telnet::new(bytes, &mut sent, |size: Size| sizes.push(size));
        let mut text = String::new();
        telnet.read_to_string(&mut text).expect("a slice");
        assert_eq!(text, "e5");
        assert_eq!(sent, b"\xff\xfd\x1f");
        assert_eq!(
            sizes,
            [Size {
                columns: 40,
                lines: 12
            }]
        );
    }

    #[test]
    fn negotiation_is_left_out() {
        let line = b"\xff\xfd\x03\xff\xfb\x18e5\r\n\xff\xfa\x18\x00xterm\xff\xf0b2\r\0\xff\xf1q";
        assert_eq!(text(line), b"e5\r\nb2\r\nq");
        assert_eq!(text(b"\xff\xff"), b"\xff");
        assert_eq!(text(b"\xff\xfa\xff"), b"");
    }
}
