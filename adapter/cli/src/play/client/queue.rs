//! Lines that wait to be carried out: for the person's turn, and for the answer to the line before.

use std::collections::VecDeque;
use std::time::Instant;

use protocol::text::excerpt;
use table::Turn;
use table::typing::{TypingError, read_moves};

use super::Client;
use crate::play::word::Typed;

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

impl Client<'_> {
    /// Executes the lines that need not wait.
    pub(super) fn advance(&mut self) {
        while self.end.is_none() && self.talk.pending.is_none() && !self.must_wait() {
            match self.queue.0.pop_front() {
                Some((at, text)) => self.obey(at, &text),
                None => return,
            }
        }
    }

    /// `true` if the first line is a move and must wait for the person's turn.
    fn must_wait(&self) -> bool {
        let Some((_, text)) = self.queue.0.front() else {
            return false;
        };
        let is_move = self.paste.is_none() && self.is_move(text);
        // The event `turn` after a move tells whose turn it is.
        is_move && self.game.has_seat() && (self.is_others_turn() || self.talk.is_turn_due)
    }

    fn is_others_turn(&self) -> bool {
        !self.game.may_move() && self.game.turn() != Turn::Over
    }

    /// `true` if a text has the form of a move; its legality is checked when it is executed.
    fn is_move(&self, text: &str) -> bool {
        let text = text.trim();
        let is_other = !text.is_empty() && matches!(self.read(text), Ok(Typed::Other(_)));
        is_other
            && !matches!(
                read_moves(self.game.board(), text),
                Err(TypingError::NoMove(_))
            )
    }

    /// Shows that the line just typed must wait for a turn.
    pub(super) fn show_waiting(&mut self, text: &str) {
        if !self.screen.input_mode().is_live || !self.must_wait() {
            return;
        }
        let text = excerpt(text.trim());
        match (self.queue.0.len(), self.queue.0.front()) {
            (1, _) => self.say(&format!("{text} waits for your turn")),
            (_, Some((_, first))) => {
                let first = excerpt(first.trim());
                self.say(&format!("{text} waits behind {first}"));
            }
            (_, None) => {}
        }
    }
}
