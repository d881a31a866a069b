//! Words that look back.

use protocol::text::excerpt;
use referee::session::{Table, TableError};

use super::console::{Console, Done, To};
use super::port::Who;
use super::show;
use super::words::{self, Word};

impl Console {
    pub(super) fn review(&mut self, look: fn(&mut Table) -> Result<(), TableError>) -> Done {
        match look(&mut self.session) {
            Ok(()) => self.tell_where(),
            Err(error) => self.complain(Who::Local, error),
        }
    }

    pub(super) fn step(
        &mut self,
        who: Who,
        word: Word,
        rest: &str,
        look: fn(&mut Table, usize) -> Result<usize, TableError>,
    ) -> Done {
        let n = if rest.is_empty() {
            Some(1)
        } else {
            rest.parse().ok().filter(|n| *n > 0)
        };
        let Some(n) = n else {
            let why = format!(
                "{}: {:?}: expected a whole number above 0",
                words::usage(word),
                excerpt(rest)
            );
            return self.say(To::One(who), &why);
        };
        match look(&mut self.session, n) {
            Ok(_) => self.tell_where(),
            Err(error) => self.complain(who, error),
        }
    }

    /// Where the game stands after moves were taken back or played again.
    pub(super) fn tell_where(&mut self) -> Done {
        self.is_paused = false;
        self.changed();
        let n_moves = self.session.moves().len();
        let branches = self.session.tree().branches();
        let tried = match branches.as_slice() {
            [] => String::new(),
            [one] => format!("; {one} was played from here"),
            several => format!("; {} were played from here", several.join(", ")),
        };
        let ended = self
            .session
            .ending()
            .map(|ending| format!("\n{}", show::ending(ending)));
        let s = if n_moves == 1 { "" } else { "s" };
        let text = format!(
            "after {n_moves} move{s}{tried}{}",
            ended.unwrap_or_default()
        );
        self.say(To::All, &text)
    }
}
