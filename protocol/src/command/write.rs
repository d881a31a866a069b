//! Formatting of commands as lines.

use std::fmt::{self, Write};
use std::time::Duration;

use super::{Base, Command, Dialect, Go};
use crate::text::OneLine;

/// A command to be formatted as a line of a dialect.
pub(super) struct InDialect<'a> {
    pub(super) command: &'a Command,
    pub(super) dialect: Dialect,
}

impl fmt::Display for InDialect<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_command(&mut OneLine(f), self.command, self.dialect)
    }
}

fn write_command(out: &mut impl Write, command: &Command, dialect: Dialect) -> fmt::Result {
    match command {
        Command::Blank => Ok(()),
        Command::Handshake(Dialect::Ugi) => out.write_str("ugi"),
        Command::Handshake(Dialect::Uci) => out.write_str("uci"),
        Command::Handshake(Dialect::Uai) => out.write_str("uai"),
        Command::Debug(true) => out.write_str("debug on"),
        Command::Debug(false) => out.write_str("debug off"),
        Command::IsReady => out.write_str("isready"),
        Command::SetOption { name, value } => write_set_option(out, name, value.as_deref()),
        Command::NewGame => out.write_str(match dialect {
            Dialect::Ugi => "uginewgame",
            Dialect::Uci => "ucinewgame",
            Dialect::Uai => "uainewgame",
        }),
        Command::Position { base, moves } => write_position(out, base, moves),
        Command::Go(go) => write_go(out, go, dialect),
        Command::Perft(depth) => write!(out, "go perft {depth}"),
        Command::Stop => out.write_str("stop"),
        Command::PonderHit => out.write_str("ponderhit"),
        Command::Query(query) => write!(out, "query {}", query.word()),
        Command::Display { style: None } => out.write_str("d"),
        Command::Display { style: Some(style) } => write!(out, "d {style}"),
        Command::Quit => out.write_str("quit"),
    }
}

fn write_set_option(out: &mut impl Write, name: &str, value: Option<&str>) -> fmt::Result {
    write!(out, "setoption name {name}")?;
    match value {
        None => Ok(()),
        Some("") => out.write_str(" value <empty>"),
        Some(value) => write!(out, " value {value}"),
    }
}

fn write_position(out: &mut impl Write, base: &Base, moves: &[String]) -> fmt::Result {
    match base {
        Base::Start => out.write_str("position startpos")?,
        Base::Fen(text) => write!(out, "position fen {text}")?,
    }
    write_list(out, "moves", moves)
}

fn write_go(out: &mut impl Write, go: &Go, dialect: Dialect) -> fmt::Result {
    let clock = match dialect {
        Dialect::Ugi => ["p1time", "p2time", "p1inc", "p2inc"],
        Dialect::Uci => ["wtime", "btime", "winc", "binc"],
        Dialect::Uai => ["btime", "wtime", "binc", "winc"],
    };
    let millis = |time: Option<Duration>| time.map(|time| time.as_millis());
    out.write_str("go")?;
    write_flag(out, "ponder", go.ponder)?;
    write_limit(out, clock[0], millis(go.p1_time))?;
    write_limit(out, clock[1], millis(go.p2_time))?;
    write_limit(out, clock[2], millis(go.p1_inc))?;
    write_limit(out, clock[3], millis(go.p2_inc))?;
    write_limit(out, "movestogo", go.moves_to_go)?;
    write_limit(out, "movetime", millis(go.move_time))?;
    write_limit(out, "depth", go.depth)?;
    write_limit(out, "nodes", go.nodes)?;
    write_limit(out, "mate", go.mate)?;
    write_flag(out, "infinite", go.infinite)?;
    // This list comes last, because some engines read everything after it as moves.
    write_list(out, "searchmoves", &go.search_moves)
}

fn write_flag(out: &mut impl Write, word: &str, is_set: bool) -> fmt::Result {
    match is_set {
        true => write!(out, " {word}"),
        false => Ok(()),
    }
}

fn write_limit(out: &mut impl Write, word: &str, limit: Option<impl fmt::Display>) -> fmt::Result {
    match limit {
        Some(limit) => write!(out, " {word} {limit}"),
        None => Ok(()),
    }
}

/// Writes the word and the codes after it; nothing for an empty list.
fn write_list(out: &mut impl Write, word: &str, codes: &[String]) -> fmt::Result {
    if !codes.is_empty() {
        write!(out, " {word}")?;
    }
    codes.iter().try_for_each(|code| write!(out, " {code}"))
}
