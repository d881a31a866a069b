//! Input from a person, at a terminal, a pipe or a socket.

use std::time::Instant;

use protocol::Line;

/// A key that acts at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Key {
    Letter(char),
    /// An arrow, or Home, Page Up, End or Page Down for the diagonals: steps to the right and downwards.
    Arrow(i8, i8),
    Enter,
    Backspace,
    Escape,
    /// Nothing was pressed, but the program was stopped and goes on: the screen holds something else.
    Resumed,
}

/// Input from a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// A line, and when it came.
    Line(Instant, Line),
    /// Several lines that were pasted at once, with their line breaks, and when they came.
    Paste(Instant, String),
    /// A paste that was not taken, and why.
    Refused(String),
    /// Nothing more will come: the end of a pipe, Ctrl-D, a closed connection.
    End,
    /// A guest sends more than is allowed.
    Flood,
    /// Ctrl-C.
    Interrupt,
    /// A key, while [keys](super::screen::Screen::paint) are taken.
    Key(Key),
}

impl Input {
    /// A paste that has ended; an error says why it was not taken.
    pub(crate) fn pasted(text: Result<String, String>) -> Input {
        match text {
            Ok(text) => Input::Paste(Instant::now(), text),
            Err(why) => Input::Refused(why),
        }
    }
}
