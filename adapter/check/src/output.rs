//! Lines received from the engine.

use std::time::Instant;

use protocol::Reply;

use crate::report::{Outcome, ensure, pass};

/// Maximum number of bytes kept of one wait's output.
const MAX_KEPT: usize = 5 << 20;

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
    pub(super) fn response(&self) -> Option<&str> {
        match &self.reply {
            Some(Reply::Response(text)) => Some(text),
            _ => None,
        }
    }

    /// The move after `bestmove`.
    pub(super) fn code(&self) -> Option<String> {
        match &self.reply {
            Some(Reply::BestMove { mv, .. }) => Some(mv.clone()),
            _ => None,
        }
    }

    /// `true` if the first word is `bestmove`, even if the rest is invalid.
    pub(super) fn is_best_move(&self) -> bool {
        self.line.split_whitespace().next() == Some("bestmove")
    }
}

/// Fails with this text if the output ends a search.
pub(super) fn no_best_move(output: &[OutputLine], fault: &str) -> Outcome {
    ensure!(!output.iter().any(OutputLine::is_best_move), "{fault}");
    pass()
}

/// Lines received during one wait. Beyond the limit, output is read and dropped.
#[derive(Debug, Default)]
pub(super) struct BoundedOutput {
    pub(super) output: Vec<OutputLine>,
    n_bytes: usize,
}

impl BoundedOutput {
    pub(super) fn push(&mut self, output: OutputLine) {
        // A parsed reply also holds a copy of the text.
        self.n_bytes += size_of::<OutputLine>() + 2 * output.line.len();
        if self.n_bytes <= MAX_KEPT {
            self.output.push(output);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_is_not_kept() {
        let mut kept = BoundedOutput::default();
        for _ in 0..1_000_000 {
            kept.push(OutputLine {
                at: Instant::now(),
                line: "info string again".to_owned(),
                reply: None,
            });
        }
        assert!(kept.output.len() * size_of::<OutputLine>() <= MAX_KEPT);
        assert!(kept.output.len() > 10_000, "normal output is kept in full");
    }
}
