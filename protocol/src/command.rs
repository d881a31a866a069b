//! Lines to an engine: one [`Command`] each.
//!
//! The types are here. `command/parse.rs` reads them from text, `command/write.rs` writes them.

mod parse;
mod write;

use std::fmt;
use std::time::Duration;

use crate::SyntaxError;

/// The vocabulary of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// The Universal Game Interface: `ugi`, `p1time`; `mate` counts plies.
    #[default]
    Ugi,
    /// Chess's interface: `uci`, `wtime`; `mate` counts moves of the side to move.
    Uci,
}

impl Dialect {
    /// The word that ends an engine's answer to the handshake.
    pub const fn handshake_ok(self) -> &'static str {
        match self {
            Dialect::Ugi => "ugiok",
            Dialect::Uci => "uciok",
        }
    }
}

/// One line to an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A line without a word; nothing is done.
    Blank,
    /// `ugi` or `uci`: asks for name, author and options.
    Handshake(Dialect),
    /// `debug on|off`.
    Debug(bool),
    /// `isready`: answer `readyok` at once.
    IsReady,
    /// `setoption name NAME [value VALUE]`.
    SetOption {
        /// The option's name; may hold single blanks.
        name: String,
        /// The text after `value`; `None` where the word `value` is absent (buttons).
        value: Option<String>,
    },
    /// `uginewgame` or `ucinewgame`: the next position is of another game.
    NewGame,
    /// `position startpos|fen … [moves …]`.
    Position {
        /// Where the moves start.
        base: Base,
        /// Move codes, in order; without blanks (`b2 -> c3` has become `b2->c3`).
        moves: Vec<String>,
    },
    /// `go …`: search.
    Go(Go),
    /// `go perft N`: count the leaves at this depth instead of searching.
    Perft(u32),
    /// `stop`: end the search and write `bestmove`.
    Stop,
    /// `ponderhit`: the pondered move was played; the clock runs from now.
    PonderHit,
    /// `query …`: a question about the position set.
    Query(Query),
    /// `d [STYLE]`: draw the board for a person.
    Display {
        /// The style, a word of the game's own; `None` for the default.
        style: Option<String>,
    },
    /// `quit`.
    Quit,
}

/// A command as it was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The command, to carry out.
    pub command: Command,
    /// A surplus word after the command, to report as well.
    pub surplus: Option<SyntaxError>,
}

impl Command {
    /// Reads a line without its line break. The words of both dialects are read in any letter case.
    ///
    /// # Errors
    /// If the command is unknown, incomplete, or holds something unreadable. Such a line must change nothing.
    pub fn parse(line: &str) -> Result<Parsed, SyntaxError> {
        parse::parse_command(line)
    }

    /// The command as a line of this dialect, without a line break.
    ///
    /// It reads back as the same command if a line can hold its names, codes and texts: see `spec/protocol.md`,
    /// "Lines and words".
    pub fn display(&self, dialect: Dialect) -> impl fmt::Display + '_ {
        write::InDialect {
            command: self,
            dialect,
        }
    }
}

/// The position that the moves of a `position` line start from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// `startpos`: the start position, by the current options.
    Start,
    /// `fen TEXT`: a position string, its fields separated by single blanks.
    Fen(String),
}

/// The limits of one `go`, in any combination; the first that is reached ends the search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// Time left to player 1 (`p1time`, `wtime`; ms). A negative number reads as zero.
    pub p1_time: Option<Duration>,
    /// Time left to player 2 (`p2time`, `btime`; ms). A negative number reads as zero.
    pub p2_time: Option<Duration>,
    /// Time added to player 1's clock with each move (`p1inc`, `winc`; ms).
    pub p1_inc: Option<Duration>,
    /// Time added to player 2's clock with each move (`p2inc`, `binc`; ms).
    pub p2_inc: Option<Duration>,
    /// Moves of the player to move until the clock is refilled (`movestogo`).
    pub moves_to_go: Option<u32>,
    /// Time for this move alone (`movetime`; ms).
    pub move_time: Option<Duration>,
    /// Plies to search.
    pub depth: Option<u32>,
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Look for a win within this number of plies (UGI) or moves (UCI), as written.
    pub mate: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Consider these root moves only; empty for all.
    pub search_moves: Vec<String>,
}

/// Questions about the position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Query {
    /// Is it player 1's turn? (`true`, `false`)
    P1Turn,
    /// Is the game over? (`true`, `false`)
    GameOver,
    /// `none`, `p1win`, `p2win` or `draw`.
    Result,
    /// The legal moves in canonical order.
    Moves,
    /// The position string.
    Fen,
    /// The game's name and the options that shape its board.
    Game,
}

impl Query {
    /// All questions.
    pub const ALL: [Query; 6] = [
        Query::P1Turn,
        Query::GameOver,
        Query::Result,
        Query::Moves,
        Query::Fen,
        Query::Game,
    ];

    /// The word after `query`.
    pub fn word(self) -> &'static str {
        match self {
            Query::P1Turn => "p1turn",
            Query::GameOver => "gameover",
            Query::Result => "result",
            Query::Moves => "moves",
            Query::Fen => "fen",
            Query::Game => "game",
        }
    }
}
