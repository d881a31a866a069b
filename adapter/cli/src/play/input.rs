//! Input from a person at a terminal, a pipe or a socket.

use std::time::Instant;

use protocol::Line;

/// A key in the input by keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Letter(char),
    /// Steps to the right and downwards: an arrow key, or Home, Page Up, End or Page Down for the diagonals.
    Arrow(i8, i8),
    Enter,
    /// Ctrl-L, the form feed of the terminals of 1981.
    Form,
    /// Ctrl-J, their line feed.
    Line,
    Backspace,
    Escape,
    Tab,
    /// Not a key: the program was suspended and continues, so the screen must be repainted.
    Resumed,
}

/// Input from a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// A line and its time.
    Line(Instant, Line),
    /// Several lines that were pasted at once, with their line breaks, and their time.
    Paste(Instant, String),
    /// A rejected paste, with the reason.
    Refused(String),
    /// The end of the input: the end of a pipe, Ctrl-D, a closed connection.
    End,
    /// A guest exceeded the rate limit.
    Flood,
    /// Ctrl-C.
    Interrupt,
    /// A key, in the [input by keys](super::screen::Screen::paint).
    Key(Key),
}

impl Input {
    /// A finished paste, or the reason that it was rejected.
    pub(crate) fn pasted(text: Result<String, String>) -> Input {
        match text {
            Ok(text) => Input::Paste(Instant::now(), text),
            Err(why) => Input::Refused(why),
        }
    }
}
