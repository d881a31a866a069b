//! The grammar of commands.

use nom::Parser;
use nom::branch::alt;
use nom::combinator::{opt, value};
use nom::sequence::preceded;

use super::{Base, Command, Dialect, Go, Parsed, Query};
use crate::SyntaxError;
use crate::scan::{
    Number, Rest, Scan, choice, end, find, keyword, number, option_name, reason, trim,
    unless_empty, word, words_until,
};
use crate::text::{excerpt, move_codes, single_spaced};

/// The words of `go` in both dialects. Each ends the list after `searchmoves`.
const GO_WORDS: [&str; 17] = [
    "p1time",
    "p2time",
    "p1inc",
    "p2inc",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "movetime",
    "depth",
    "nodes",
    "mate",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
];

pub(super) fn parse_command(line: &str) -> Result<Parsed, SyntaxError> {
    let line = trim(line);
    let Ok((_, first)) = word(line) else {
        return Ok(Parsed {
            command: Command::Blank,
            surplus: None,
        });
    };
    let unknown = || SyntaxError::UnknownCommand {
        word: excerpt(first),
    };
    let (rest, command) = command(line).map_err(|error| reason(error).unwrap_or_else(unknown))?;
    let surplus = end(line, rest).err();
    Ok(Parsed { command, surplus })
}

fn command(input: &str) -> Scan<'_, Command> {
    alt((
        preceded(keyword("go"), go),
        preceded(keyword("position"), position),
        preceded(keyword("setoption"), set_option),
        preceded(keyword("query"), query).map(Command::Query),
        preceded(keyword("debug"), debug).map(Command::Debug),
        preceded(keyword("d"), display),
        value(Command::Handshake(Dialect::Ugi), keyword("ugi")),
        value(Command::Handshake(Dialect::Uci), keyword("uci")),
        value(Command::IsReady, keyword("isready")),
        value(Command::NewGame, keyword("uginewgame")),
        value(Command::NewGame, keyword("ucinewgame")),
        value(Command::Stop, keyword("stop")),
        value(Command::PonderHit, keyword("ponderhit")),
        value(Command::Quit, keyword("quit")),
    ))
    .parse(input)
}

fn debug(input: &str) -> Scan<'_, bool> {
    let (rest, word) = choice(input, "debug", &["on", "off"], "on or off")?;
    Ok((rest, word == "on"))
}

fn query(input: &str) -> Scan<'_, Query> {
    let words = Query::ALL.map(Query::word);
    let expected = "p1turn, gameover, result, moves, fen, game, about or diagram";
    let (rest, word) = choice(input, "query", &words, expected)?;
    let query = Query::ALL.into_iter().find(|query| query.word() == word);
    Ok((
        rest,
        query.expect("the choice is between the words of all queries"),
    ))
}

fn display(input: &str) -> Scan<'_, Command> {
    let (rest, style) = opt(word).parse(input)?;
    let style = style.map(str::to_owned);
    Ok((rest, Command::Display { style }))
}

/// `name NAME [value VALUE]`. The value is the unchanged rest of the line.
fn set_option(input: &str) -> Scan<'_, Command> {
    let (rest, name) = option_name(input, "setoption", "value")?;
    let value = keyword("value").parse(rest).ok();
    let value = value.map(|(text, _)| unless_empty(text).to_owned());
    Ok(("", Command::SetOption { name, value }))
}

/// `startpos|fen … [moves …]`. The number of fields in a position string depends on the game, so it consists of all
/// words up to `moves`.
fn position(input: &str) -> Scan<'_, Command> {
    let (rest, word) = choice(input, "position", &["startpos", "fen"], "startpos or fen")?;
    let (rest, base) = match word {
        "startpos" => (rest, Base::Start),
        _ => fen(rest)?,
    };
    let (rest, moves) = moves(rest)?;
    Ok((rest, Command::Position { base, moves }))
}

fn fen(input: &str) -> Scan<'_, Base> {
    let (rest, words) = words_until(input, &["moves"]);
    if words.is_empty() {
        let (after, expected) = ("fen", "a position string");
        return Err(SyntaxError::Missing { after, expected }.into());
    }
    Ok((rest, Base::Fen(single_spaced(words))))
}

/// Nothing, or `moves` followed by any number of codes up to the end of the line.
fn moves(input: &str) -> Scan<'_, Vec<String>> {
    if input.is_empty() {
        return Ok((input, Vec::new()));
    }
    let (rest, _) = choice(
        input,
        "startpos",
        &["moves"],
        "moves or the end of the line",
    )?;
    let (rest, words) = words_until(rest, &[]);
    Ok((rest, move_codes(words)))
}

fn go(input: &str) -> Scan<'_, Command> {
    alt((preceded(keyword("perft"), perft), limits.map(Command::Go))).parse(input)
}

fn perft(input: &str) -> Scan<'_, Command> {
    let (rest, depth) = number(input, "perft")?;
    match word(rest) {
        Ok((_, word)) => {
            let expected = "one depth and the end of the line";
            Err(SyntaxError::unexpected(word, "go perft", expected).into())
        }
        Err(_) => Ok((rest, Command::Perft(depth))),
    }
}

fn limits(input: &str) -> Scan<'_, Go> {
    let mut go = Go::default();
    let mut rest = input;
    while let Ok((next, word)) = word(rest) {
        rest = limit(&mut go, word, next)?;
    }
    Ok((rest, go))
}

/// Reads one limit into `go`: `word`, and its arguments from `rest`. Returns the remaining input.
fn limit<'a>(go: &mut Go, word: &'a str, rest: &'a str) -> Rest<'a> {
    let known = find(&GO_WORDS, word).ok_or_else(|| {
        SyntaxError::unexpected(word, "go", "a limit such as movetime, depth or nodes")
    })?;
    match known {
        "p1time" | "wtime" => set(&mut go.p1_time, known, rest),
        "p2time" | "btime" => set(&mut go.p2_time, known, rest),
        "p1inc" | "winc" => set(&mut go.p1_inc, known, rest),
        "p2inc" | "binc" => set(&mut go.p2_inc, known, rest),
        "movestogo" => set(&mut go.moves_to_go, known, rest),
        "movetime" => set(&mut go.move_time, known, rest),
        "depth" => set(&mut go.depth, known, rest),
        "nodes" => set(&mut go.nodes, known, rest),
        "mate" => set(&mut go.mate, known, rest),
        "infinite" => raise(&mut go.infinite, known, rest),
        "ponder" => raise(&mut go.ponder, known, rest),
        "searchmoves" => search_moves(&mut go.search_moves, rest),
        _ => Err(SyntaxError::unexpected(word, "go", "perft alone").into()),
    }
}

/// A limit with a number.
fn set<'a, T: Number>(slot: &mut Option<T>, word: &'static str, rest: &'a str) -> Rest<'a> {
    let (rest, number) = number(rest, word)?;
    once(slot.is_some(), word)?;
    *slot = Some(number);
    Ok(rest)
}

/// A limit without a number.
fn raise<'a>(flag: &mut bool, word: &'static str, rest: &'a str) -> Rest<'a> {
    once(*flag, word)?;
    *flag = true;
    Ok(rest)
}

fn search_moves<'a>(moves: &mut Vec<String>, rest: &'a str) -> Rest<'a> {
    let (rest, words) = words_until(rest, &GO_WORDS);
    if words.is_empty() {
        let (after, expected) = ("searchmoves", "a move");
        return Err(SyntaxError::Missing { after, expected }.into());
    }
    once(!moves.is_empty(), "searchmoves")?;
    *moves = move_codes(words);
    Ok(rest)
}

fn once(is_set: bool, word: &'static str) -> Result<(), SyntaxError> {
    match is_set {
        true => Err(SyntaxError::Repeated { word }),
        false => Ok(()),
    }
}
