//! Lines from an engine: one [`Reply`] each, with its grammar and its text. The grammar accepts more than this crate
//! writes, because engines of other authors send more.

use std::fmt::{self, Write};
use std::time::Duration;

use crate::text::{OneLine, are_joined, move_codes};
use crate::words::{Field, Words, find, is, write_text};
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
        let mut words = Words::new(line);
        let first = words.next();
        let Some(form) = first.and_then(|word| find(&FORMS, |form| form.0, word)) else {
            let count = Reply::parse_count(Words::new(line)).transpose()?;
            return Ok(count.unwrap_or_else(|| Reply::Text(line.to_owned())));
        };
        let reply = FORMS[form].1(&mut words)?;
        words.end().map(|()| reply)
    }

    /// `MOVE: COUNT` or `nodes COUNT`. Any other line is free text, even if it begins in the same way.
    fn parse_count(mut words: Words<'_>) -> Option<Result<Reply, SyntaxError>> {
        let first = words.next()?;
        let count = words.next()?;
        let is_count = count.bytes().all(|byte| byte.is_ascii_digit()) && words.next().is_none();
        let mut count = is_count.then(|| Words::new(count))?;
        match first.strip_suffix(':') {
            Some(mv) if !mv.is_empty() => {
                let mv = mv.to_owned();
                let nodes = count.number("the move");
                Some(nodes.map(|nodes| Reply::Divide { mv, nodes }))
            }
            None if is("nodes")(first) => Some(count.number("nodes").map(Reply::PerftTotal)),
            _ => None,
        }
    }
}

/// The text is the same in all dialects.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let out = &mut OneLine(f);
        match self {
            Reply::IdName(text) => write_text(out, "id name", text),
            Reply::IdAuthor(text) => write_text(out, "id author", text),
            Reply::Option(decl) => write!(out, "option {decl}"),
            Reply::HandshakeOk(dialect) => out.write_str(dialect.handshake_ok()),
            Reply::ReadyOk => out.write_str("readyok"),
            Reply::Response(text) => write_text(out, "response", text),
            Reply::Info(info) => info.write(out),
            Reply::Error(text) => write_text(out, "info error", text),
            Reply::BestMove { mv, ponder } => {
                write!(out, "bestmove {mv}")?;
                ponder.iter().try_for_each(|mv| write!(out, " ponder {mv}"))
            }
            Reply::Divide { mv, nodes } => write!(out, "{mv}: {nodes}"),
            Reply::PerftTotal(nodes) => write!(out, "nodes {nodes}"),
            Reply::Text(text) => out.write_str(text),
        }
    }
}

/// Reads what follows the first word of a reply.
type Read = fn(&mut Words<'_>) -> Result<Reply, SyntaxError>;

/// The first word of each reply, except of the counts of a perft.
static FORMS: [(&str, Read); 9] = [
    ("info", |words| match words.take("error") {
        true => Ok(Reply::Error(words.rest().to_owned())),
        false => Info::parse(words).map(Reply::Info),
    }),
    ("bestmove", best_move),
    ("response", |words| {
        Ok(Reply::Response(words.rest().to_owned()))
    }),
    ("readyok", |_| Ok(Reply::ReadyOk)),
    ("id", |words| {
        match words.choice("id", &["name", "author"])? {
            "name" => Ok(Reply::IdName(words.rest().to_owned())),
            _ => Ok(Reply::IdAuthor(words.rest().to_owned())),
        }
    }),
    ("option", |words| {
        OptionDecl::parse(words).map(Reply::Option)
    }),
    ("ugiok", |_| Ok(Reply::HandshakeOk(Dialect::Ugi))),
    ("uciok", |_| Ok(Reply::HandshakeOk(Dialect::Uci))),
    ("uaiok", |_| Ok(Reply::HandshakeOk(Dialect::Uai))),
];

/// `MOVE [ponder MOVE]`; the second move may be missing. Two words that do not form a single move are an error, because
/// half of a slide could be taken for a placement.
fn best_move(words: &mut Words<'_>) -> Result<Reply, SyntaxError> {
    let mv = single_code(words.until(is("ponder")))?;
    let mv = mv.ok_or_else(|| SyntaxError::missing("bestmove", "a move"))?;
    words.take("ponder");
    let ponder = single_code(words.until(|_| false))?;
    Ok(Reply::BestMove { mv, ponder })
}

fn single_code<'a>(
    mut words: impl Iterator<Item = &'a str>,
) -> Result<Option<String>, SyntaxError> {
    let Some(first) = words.next() else {
        return Ok(None);
    };
    let mut code = first.to_owned();
    while let Some(word) = words.next() {
        if !are_joined(&code, word) {
            let others = move_codes(std::iter::once(word).chain(words));
            return Err(SyntaxError::surplus(&others[0], &code));
        }
        code.push_str(word);
    }
    Ok(Some(code))
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

/// A field of `info`: its word and its place.
type InfoField = (&'static str, fn(&mut Info) -> &mut dyn Field);

/// The fields of `info` except the score and the string, in the order in which they are written. The first
/// [`BEFORE_SCORE`] come before the score.
static FIELDS: [InfoField; 9] = [
    ("depth", |info| &mut info.depth),
    ("seldepth", |info| &mut info.seldepth),
    ("multipv", |info| &mut info.multipv),
    ("hashfull", |info| &mut info.hashfull),
    ("tbhits", |info| &mut info.tb_hits),
    ("nodes", |info| &mut info.nodes),
    ("nps", |info| &mut info.nps),
    ("time", |info| &mut info.time),
    ("pv", |info| &mut info.pv),
];

const BEFORE_SCORE: usize = 3;

/// The words of a score, and the last field. `score` only announces the others.
const SCORE_WORDS: [&str; 7] = [
    "score",
    "cp",
    "mate",
    "exact",
    "lowerbound",
    "upperbound",
    "string",
];

impl Info {
    /// Parses the fields up to the end of the line. If one occurs twice, the last one counts.
    fn parse(words: &mut Words<'_>) -> Result<Info, SyntaxError> {
        let field = |word: &str| find(&FIELDS, |field| field.0, word);
        let other = |word: &str| find(&SCORE_WORDS, |word| word, word);
        words.ends_list = |word| {
            find(&FIELDS, |field| field.0, word).is_some()
                || find(&SCORE_WORDS, |word| word, word).is_some()
        };
        let mut info = Info::default();
        while let Some(word) = words.next() {
            if let Some((word, field)) = field(word).map(|index| FIELDS[index]) {
                field(&mut info).read(words, word)?;
                continue;
            }
            match other(word).map_or("", |index| SCORE_WORDS[index]) {
                "cp" => info.score = Some(Score::Cp(words.number("cp")?)),
                "mate" => info.score = Some(Score::Mate(words.number("mate")?)),
                // For other scores, `exact` adds nothing.
                "exact" if info.score == Some(Score::Cp(0)) => info.score = Some(Score::Draw),
                "lowerbound" => info.bound = Some(Bound::Lower),
                "upperbound" => info.bound = Some(Bound::Upper),
                "string" => info.string = Some(words.rest().to_owned()),
                _ => {}
            }
        }
        Ok(info)
    }

    fn write(&self, out: &mut impl Write) -> fmt::Result {
        let mut info = self.clone();
        out.write_str("info")?;
        for (index, (word, field)) in FIELDS.iter().enumerate() {
            if index == BEFORE_SCORE {
                self.write_score(out)?;
            }
            field(&mut info).write(out, word)?;
        }
        match &self.string {
            Some(text) => write_text(out, " string", text),
            None => Ok(()),
        }
    }

    fn write_score(&self, out: &mut impl Write) -> fmt::Result {
        match self.score {
            Some(Score::Cp(points)) => write!(out, " score cp {points}")?,
            Some(Score::Mate(distance)) => write!(out, " score mate {distance}")?,
            Some(Score::Draw) => out.write_str(" score cp 0 exact")?,
            None => {}
        }
        match self.bound {
            Some(Bound::Lower) => out.write_str(" lowerbound"),
            Some(Bound::Upper) => out.write_str(" upperbound"),
            None => Ok(()),
        }
    }
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
