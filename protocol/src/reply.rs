//! What an engine says: one [`Reply`] a line.
//!
//! The types stand here; the grammar is in `reply/parse.rs` and the other way round in `reply/write.rs`.

mod parse;
mod write;

use std::time::Duration;

use crate::{Dialect, OptionDecl, SyntaxError};

/// One line from an engine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Reply {
    /// `id name TEXT`.
    IdName(String),
    /// `id author TEXT`.
    IdAuthor(String),
    /// `option name … type …`.
    Option(OptionDecl),
    /// `ugiok` or `uciok`: the handshake is over.
    HandshakeOk(Dialect),
    /// `readyok`.
    ReadyOk,
    /// `response TEXT`, the answer to a `query`; the text may be empty.
    Response(String),
    /// `info …`, but for `info error`.
    Info(Info),
    /// `info error TEXT`: what was wrong with a line.
    Error(String),
    /// `bestmove MOVE [ponder MOVE]`; a move is text, `none` where there is none.
    BestMove {
        /// The move to play.
        mv: String,
        /// The answer expected, to ponder on.
        ponder: Option<String>,
    },
    /// `MOVE: COUNT`, a root move's share of a perft.
    Divide {
        /// The root move.
        mv: String,
        /// Leaves below it.
        nodes: u64,
    },
    /// `nodes COUNT`, the total of a perft.
    PerftTotal(u64),
    /// Any other line, such as a drawn board's.
    Text(String),
}

impl Reply {
    /// `info string TEXT`.
    pub fn string(text: String) -> Reply {
        Reply::Info(Info {
            string: Some(text),
            ..Info::default()
        })
    }

    /// Reads a line (without its line break). Written back with `Display`, a reply is the same line again but
    /// for its blanks, and reads as the same reply.
    ///
    /// # Errors
    /// A line that begins like a reply and does not go on like one. A line that begins otherwise is
    /// [`Reply::Text`], kept as it is; words that `info` does not know are passed over.
    pub fn parse(line: &str) -> Result<Reply, SyntaxError> {
        parse::parse_reply(line)
    }
}

/// What `info` told; each field is absent unless the line held it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// Plies searched in full.
    pub depth: Option<u32>,
    /// Plies of the longest line looked at.
    pub seldepth: Option<u32>,
    /// Time since `go` (ms on the wire).
    pub time: Option<Duration>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions a second.
    pub nps: Option<u64>,
    /// Share of the transposition table in use, in thousandths.
    pub hashfull: Option<u32>,
    /// Rank of this line among the best, from 1.
    pub multipv: Option<u32>,
    /// The score from the side to move.
    pub score: Option<Score>,
    /// Whether the score is a bound only.
    pub bound: Option<Bound>,
    /// The line expected, best moves for both.
    pub pv: Vec<String>,
    /// Free text, to the end of the line.
    pub string: Option<String>,
}

/// A score from the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of the game's unit.
    Cp(i32),
    /// The side to move wins (positive) or loses (negative, or 0) in so many plies (UGI) or moves (UCI), as written.
    Mate(i32),
}

/// What a bounded score promises.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at least this (`lowerbound`).
    Lower,
    /// The true score is at most this (`upperbound`).
    Upper,
}
