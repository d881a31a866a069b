//! Lines to an engine: one [`Command`] each.
//!
//! The types are here. `command/parse.rs` parses them, `command/write.rs` formats them.

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
    /// The chess protocol: `uci`, `wtime`; `mate` counts moves of the side to move.
    Uci,
    /// The protocol of Ataxx engines: `uai`; player 1 is black, with `btime`. Otherwise as UCI. Only written to engines.
    Uai,
}

impl Dialect {
    /// The word that ends an engine's answer to the handshake.
    pub const fn handshake_ok(self) -> &'static str {
        match self {
            Dialect::Ugi => "ugiok",
            Dialect::Uci => "uciok",
            Dialect::Uai => "uaiok",
        }
    }
}

/// One line to an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// A line without a word; ignored.
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
        /// The text after `value`; `None` without the word `value`, as for buttons.
        value: Option<String>,
    },
    /// `uginewgame` or `ucinewgame`: the next position belongs to another game.
    NewGame,
    /// `position startpos|fen … [moves …]`.
    Position {
        /// The position before the moves.
        base: Base,
        /// Move codes in order. Codes written with blanks are joined: `b2 -> c3` becomes `b2->c3`.
        moves: Vec<String>,
    },
    /// `go …`: search.
    Go(Go),
    /// `go perft N`: count the leaves at this depth instead of searching.
    Perft(u32),
    /// `stop`: end the search and send `bestmove`.
    Stop,
    /// `ponderhit`: the pondered move was played; the clock runs from now.
    PonderHit,
    /// `query …`: a question about the current position.
    Query(Query),
    /// `d [STYLE]`: draw the board for a person.
    Display {
        /// A style of the game; `None` for the default.
        style: Option<String>,
    },
    /// `quit`.
    Quit,
}

/// A parsed command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Parsed {
    /// The command to carry out.
    pub command: Command,
    /// A surplus word after the command, which is reported but does not invalidate it.
    pub surplus: Option<SyntaxError>,
}

impl Command {
    /// Parses a line without its line break. The words of both dialects are accepted in any letter case.
    ///
    /// # Errors
    /// The command is unknown, incomplete or contains something unreadable. Such a line must change nothing.
    pub fn parse(line: &str) -> Result<Parsed, SyntaxError> {
        parse::parse_command(line)
    }

    /// Formats the command as a line of this dialect, without a line break.
    ///
    /// A line of UGI or UCI parses to the same command if it can hold the command's names, codes and texts: see
    /// `spec/protocol.md`, "Lines and words". UAI is only written, to engines.
    pub fn display(&self, dialect: Dialect) -> impl fmt::Display + '_ {
        write::InDialect {
            command: self,
            dialect,
        }
    }
}

/// The position before the moves of a `position` line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// `startpos`: the start position with the current options.
    Start,
    /// `fen TEXT`: a position string, its fields separated by single blanks.
    Fen(String),
}

/// The limits of a `go`, in any combination. The first one reached ends the search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// Remaining time of player 1 (`p1time`, `wtime`; ms). A negative number reads as zero.
    pub p1_time: Option<Duration>,
    /// Remaining time of player 2 (`p2time`, `btime`; ms). A negative number reads as zero.
    pub p2_time: Option<Duration>,
    /// Time added to player 1's clock with each move (`p1inc`, `winc`; ms).
    pub p1_inc: Option<Duration>,
    /// Time added to player 2's clock with each move (`p2inc`, `binc`; ms).
    pub p2_inc: Option<Duration>,
    /// Moves of the player to move until the clock is refilled (`movestogo`).
    pub moves_to_go: Option<u32>,
    /// Time for this move (`movetime`; ms).
    pub move_time: Option<Duration>,
    /// Maximum depth in plies.
    pub depth: Option<u32>,
    /// Maximum number of positions to search.
    pub nodes: Option<u64>,
    /// Search for a win within this number of plies (UGI) or moves (UCI), as written.
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
    /// Whose turn it is: `true` if player 1 is to move, else `false`.
    P1Turn,
    /// `true` if the game is over, else `false`.
    GameOver,
    /// `none`, `p1win`, `p2win` or `draw`.
    Result,
    /// The legal moves in canonical order.
    Moves,
    /// The position string.
    Fen,
    /// The game's name, and the options that shape its board.
    Game,
    /// The game in words, as one JSON object.
    About,
    /// The drawing of the position, as one JSON object.
    Diagram,
    /// Other spellings of the legal moves, as `CODE=SPELLING`.
    Spellings,
}

impl Query {
    /// All questions.
    pub const ALL: [Query; 9] = [
        Query::P1Turn,
        Query::GameOver,
        Query::Result,
        Query::Moves,
        Query::Fen,
        Query::Game,
        Query::About,
        Query::Diagram,
        Query::Spellings,
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
            Query::About => "about",
            Query::Diagram => "diagram",
            Query::Spellings => "spellings",
        }
    }
}
