//! Formatting of replies as lines, which are the same in both dialects.

use std::fmt::{self, Write};

use super::{Bound, Info, Reply, Score};
use crate::text::OneLine;

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_reply(&mut OneLine(f), self)
    }
}

fn write_reply(out: &mut impl Write, reply: &Reply) -> fmt::Result {
    match reply {
        Reply::IdName(text) => write_text(out, "id name", text),
        Reply::IdAuthor(text) => write_text(out, "id author", text),
        Reply::Option(decl) => write!(out, "option {decl}"),
        Reply::HandshakeOk(dialect) => out.write_str(dialect.handshake_ok()),
        Reply::ReadyOk => out.write_str("readyok"),
        Reply::Response(text) => write_text(out, "response", text),
        Reply::Info(info) => write_info(out, info),
        Reply::Error(text) => write_text(out, "info error", text),
        Reply::BestMove { mv, ponder: None } => write!(out, "bestmove {mv}"),
        Reply::BestMove {
            mv,
            ponder: Some(ponder),
        } => write!(out, "bestmove {mv} ponder {ponder}"),
        Reply::Divide { mv, nodes } => write!(out, "{mv}: {nodes}"),
        Reply::PerftTotal(nodes) => write!(out, "nodes {nodes}"),
        Reply::Text(text) => out.write_str(text),
    }
}

/// Writes no trailing blank if the text is empty, since clients may compare whole lines.
fn write_text(out: &mut impl Write, word: &str, text: &str) -> fmt::Result {
    out.write_str(word)?;
    match text {
        "" => Ok(()),
        text => write!(out, " {text}"),
    }
}

fn write_info(out: &mut impl Write, info: &Info) -> fmt::Result {
    out.write_str("info")?;
    write_field(out, "depth", info.depth)?;
    write_field(out, "seldepth", info.seldepth)?;
    write_field(out, "multipv", info.multipv)?;
    match info.score {
        Some(Score::Cp(points)) => write!(out, " score cp {points}")?,
        Some(Score::Mate(distance)) => write!(out, " score mate {distance}")?,
        Some(Score::Draw) => out.write_str(" score cp 0 exact")?,
        None => {}
    }
    match info.bound {
        Some(Bound::Lower) => out.write_str(" lowerbound")?,
        Some(Bound::Upper) => out.write_str(" upperbound")?,
        None => {}
    }
    write_field(out, "hashfull", info.hashfull)?;
    write_field(out, "tbhits", info.tb_hits)?;
    write_field(out, "nodes", info.nodes)?;
    write_field(out, "nps", info.nps)?;
    write_field(out, "time", info.time.map(|time| time.as_millis()))?;
    if !info.pv.is_empty() {
        out.write_str(" pv")?;
    }
    info.pv.iter().try_for_each(|code| write!(out, " {code}"))?;
    match &info.string {
        Some(text) => write_text(out, " string", text),
        None => Ok(()),
    }
}

fn write_field(out: &mut impl Write, word: &str, value: Option<impl fmt::Display>) -> fmt::Result {
    match value {
        Some(value) => write!(out, " {word} {value}"),
        None => Ok(()),
    }
}
