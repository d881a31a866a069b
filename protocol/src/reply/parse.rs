//! The grammar of replies. It accepts more than this crate writes, because engines of other authors send more.

use nom::Parser;
use nom::branch::alt;
use nom::character::complete::digit1;
use nom::combinator::{all_consuming, fail, opt, rest, value};
use nom::sequence::preceded;

use super::{Bound, Info, Reply, Score};
use crate::option::parse::option;
use crate::scan::{
    Number, Rest, Scan, choice, end, find, keyword, number, reason, trim, word, words_until,
};
use crate::text::move_codes;
use crate::{Dialect, SyntaxError};

/// The words of `info`. Each ends the list after `pv`.
const INFO_WORDS: [&str; 16] = [
    "depth",
    "seldepth",
    "time",
    "nodes",
    "nps",
    "hashfull",
    "tbhits",
    "multipv",
    "score",
    "cp",
    "mate",
    "exact",
    "lowerbound",
    "upperbound",
    "pv",
    "string",
];

pub(super) fn parse_reply(line: &str) -> Result<Reply, SyntaxError> {
    let trimmed = trim(line);
    match reply(trimmed) {
        Ok((rest, reply)) => end(trimmed, rest).map(|()| reply),
        Err(error) => reason(error).map_or_else(|| Ok(Reply::Text(line.to_owned())), Err),
    }
}

fn reply(input: &str) -> Scan<'_, Reply> {
    alt((
        preceded(keyword("info"), info),
        preceded(keyword("bestmove"), best_move),
        preceded(keyword("response"), rest.map(str::to_owned)).map(Reply::Response),
        value(Reply::ReadyOk, keyword("readyok")),
        preceded(keyword("id"), id),
        preceded(keyword("option"), option).map(Reply::Option),
        value(Reply::HandshakeOk(Dialect::Ugi), keyword("ugiok")),
        value(Reply::HandshakeOk(Dialect::Uci), keyword("uciok")),
        value(Reply::HandshakeOk(Dialect::Uai), keyword("uaiok")),
        perft_line,
    ))
    .parse(input)
}

fn id(input: &str) -> Scan<'_, Reply> {
    let (text, word) = choice(input, "id", &["name", "author"], "name or author")?;
    let reply = if word == "name" {
        Reply::IdName
    } else {
        Reply::IdAuthor
    };
    Ok(("", reply(text.to_owned())))
}

/// `MOVE [ponder MOVE]`; the second move may be missing. Two words that do not form a single move are an error, because
/// half of a slide could be taken for a placement.
fn best_move(input: &str) -> Scan<'_, Reply> {
    let (rest, words) = words_until(input, &["ponder"]);
    let mv = single_code(words)?.ok_or(SyntaxError::Missing {
        after: "bestmove",
        expected: "a move",
    })?;
    let (rest, _) = opt(keyword("ponder")).parse(rest)?;
    let (rest, words) = words_until(rest, &[]);
    let ponder = single_code(words)?;
    Ok((rest, Reply::BestMove { mv, ponder }))
}

fn single_code(words: Vec<&str>) -> Result<Option<String>, SyntaxError> {
    let mut codes = move_codes(words);
    match codes.as_slice() {
        [first, second, ..] => Err(SyntaxError::surplus(second, first)),
        _ => Ok(codes.pop()),
    }
}

fn info(input: &str) -> Scan<'_, Reply> {
    if let Ok((text, _)) = keyword("error").parse(input) {
        return Ok(("", Reply::Error(text.to_owned())));
    }
    let mut info = Info::default();
    let mut rest = input;
    while let Ok((next, word)) = word(rest) {
        rest = match find(&INFO_WORDS, word) {
            Some(known) => field(&mut info, known, next)?,
            None => next,
        };
    }
    Ok((rest, Reply::Info(info)))
}

/// Reads one field into `info`: `word`, and its arguments from `rest`. Returns the remaining input. If a field occurs
/// twice, the last one counts.
fn field<'a>(info: &mut Info, word: &'static str, rest: &'a str) -> Rest<'a> {
    match word {
        "depth" => set(&mut info.depth, word, rest),
        "seldepth" => set(&mut info.seldepth, word, rest),
        "time" => set(&mut info.time, word, rest),
        "nodes" => set(&mut info.nodes, word, rest),
        "nps" => set(&mut info.nps, word, rest),
        "hashfull" => set(&mut info.hashfull, word, rest),
        "tbhits" => set(&mut info.tb_hits, word, rest),
        "multipv" => set(&mut info.multipv, word, rest),
        "cp" => score(&mut info.score, Score::Cp, word, rest),
        "mate" => score(&mut info.score, Score::Mate, word, rest),
        "exact" => {
            // For other scores, `exact` adds nothing.
            if info.score == Some(Score::Cp(0)) {
                info.score = Some(Score::Draw);
            }
            Ok(rest)
        }
        "lowerbound" => keep(&mut info.bound, Bound::Lower, rest),
        "upperbound" => keep(&mut info.bound, Bound::Upper, rest),
        "pv" => {
            let (rest, words) = words_until(rest, &INFO_WORDS);
            info.pv = move_codes(words);
            Ok(rest)
        }
        "string" => keep(&mut info.string, rest.to_owned(), ""),
        // `score` only announces `cp` and `mate`.
        _ => Ok(rest),
    }
}

fn set<'a, T: Number>(slot: &mut Option<T>, word: &'static str, rest: &'a str) -> Rest<'a> {
    let (rest, number) = number(rest, word)?;
    keep(slot, number, rest)
}

fn score<'a>(
    slot: &mut Option<Score>,
    kind: fn(i32) -> Score,
    word: &'static str,
    rest: &'a str,
) -> Rest<'a> {
    let (rest, number) = number(rest, word)?;
    keep(slot, kind(number), rest)
}

fn keep<'a, T>(slot: &mut Option<T>, value: T, rest: &'a str) -> Rest<'a> {
    *slot = Some(value);
    Ok(rest)
}

/// `MOVE: COUNT` or `nodes COUNT`. Any other line is free text, even if it begins in the same way.
fn perft_line(input: &str) -> Scan<'_, Reply> {
    let (count, first) = word(input)?;
    all_consuming(digit1).parse(count)?;
    match first.strip_suffix(':') {
        Some("") => fail().parse(input),
        Some(mv) => {
            let (rest, nodes) = number(count, "the move")?;
            let mv = mv.to_owned();
            Ok((rest, Reply::Divide { mv, nodes }))
        }
        None => preceded(keyword("nodes"), |count| number(count, "nodes"))
            .map(Reply::PerftTotal)
            .parse(input),
    }
}
