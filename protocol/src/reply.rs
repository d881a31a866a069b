//! Lines from an engine: one [`Reply`] each.
//!
//! The types are here. `reply/parse.rs` reads them from text, `reply/write.rs` writes them.

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
    /// `ugiok` or `uciok`: the handshake is complete.
    HandshakeOk(Dialect),
    /// `readyok`.
    ReadyOk,
    /// `response TEXT`, the answer to a `query`; the text may be empty.
    Response(String),
    /// `info …`, except `info error`.
    Info(Info),
    /// `info error TEXT`: why a line was not carried out.
    Error(String),
    /// `bestmove MOVE [ponder MOVE]`; `none` if there is no move.
    BestMove {
        /// The move to play.
        mv: String,
        /// The expected answer, to ponder on.
        ponder: Option<String>,
    },
    /// `MOVE: COUNT`, the leaves below a root move of a perft.
    Divide {
        /// The root move.
        mv: String,
        /// Leaves below it.
        nodes: u64,
    },
    /// `nodes COUNT`, the total of a perft.
    PerftTotal(u64),
    /// Any other line, such as one of a drawn board.
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

    /// Reads a line without its line break. `Display` writes the same line, except for its blanks.
    ///
    /// # Errors
    /// If a line begins like a reply but cannot be read as one. A line that begins otherwise is [`Reply::Text`],
    /// unchanged. Unknown words after `info` are skipped.
    pub fn parse(line: &str) -> Result<Reply, SyntaxError> {
        parse::parse_reply(line)
    }
}

/// The fields of an `info` line; `None` for those that the line does not hold.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// Plies searched in full.
    pub depth: Option<u32>,
    /// Plies of the longest line examined.
    pub seldepth: Option<u32>,
    /// Time since `go` (ms on the wire).
    pub time: Option<Duration>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions a second.
    pub nps: Option<u64>,
    /// Share of the transposition table in use, in thousandths.
    pub hashfull: Option<u32>,
    /// Positions looked up in tables of perfect play.
    pub tb_hits: Option<u64>,
    /// Rank of this line among the best, from 1.
    pub multipv: Option<u32>,
    /// The score from the side to move.
    pub score: Option<Score>,
    /// Whether the score is only a bound.
    pub bound: Option<Bound>,
    /// The principal variation: the best moves of both players.
    pub pv: Vec<String>,
    /// Free text, to the end of the line.
    pub string: Option<String>,
}

/// A score from the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Score {
    /// Hundredths of the game's unit.
    Cp(i32),
    /// The side to move wins (positive) or loses (negative, or 0) in this number of plies (UGI) or moves (UCI), as
    /// written.
    Mate(i32),
    /// The game is drawn by perfect play of both sides (`cp 0 exact`).
    Draw,
}

/// The meaning of a score that is a bound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bound {
    /// The true score is at least this (`lowerbound`).
    Lower,
    /// The true score is at most this (`upperbound`).
    Upper,
}
