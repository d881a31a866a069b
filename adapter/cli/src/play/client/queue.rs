//! Lines that wait to be carried out.

use std::collections::VecDeque;
use std::time::Instant;

use protocol::text::excerpt;

/// Maximum number of waiting lines.
pub(super) const CAPACITY: usize = 1000;

/// Waiting lines in the order in which they were typed, with their times.
#[derive(Debug, Default)]
pub(super) struct Queue(pub(super) VecDeque<(Instant, String)>);

impl Queue {
    /// Appends a line.
    ///
    /// # Errors
    /// The queue is full.
    pub(super) fn push(&mut self, at: Instant, text: String) -> Result<(), String> {
        if self.0.len() >= CAPACITY {
            return Err(format!(
                "{}: ignored: {CAPACITY} lines are already waiting",
                excerpt(&text)
            ));
        }
        self.0.push_back((at, text));
        Ok(())
    }

    /// Inserts lines before all others.
    pub(super) fn push_front(&mut self, at: Instant, texts: &[String]) {
        for text in texts.iter().rev() {
            self.0.push_front((at, text.clone()));
        }
    }

    /// Removes all lines. Returns their number, or `None` if there were none.
    pub(super) fn clear(&mut self) -> Option<usize> {
        let n_lines = self.0.len();
        self.0.clear();
        (n_lines > 0).then_some(n_lines)
    }
}
