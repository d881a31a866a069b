//! What is chosen where each key acts at once.

use crate::play::word::{self, Typed};

/// The state of the input by keys, and the messages shown.
#[derive(Debug, Default)]
pub(super) struct Keys {
    /// The spot under the cursor.
    pub(super) cursor: String,
    /// The chosen spots of a move with several.
    pub(super) chosen: Vec<String>,
    /// The chosen button.
    pub(super) button: Option<String>,
    /// The changes to the marks of this position, for Backspace.
    pub(super) changes: Vec<MarkChange>,
    /// The letters pressed one after the other, each with whether it inverted a mark.
    pub(super) letters: Vec<(char, bool)>,
    /// All messages, line by line.
    pub(super) said: Vec<String>,
    /// The first of them that is shown below the board: those before are of an earlier game.
    pub(super) first_shown: usize,
    /// Number of messages before the last key; those after it are shown even over the board.
    pub(super) n_old: usize,
    /// The line being typed: a move, or after `:` a command.
    pub(super) typed: Option<String>,
    /// The lines entered before, and the index of the recalled one.
    pub(super) entered: Vec<String>,
    pub(super) recalled: usize,
    /// The person has just entered a command, so a long answer replaces the board.
    pub(super) is_answer_due: bool,
    /// The rest of a long answer, shown until keys are pressed.
    pub(super) answer: Vec<String>,
}

/// A change of the marks.
#[derive(Debug)]
pub(super) struct MarkChange {
    /// The unmarked moves before the change.
    pub(super) before: Vec<String>,
    /// The move whose mark was inverted; `None` for all.
    pub(super) code: Option<String>,
}

impl Keys {
    /// Drops all choices after a change of the position.
    pub(super) fn forget(&mut self) {
        self.chosen.clear();
        self.button = None;
        self.changes.clear();
        self.letters.clear();
    }

    /// The command that the letters pressed so far spell: `rules`.
    pub(super) fn spelled(&self) -> Option<String> {
        let text = self.letters_from(0);
        let is_word = matches!(word::read(&text), Ok(Typed::Word(..)));
        (text.len() > 1 && is_word).then_some(text)
    }

    /// The letters at the end with which the name of a command begins.
    pub(super) fn begun(&self) -> Option<String> {
        let mut texts = (0..self.letters.len()).map(|from| self.letters_from(from));
        texts.find(|text| word::begins(text))
    }

    fn letters_from(&self, from: usize) -> String {
        self.letters[from..]
            .iter()
            .map(|(letter, _)| letter)
            .collect()
    }

    /// Forgets as many letters as a command has, and their changes of marks. Returns the unmarked moves before them, if they
    /// changed any.
    pub(super) fn unspell(&mut self, n_letters: usize) -> Option<Vec<String>> {
        let letters = std::mem::take(&mut self.letters);
        let marks = letters.iter().rev().take(n_letters);
        let n_marks = marks.filter(|(_, is_mark)| *is_mark).count();
        let first = self.changes.len().saturating_sub(n_marks);
        self.changes
            .drain(first..)
            .next()
            .map(|change| change.before)
    }

    /// Begins a line with this text.
    pub(super) fn begin_line(&mut self, text: String) {
        self.recalled = self.entered.len();
        self.typed = Some(text);
    }

    /// Ends the line and returns it; `None` if it is blank.
    pub(super) fn end_line(&mut self) -> Option<String> {
        let line = self.typed.take()?;
        let is_blank = line.trim_start_matches(':').trim().is_empty();
        if !is_blank && self.entered.last() != Some(&line) {
            self.entered.push(line.clone());
        }
        (!is_blank).then_some(line)
    }

    /// Replaces the line by the one entered before it or, downwards, after it.
    pub(super) fn recall(&mut self, is_down: bool) {
        let index = match is_down {
            true => (self.recalled + 1).min(self.entered.len()),
            false => self.recalled.saturating_sub(1),
        };
        if let Some(line) = self.entered.get(index) {
            self.recalled = index;
            self.typed = Some(line.clone());
        }
    }
}
