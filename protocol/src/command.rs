//! What an engine is told: one [`Command`] a line.

use std::time::Duration;

/// Which of the two vocabularies a line is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dialect {
    /// The Universal Game Interface: `ugi`, `p1time`; `mate` counts plies.
    #[default]
    Ugi,
    /// Chess's interface: `uci`, `wtime`; `mate` counts moves of the side to move.
    Uci,
}

/// One line to an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// `ugi` or `uci`: who are you, and what can be set?
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
    /// `go …`: search, or count with `perft`.
    Go(Go),
    /// `stop`: end the search and name the move.
    Stop,
    /// `ponderhit`: the pondered move was played; the clock runs from now.
    PonderHit,
    /// `query …`: a question about the position set.
    Query(Query),
    /// `d [STYLE]`: draw the board for a person.
    Display {
        /// How to draw it, a word of the game's own; `None` for the usual way.
        style: Option<String>,
    },
    /// `quit`.
    Quit,
}

/// The position that the moves of a `position` line start from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Base {
    /// `startpos`: the start position by the options set.
    Start,
    /// `fen TEXT`: a position string, its fields split by single blanks.
    Fen(String),
}

/// The limits of one `go`, freely combined: whichever comes first ends the search.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Go {
    /// Time left to player 1 (`p1time`, `wtime`; ms). A negative number reads as zero.
    pub p1_time: Option<Duration>,
    /// Time left to player 2 (`p2time`, `btime`; ms). A negative number reads as zero.
    pub p2_time: Option<Duration>,
    /// Time player 1 gains with each move (`p1inc`, `winc`; ms).
    pub p1_inc: Option<Duration>,
    /// Time player 2 gains with each move (`p2inc`, `binc`; ms).
    pub p2_inc: Option<Duration>,
    /// Moves until the clock is refilled (`movestogo`).
    pub moves_to_go: Option<u32>,
    /// Time for this move alone (`movetime`; ms).
    pub move_time: Option<Duration>,
    /// Plies to search.
    pub depth: Option<u32>,
    /// Positions to search.
    pub nodes: Option<u64>,
    /// Look for a win within so many plies (UGI) or moves (UCI), as written.
    pub mate: Option<u32>,
    /// Count the leaves at this depth instead of searching.
    pub perft: Option<u32>,
    /// Search until `stop`.
    pub infinite: bool,
    /// Search on the other side's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// Consider these root moves only; empty for all.
    pub search_moves: Vec<String>,
}

/// The questions about the position set.
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
