//! Parses the moves that people type.
//!
//! Each game already reads variants of its own codes. This parser accepts more: `b2c3` or `b2 c3` for `b2->c3`, `3 b2`
//! for `3@b2`, `6f` for `F6`, and numbers before moves: `1. e5`, `1. e5 b2; 2. c3`, `1... b2`. For an illegal move, the
//! error lists legal ones. [`blunder_check`] finds moves that lose immediately.

use std::cmp::Ordering;

use kit::{DynHistory, Outcome, Side};
use protocol::text::excerpt;

/// Separators between the two parts of a code.
const JOINTS: [&str; 3] = ["->", "-", "@"];

/// Quotation marks around a move that people copied from a page: `'b2 -> c3'`.
const QUOTES: [char; 9] = [
    '\'', '"', '`', '\u{2018}', '\u{2019}', '\u{201c}', '\u{201d}', '\u{ab}', '\u{bb}',
];

/// The longest list of legal moves in an error message.
const MAX_LISTED: usize = 20;

/// Error of parsing a move.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TypingError {
    /// The text does not have the form of a move. The message says what was expected.
    #[error("{0}")]
    NoMove(String),
    /// The move is illegal.
    #[error("{why}{}", list(legal))]
    Illegal {
        /// The reason.
        why: String,
        /// Legal moves from the same cell, or all of them; empty if they are too many for a message.
        legal: Vec<String>,
    },
}

fn list(legal: &[String]) -> String {
    match legal {
        [] => String::new(),
        legal => format!("; legal: {}", legal.join(" ")),
    }
}

/// Parses one or more moves, each legal after the ones before it. Returns their canonical codes. The moves may have
/// numbers, of plies or of pairs: `1. e5`, `1. e5 b2; 2. c3`, `1... b2`.
pub fn read_moves(board: &dyn DynHistory, text: &str) -> Result<Vec<String>, TypingError> {
    let text = text.trim().trim_matches(QUOTES).trim();
    let read = read_codes(board, text);
    let all = segments(text);
    match (&read, all.as_slice()) {
        (Err(_), [first, rest @ ..]) if first.number.is_some() || !rest.is_empty() => {
            read_segments(board, &all, true)
        }
        _ => read,
    }
}

/// Parses moves with numbers. The first number is that of the next move of the game, or any if `is_continued` is not set.
pub(crate) fn read_segments(
    board: &dyn DynHistory,
    all: &[Segment],
    is_continued: bool,
) -> Result<Vec<String>, TypingError> {
    let mut after = board.fork();
    let mut codes: Vec<String> = Vec::new();
    // The styles that all numbers so far fit.
    let mut styles = Numbering::BOTH.to_vec();
    let (mut first, mut misnumbered) = (None, None);
    for segment in all {
        if let Some(number) = segment.number {
            let first = *first.get_or_insert(number);
            styles.retain(|style| {
                let next = match is_continued {
                    true => style.next(after.as_ref()),
                    false => style.ply(first) + codes.len(),
                };
                style.ply(number) == next
            });
            if !styles.contains(&Numbering::Plies) {
                misnumbered.get_or_insert((number.value, after.ply() + 1));
            }
        }
        for code in read_codes(after.as_ref(), &segment.text)? {
            codes.push(play_code(&mut after, &code)?);
        }
    }
    let is_single = codes.len() == 1 && !all[0].number.is_some_and(|number| number.is_second);
    match misnumbered {
        Some((number, next)) if is_single || styles.is_empty() => {
            let why = check_number(number, next).err();
            let why =
                why.unwrap_or_else(|| format!("move {number} is not one of the side to move"));
            let legal = Vec::new();
            Err(TypingError::Illegal { why, legal })
        }
        _ => Ok(codes),
    }
}

/// Checks that `number` is that of the next move.
///
/// # Errors
/// It is not; the message says which one is.
pub fn check_number(number: usize, next: usize) -> Result<(), String> {
    match number.cmp(&next) {
        Ordering::Less => Err(format!(
            "move {number} was already played: move {next} is next"
        )),
        Ordering::Equal => Ok(()),
        Ordering::Greater => Err(format!("move {number} is too early: move {next} is next")),
    }
}

pub(crate) fn read_codes(board: &dyn DynHistory, text: &str) -> Result<Vec<String>, TypingError> {
    if let Some(code) = find_legal(board, text) {
        return Ok(vec![code]);
    }
    if let Some(code) = find_written(board, text) {
        return play_all(board, &[code.as_str()]);
    }
    match split(board, text) {
        Some(codes) => play_all(board, &codes),
        None => {
            let why = board.read(text).err();
            let why = why.map_or_else(|| "write a move".to_owned(), |why| why.to_string());
            let text = excerpt(text.trim());
            Err(TypingError::NoMove(format!("{text}: {why}")))
        }
    }
}

/// The legal moves that contain a cell or piece, or that consist of the letters and digits of the text.
pub fn moves_at(board: &dyn DynHistory, text: &str) -> Vec<String> {
    let wanted = fold(text);
    let is_at = |code: &String| pieces(code).contains(&wanted) || fold(code) == wanted;
    board.moves().into_iter().filter(is_at).collect()
}

/// The letters and digits of a text, in lower case.
fn fold(text: &str) -> String {
    let folded = text.chars().filter(char::is_ascii_alphanumeric);
    folded.map(|c| c.to_ascii_lowercase()).collect()
}

/// `true` if the text begins or ends with a separator, so that it may be only half a code.
fn is_open(text: &str) -> bool {
    let is_joint = |c: char| !c.is_alphanumeric();
    text.starts_with(is_joint) || text.ends_with(is_joint)
}

fn find_legal(board: &dyn DynHistory, text: &str) -> Option<String> {
    let wanted = fold(text);
    if is_open(text) || wanted.is_empty() {
        return None;
    }
    let flipped = flip(&wanted);
    let mut moves = board.moves().into_iter();
    moves.find(|code| {
        let code = fold(code);
        code == wanted || Some(&code) == flipped.as_ref()
    })
}

/// The canonical code of the move that a text spells, whether legal or not.
fn find_written(board: &dyn DynHistory, text: &str) -> Option<String> {
    if let Ok(code) = board.read(text) {
        return Some(code);
    }
    if is_open(text) {
        return None;
    }
    let parts = pieces(text);
    let joined = JOINTS.iter().map(|joint| parts.join(joint));
    let mut candidates = joined.chain(flip(&fold(text)));
    candidates.find_map(|candidate| board.read(&candidate).ok())
}

/// `f6` for `6f`; `None` for any other form.
fn flip(word: &str) -> Option<String> {
    let letter = word.strip_prefix(|c: char| c.is_ascii_digit())?;
    let letter = letter.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &word[..word.len() - letter.len()];
    (letter.len() == 1).then(|| format!("{letter}{digits}"))
}

/// The cells and numbers of a text: a letter with its digits, or digits alone.
fn pieces(text: &str) -> Vec<String> {
    let mut pieces: Vec<String> = Vec::new();
    let mut is_new = true;
    for c in text.chars() {
        let begins = c.is_ascii_alphabetic() || (c.is_ascii_digit() && is_new);
        match pieces.last_mut() {
            Some(last) if c.is_ascii_digit() && !is_new => last.push(c),
            _ if begins => pieces.push(c.to_ascii_lowercase().to_string()),
            _ => {}
        }
        is_new = !c.is_ascii_alphanumeric();
    }
    pieces
}

/// The codes of a text that contains more than one.
fn split<'a>(board: &dyn DynHistory, text: &'a str) -> Option<Vec<&'a str>> {
    let words = text.split_whitespace();
    let codes: Vec<&str> = words.flat_map(|word| board.split_codes(word)).collect();
    let are_read = codes.len() > 1 && codes.iter().all(|code| board.read(code).is_ok());
    are_read.then_some(codes)
}

fn play_all(board: &dyn DynHistory, codes: &[&str]) -> Result<Vec<String>, TypingError> {
    let mut after = board.fork();
    let play = |code: &&str| play_code(&mut after, code);
    codes.iter().map(play).collect()
}

fn play_code(board: &mut Box<dyn DynHistory>, code: &str) -> Result<String, TypingError> {
    let played = board.play(code);
    played.map_err(|why| illegal(board.as_ref(), code, why.to_string()))
}

/// The error of an illegal move.
fn illegal(board: &dyn DynHistory, code: &str, why: String) -> TypingError {
    let all = board.moves();
    let origin = pieces(code).into_iter().next();
    let begins =
        |other: &&String| pieces(other).len() > 1 && pieces(other).first() == origin.as_ref();
    let kin: Vec<String> = all.iter().filter(begins).cloned().collect();
    let mut legal = if kin.is_empty() { all } else { kin };
    if legal.len() > MAX_LISTED {
        legal.clear();
    }
    TypingError::Illegal { why, legal }
}

/// The number before a move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct MoveNumber {
    pub(crate) value: usize,
    /// `true` for `1...`, after which the second player's move of a pair follows.
    pub(crate) is_second: bool,
}

/// The unit that the numbers of moves count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Numbering {
    Plies,
    Pairs,
}

impl Numbering {
    pub(crate) const BOTH: [Numbering; 2] = [Numbering::Plies, Numbering::Pairs];

    /// The ply that a number means, from 1.
    pub(crate) fn ply(self, number: MoveNumber) -> usize {
        match self {
            Numbering::Plies => number.value,
            Numbering::Pairs => 2 * number.value - usize::from(!number.is_second),
        }
    }

    /// The ply of the next move. A game of pairs in which player 2 begins has no first ply.
    pub(crate) fn next(self, board: &dyn DynHistory) -> usize {
        let next = board.ply() + 1;
        let is_odd = next % 2 == 1;
        match self {
            Numbering::Pairs if is_odd != (board.side() == Side::P1) => next + 1,
            _ => next,
        }
    }
}

/// The moves after a number, up to the next one or a separator.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Segment {
    /// `None` for moves before the first number, and after a comma or semicolon.
    pub(crate) number: Option<MoveNumber>,
    pub(crate) text: String,
}

/// Splits a text at its numbers. Commas and semicolons separate moves.
pub(crate) fn segments(text: &str) -> Vec<Segment> {
    let mut segments: Vec<Segment> = Vec::new();
    for part in text.split([',', ';']) {
        for (index, word) in part.split_whitespace().enumerate() {
            let (number, word) = split_number(word);
            match segments.last_mut() {
                Some(last) if number.is_none() && index > 0 => {
                    last.text.push(' ');
                    last.text.push_str(word);
                }
                _ => segments.push(Segment {
                    number,
                    text: word.to_owned(),
                }),
            }
        }
    }
    for segment in &mut segments {
        segment.text = segment.text.trim().to_owned();
    }
    segments.retain(|segment| !segment.text.is_empty());
    segments
}

/// Splits the number from a word such as `3.`, `3)`, `3:`, `3...` or `3.e5`.
fn split_number(word: &str) -> (Option<MoveNumber>, &str) {
    let rest = word.trim_start_matches(|sign: char| sign.is_ascii_digit());
    let value = word[..word.len() - rest.len()].parse().unwrap_or(0);
    let after = rest.strip_prefix(['.', ')', ':']).unwrap_or(rest);
    let text = after.trim_start_matches('.');
    let is_second = after.starts_with("..");
    // `1.5` is no number of a move, but `1.3@b2` is one with a move of Gobblet!.
    let is_number = !text.starts_with(|sign: char| sign.is_ascii_digit()) || text.contains('@');
    match value > 0 && after.len() < rest.len() && is_number {
        true => (Some(MoveNumber { value, is_second }), text),
        false => (None, word),
    }
}

/// Kind of blunder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Blunder {
    /// The move itself ends the game with a loss.
    Loses,
    /// The opponent has a win in one.
    LetsWin,
}

/// Checks whether a legal move loses immediately. Returns `None` if all other moves do so too.
pub fn blunder_check(board: &dyn DynHistory, code: &str) -> Option<Blunder> {
    let found = loss(board, code)?;
    let is_way_out = |other: &String| other != code && loss(board, other).is_none();
    board.moves().iter().any(is_way_out).then_some(found)
}

fn loss(board: &dyn DynHistory, code: &str) -> Option<Blunder> {
    let opponent = board.side().other();
    let mut after = board.fork();
    after.play(code).ok()?;
    if wins(after.as_ref(), opponent) {
        return Some(Blunder::Loses);
    }
    let lets_win = after.moves().iter().any(|answer| {
        let was_played = after.play(answer).is_ok();
        let is_won = wins(after.as_ref(), opponent);
        if was_played {
            after.undo();
        }
        is_won
    });
    lets_win.then_some(Blunder::LetsWin)
}

fn wins(board: &dyn DynHistory, side: Side) -> bool {
    board.outcome() == Some(Outcome::Win(side))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_split_at_its_numbers() {
        let split = |line: &str| {
            let segments = segments(line).into_iter();
            let shown = segments.map(|Segment { number, text }| match number {
                Some(number) if number.is_second => format!("{}...{text}", number.value),
                Some(number) => format!("{}.{text}", number.value),
                None => text,
            });
            shown.collect::<Vec<_>>().join("|")
        };
        for (line, expected) in [
            (
                "1. pass, b4-b3; 2. pass, c2-e2",
                "1.pass|b4-b3|2.pass|c2-e2",
            ),
            ("1... a5-c3", "1...a5-c3"),
            ("1.e5 b2 2.c3", "1.e5 b2|2.c3"),
            ("1. e5, b2; 2.\tc3 d4", "1.e5|b2|2.c3 d4"),
            ("2) b2 -> c3", "2.b2 -> c3"),
            ("2: 3@b2", "2.3@b2"),
            ("1.3@b2 2.1@a1", "1.3@b2|2.1@a1"),
            ("e5 2. b2", "e5|2.b2"),
            ("0. e5 1.5 inches", "0. e5 1.5 inches"),
            ("1. 2. pass", "2.pass"),
        ] {
            assert_eq!(split(line), expected, "{line}");
        }
    }
}
