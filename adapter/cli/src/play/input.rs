//! Input from a person, at a terminal, a pipe or a socket.

use std::time::Instant;

use protocol::Line;

/// Input from a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// A line, and when it came.
    Line(Instant, Line),
    /// Nothing more will come: the end of a pipe, Ctrl-D, a closed connection.
    End,
    /// A guest sends more than is allowed.
    Flood,
    /// Ctrl-C.
    Interrupt,
}
