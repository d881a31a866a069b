//! A line received from the engine.

use protocol::Reply;
use std::time::Instant;

/// A line of the engine's output.
#[derive(Debug)]
pub(super) struct OutputLine {
    pub(super) at: Instant,
    pub(super) line: String,
    /// `None` for a line that begins like a reply but is malformed.
    pub(super) reply: Option<Reply>,
}

impl OutputLine {
    pub(super) fn error(&self) -> Option<&str> {
        match &self.reply {
            Some(Reply::Error(why)) => Some(why),
            _ => None,
        }
    }

    /// `true` for an answer to a query: a response or an error.
    pub(super) fn is_answer(&self) -> bool {
        matches!(self.reply, Some(Reply::Response(_) | Reply::Error(_)))
    }

    /// The text after `response`.
    pub(super) fn response(self) -> Option<String> {
        match self.reply {
            Some(Reply::Response(text)) => Some(text),
            _ => None,
        }
    }

    /// `true` if the first word is `bestmove`, even if the rest is invalid.
    pub(super) fn is_best_move(&self) -> bool {
        self.line.split_whitespace().next() == Some("bestmove")
    }
}
