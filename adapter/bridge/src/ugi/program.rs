//! What the adapter needs of a program of another protocol.

use kit::Side;
use protocol::{Go, Info};
use referee::opening::Opening;
use referee::registry::Rules;

/// A program of another protocol that plays: a state machine that turns requests into lines to the program, and the
/// program's lines into events. It neither waits nor touches the process.
pub trait Program {
    /// The lines that shake hands; [`ProgramEvent::Ready`] follows.
    fn shake_hands(&mut self) -> Vec<String>;

    /// The lines that have the program think; [`ProgramEvent::Moved`] or [`ProgramEvent::Failed`] follows. Moves that
    /// the program knows from before are not sent again.
    ///
    /// # Errors
    /// The protocol has no way to tell the position; says why.
    fn search(&mut self, search: &Search<'_>) -> Result<Vec<String>, String>;

    /// The lines that have a program that thinks move at once; none if it cannot be interrupted.
    fn move_now(&mut self) -> Vec<String>;

    /// The lines that end the program.
    fn quit(&mut self) -> Vec<String>;

    /// Takes a line of the program. Lines that it is to be sent in return are added to `send`.
    fn hear(&mut self, line: &str, send: &mut Vec<String>) -> Option<ProgramEvent>;
}

/// A position to think about, and the limits.
#[derive(Debug, Clone, Copy)]
pub struct Search<'a> {
    /// The game with its options.
    pub rules: &'a Rules,
    /// Where the game begins, and all its moves as canonical codes.
    pub line: &'a Opening,
    /// The side to move.
    pub side: Side,
    /// The limits; a protocol that has no word for one leaves it out.
    pub go: &'a Go,
    /// Whether this is the first search of a game.
    pub is_new_game: bool,
}

/// What comes of a program.
#[derive(Debug, Clone, PartialEq)]
pub enum ProgramEvent {
    /// The handshake is over.
    Ready {
        /// What the program is called, if it says so.
        name: Option<String>,
    },
    /// The program has made this move, a code.
    Moved(String),
    /// What it thinks.
    Thought(Info),
    /// It was to move and has not. The text says why.
    Failed(String),
}
