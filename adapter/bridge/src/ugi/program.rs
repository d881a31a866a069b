//! The interface between the adapter and a program of another protocol.

use std::time::Duration;

use kit::Side;
use protocol::{Go, Info, OptionDecl};
use record::opening::Opening;
use record::registry::Rules;

/// A program of another protocol, as a state machine: it converts requests to lines for the program, and lines of the
/// program to events. It neither waits nor accesses the process.
pub(crate) trait Program {
    /// Returns the lines of the handshake. [`ProgramEvent::Ready`] follows.
    fn shake_hands(&mut self) -> Vec<String>;

    /// The time after which a program counts as ready although it has not ended its handshake; `None` without one.
    fn handshake_timeout(&self) -> Option<Duration> {
        None
    }

    /// Options that the program has declared in its handshake.
    fn options(&self) -> &[OptionDecl] {
        &[]
    }

    /// Returns the lines that set one of the program's options.
    fn set_option(&mut self, _name: &str, _value: Option<&str>) -> Vec<String> {
        Vec::new()
    }

    /// `true` if the program must be started anew for another game.
    fn is_used_up(&self) -> bool {
        false
    }

    /// Returns the lines that set up a game without starting a search. While [`is_preparing`](Program::is_preparing),
    /// [`ProgramEvent::Prepared`] or [`ProgramEvent::Failed`] follows.
    ///
    /// # Errors
    /// The protocol or the program cannot do it; the text gives the reason.
    fn prepare(&mut self, search: &Search<'_>) -> Result<Vec<String>, String>;

    /// `true` while the answer of [`prepare`](Program::prepare) is outstanding.
    fn is_preparing(&self) -> bool;

    /// Returns the lines that start a search. [`ProgramEvent::Moved`] or [`ProgramEvent::Failed`] follows. Moves that
    /// are already on the program's board are not sent again.
    ///
    /// # Errors
    /// The protocol cannot express the position; the text gives the reason.
    fn search(&mut self, search: &Search<'_>) -> Result<Vec<String>, String>;

    /// Returns the lines that make a thinking program move at once; none if it cannot be interrupted.
    fn move_now(&mut self) -> Vec<String>;

    /// Returns the lines that end the program.
    fn quit(&mut self) -> Vec<String>;

    /// Returns an event that follows a search at once: the program has resigned before, or has made a false claim.
    fn event_of_search(&mut self) -> Option<ProgramEvent> {
        None
    }

    /// Handles a line of the program. Lines to be sent in response are added to `send`.
    fn hear(&mut self, line: &str, send: &mut Vec<String>) -> Option<ProgramEvent>;
}

/// Position and limits of a search.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Search<'a> {
    /// Game and options.
    pub(crate) rules: &'a Rules,
    /// Start position, and all moves as canonical codes.
    pub(crate) line: &'a Opening,
    /// The side to move.
    pub(crate) side: Side,
    /// Limits. A protocol ignores those that it cannot express.
    pub(crate) go: &'a Go,
    /// `true` for the first search of a game.
    pub(crate) is_new_game: bool,
}

/// Event of a program.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum ProgramEvent {
    /// The handshake is complete.
    Ready {
        /// Name of the program, if it reported one.
        name: Option<String>,
    },
    /// The game is set up.
    Prepared,
    /// The program has made this move, as a code.
    Moved(String),
    /// Search information.
    Thought(Info),
    /// The program resigns in place of a move.
    Resigned,
    /// Something that the user should know and that costs nothing.
    Noted(String),
    /// The program failed to move or to set up the game, with the reason.
    Failed(String),
}

/// Formats seconds, as an integer if possible, because some programs accept nothing else.
pub(crate) fn seconds(time: Duration) -> String {
    time.as_secs_f64().to_string()
}
