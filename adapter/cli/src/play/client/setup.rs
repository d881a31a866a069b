//! `setup`: a game from a position that is typed or pasted.

use referee::opening::Opening;
use referee::table::{Role, TableCommand};

use super::Client;
use crate::play::screen::Screen;

/// No position takes more, in bytes. What is pasted beyond it is not kept.
const MAX_BYTES: usize = 1 << 16;

/// The lines of a position that is being pasted.
#[derive(Debug, Default)]
pub(super) struct Paste {
    text: String,
    /// Whether more came than a position can take.
    is_too_long: bool,
}

impl Paste {
    fn push(&mut self, line: &str) {
        self.is_too_long |= self.text.len() + line.len() >= MAX_BYTES;
        if !self.is_too_long {
            self.text.push_str(line);
            self.text.push('\n');
        }
    }
}

impl<S: Screen> Client<S> {
    pub(super) fn setup(&mut self, rest: &str) {
        if self.role() != Role::Host {
            return self.say("setup: only the host may");
        }
        if !rest.is_empty() {
            return self.begin(Opening::parse(rest));
        }
        self.paste = Some(Paste::default());
        self.say("Type or paste a position: a string, or a diagram and an empty line.");
    }

    /// One line of a position: a string is whole at once, a diagram at an empty line.
    pub(super) fn take_paste(&mut self, line: &str) {
        let Some(mut paste) = self.paste.take() else {
            return;
        };
        if line.is_empty() {
            return self.begin_at(paste);
        }
        let opening = Opening::parse(line);
        if paste.text.is_empty() && self.game.accepts(&opening) {
            return self.begin(opening);
        }
        paste.push(line);
        self.paste = Some(paste);
    }

    /// Begins at a diagram. What stands below it, behind the empty line, may still say whose turn it is.
    fn begin_at(&mut self, paste: Paste) {
        if paste.is_too_long {
            return self.say(&format!(
                "setup: more than {MAX_BYTES} bytes pasted; the game stays as it is"
            ));
        }
        if paste.text.trim().is_empty() {
            return self.say("setup: nothing pasted; the game stays as it is");
        }
        let read = self.game.read_position(&paste.text);
        self.pasted = Some(paste.text);
        match read {
            Ok(opening) => self.begin(opening),
            Err(why) => self.say(&format!("setup: {why}")),
        }
    }

    /// Whether a line was the foot of the diagram that was pasted just before.
    pub(super) fn take_foot(&mut self, line: &str) -> bool {
        let Some(text) = self.pasted.take() else {
            return false;
        };
        let read = self.game.read_position(&format!("{text}\n{line}"));
        match read {
            Ok(opening) => {
                self.begin(opening);
                true
            }
            Err(_) => false,
        }
    }

    fn begin(&mut self, opening: Opening) {
        let opening = Some(opening);
        self.ask(TableCommand::New { opening }, "setup: ");
    }
}
