//! Words that save a game, or begin another.

use std::path::Path;

use referee::opening::Opening;
use referee::session::TableError;

use super::console::{Console, Done, To};
use super::port::Who;
use crate::usage::Failure;

impl Console {
    pub(super) fn save(&mut self, who: Who, rest: &str) -> Done {
        if rest.is_empty() {
            return self.say(To::One(who), "save: expected the name of a new file");
        }
        match self.session.save(Path::new(rest)) {
            Ok(()) => self.say(To::One(who), &format!("saved in {rest}")),
            Err(error) => self.say(To::One(who), &format!("save: {error}")),
        }
    }

    pub(super) fn load(&mut self, who: Who, rest: &str) -> Done {
        if rest.is_empty() {
            return self.say(To::One(who), "load: expected the name of a file");
        }
        match self.session.load(Path::new(rest)) {
            Ok(()) => self.tell_where(),
            Err(error @ TableError::Records(_)) => self.complain(who, error),
            Err(error) => self.say(To::One(who), &format!("load: {rest}: {error}")),
        }
    }

    pub(super) fn new_game(&mut self, who: Who, asked: Option<String>) -> Done {
        let is_under_way = self.session.ending().is_none() && !self.session.moves().is_empty();
        if is_under_way && self.asks_again("new", asked) {
            return self.say(
                To::One(who),
                "The game is not over: type new again to leave it for another.",
            );
        }
        let opening = self.session.opening().clone();
        self.begin(who, opening)
    }

    pub(super) fn setup(&mut self, who: Who, rest: &str) -> Done {
        if !rest.is_empty() {
            return self.begin(who, Opening::parse(rest));
        }
        self.paste = Some(Vec::new());
        self.say(
            To::One(who),
            "Type or paste a position: a string, or a diagram and an empty line.",
        )
    }

    /// One line of a position: a string is whole at once, a diagram at an empty line.
    pub(super) fn take_paste(&mut self, line: &str) -> Done {
        let lines = self.paste.get_or_insert_default();
        if line.is_empty() {
            let text = lines.join("\n");
            self.paste = None;
            return self.begin_at(text);
        }
        let is_first = lines.is_empty();
        lines.push(line.to_owned());
        if is_first && self.session.accepts(&Opening::parse(line)) {
            self.paste = None;
            return self.begin(Who::Local, Opening::parse(line));
        }
        Ok(())
    }

    /// Begins at a diagram. What stands below it, behind the empty line, may still say whose turn it is.
    pub(super) fn begin_at(&mut self, text: String) -> Done {
        if text.trim().is_empty() {
            return self.say(
                To::One(Who::Local),
                "setup: nothing pasted; the game stays as it is",
            );
        }
        let read = self.session.read_position(&text);
        self.pasted = Some(text);
        match read {
            Ok(opening) => self.begin(Who::Local, opening),
            Err(why) => self.say(To::One(Who::Local), &format!("setup: {why}")),
        }
    }

    /// Whether a line was the foot of the diagram that was pasted just before.
    pub(super) fn take_foot(&mut self, line: &str) -> Result<bool, Failure> {
        let Some(text) = self.pasted.take() else {
            return Ok(false);
        };
        match self.session.read_position(&format!("{text}\n\n{line}")) {
            Ok(opening) => self.begin(Who::Local, opening).map(|()| true),
            Err(_) => Ok(false),
        }
    }

    pub(super) fn begin(&mut self, who: Who, opening: Opening) -> Done {
        match self.session.new_game(opening) {
            Ok(()) => {
                self.is_paused = false;
                self.changed();
                self.say(To::All, "a new game")
            }
            Err(error @ TableError::Records(_)) => self.complain(who, error),
            Err(error) => self.say(To::One(who), &format!("setup: {error}")),
        }
    }
}
