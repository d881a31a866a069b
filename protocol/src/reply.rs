//! Lines from an engine: one [`Reply`] each.
//!
//! The types are here. `reply/parse.rs` parses them, `reply/write.rs` formats them.

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
    /// `info error TEXT`: the reason why a line was not carried out.
    Error(String),
    /// `bestmove MOVE [ponder MOVE]`; `none` if there is no move.
    BestMove {
        /// The move to play.
        mv: String,
        /// The expected answer, on which to ponder.
        ponder: Option<String>,
    },
    /// `MOVE: COUNT`, the leaves below a root move of a perft.
    Divide {
        /// The root move.
        mv: String,
        /// Number of leaves below it.
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

    /// Parses a line without its line break. `Display` formats the same line, except for its blanks.
    ///
    /// # Errors
    /// The line begins like a reply but cannot be parsed as one. Any other line is a [`Reply::Text`], unchanged.
    /// Unknown words after `info` are skipped.
    pub fn parse(line: &str) -> Result<Reply, SyntaxError> {
        parse::parse_reply(line)
    }
}

/// The fields of an `info` line; `None` for those not in the line.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// Plies searched in full.
    pub depth: Option<u32>,
    /// Plies of the longest line searched.
    pub seldepth: Option<u32>,
    /// Time since `go` (in the protocol in ms).
    pub time: Option<Duration>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Positions per second.
    pub nps: Option<u64>,
    /// Share of the transposition table in use, in thousandths.
    pub hashfull: Option<u32>,
    /// Positions found in endgame tables.
    pub tb_hits: Option<u64>,
    /// Rank of this line among the best, from 1.
    pub multipv: Option<u32>,
    /// The score from the side to move.
    pub score: Option<Score>,
    /// The kind of bound, if the score is not exact.
    pub bound: Option<Bound>,
    /// The principal variation: the best moves of both players.
    pub pv: Vec<String>,
    /// Free text up to the end of the line.
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
    /// The game is a draw with perfect play by both sides (`cp 0 exact`).
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
