//! What is chosen where each key acts at once.

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
    /// All messages, line by line.
    pub(super) said: Vec<String>,
    /// The command being typed after `:`.
    pub(super) typed: Option<String>,
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
    }
}
