//! What a person types, as move codes.
//!
//! The games read their own codes liberally; this reads what else a person would type, `b2c3` or `b2 c3` for
//! `b2->c3`, `3 b2` for `3@b2`, `6f` for `F6`, and says of a move that is not legal what would be.

use std::fmt;

use kit::DynHistory;
use protocol::text::excerpt;

/// What stands between the two halves of a code.
const JOINTS: [&str; 3] = ["->", "-", "@"];

/// The most legal moves that a refusal lists.
const MAX_LISTED: usize = 20;

/// Why a text is no move here.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TypingError {
    /// It is not written like a move of this game; what was expected.
    NoMove(String),
    /// It is a move, and not legal; why, and what is.
    Illegal(String),
}

impl fmt::Display for TypingError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TypingError::NoMove(why) | TypingError::Illegal(why) => f.write_str(why),
        }
    }
}

/// The canonical codes of the moves that a text means, in turn: mostly one. All of them are legal. The number of a move
/// in front of it is passed over, as in `1. e5`.
pub fn read_moves(board: &dyn DynHistory, text: &str) -> Result<Vec<String>, TypingError> {
    match (read_codes(board, text), without_number(text)) {
        (Err(TypingError::NoMove(_)), Some(text)) => read_codes(board, text),
        (read, _) => read,
    }
}

fn read_codes(board: &dyn DynHistory, text: &str) -> Result<Vec<String>, TypingError> {
    if let Some(code) = find_legal(board, text) {
        return Ok(vec![code]);
    }
    let code = find_written(board, text);
    if let (None, Some(codes)) = (&code, split(board, text)) {
        return play_all(board, &codes);
    }
    match code {
        Some(code) => play_all(board, &[code.as_str()]),
        None => Err(not_a_move(board, text)),
    }
}

/// A text without the number of its move in front, where it has one.
fn without_number(text: &str) -> Option<&str> {
    let text = text.trim_start();
    let rest = text.trim_start_matches(|c: char| c.is_ascii_digit());
    let code = rest.trim_start_matches('.');
    let has_number = rest.len() < text.len() && code.len() < rest.len();
    has_number.then(|| code.trim_start())
}

/// The moves that begin or end on a square or with a piece, or all that a text's letters and digits occur in.
pub fn moves_at(board: &dyn DynHistory, text: &str) -> Vec<String> {
    let wanted = fold(text);
    let is_at = |code: &String| pieces(code).contains(&wanted) || fold(code) == wanted;
    board.moves().into_iter().filter(is_at).collect()
}

/// Letters and digits alone.
fn fold(text: &str) -> String {
    let folded = text.chars().filter(char::is_ascii_alphanumeric);
    folded.map(|c| c.to_ascii_lowercase()).collect()
}

/// A code that has lost its joint may still be only half a code.
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

/// A legal or illegal move that a text spells, canonically.
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

/// `f6` for `6f`.
fn flip(word: &str) -> Option<String> {
    let letter = word.strip_prefix(|c: char| c.is_ascii_digit())?;
    let letter = letter.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = &word[..word.len() - letter.len()];
    (letter.len() == 1).then(|| format!("{letter}{digits}"))
}

/// The cells and numbers in a text: a letter with its digits, or digits alone.
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

/// The codes of a text that holds several.
fn split<'a>(board: &dyn DynHistory, text: &'a str) -> Option<Vec<&'a str>> {
    let codes: Vec<&str> = text
        .split_whitespace()
        .flat_map(|word| board.split_codes(word))
        .collect();
    let are_read = codes.len() > 1 && codes.iter().all(|code| board.read(code).is_ok());
    are_read.then_some(codes)
}

fn play_all(board: &dyn DynHistory, codes: &[&str]) -> Result<Vec<String>, TypingError> {
    let mut after = board.fork();
    codes
        .iter()
        .map(|code| {
            let played = after.play(code);
            played.map_err(|why| {
                TypingError::Illegal(format!("{why}{}", legal(after.as_ref(), code)))
            })
        })
        .collect()
}

fn not_a_move(board: &dyn DynHistory, text: &str) -> TypingError {
    let why = board.read(text).err();
    let why = why.map_or_else(|| "expected a move".to_owned(), |why| why.to_string());
    TypingError::NoMove(format!("{}: {why}", excerpt(text.trim())))
}

/// What would be legal instead: from the same square, or of all moves where they are few.
fn legal(board: &dyn DynHistory, code: &str) -> String {
    let all = board.moves();
    let origin = pieces(code).into_iter().next();
    let begins =
        |other: &&String| pieces(other).len() > 1 && pieces(other).first() == origin.as_ref();
    let kin: Vec<&String> = all.iter().filter(begins).collect();
    let listed = if kin.is_empty() {
        all.iter().collect()
    } else {
        kin
    };
    if listed.is_empty() {
        return String::new();
    }
    if listed.len() > MAX_LISTED {
        return format!("; {} moves are legal: moves lists them", all.len());
    }
    let listed: Vec<&str> = listed.into_iter().map(String::as_str).collect();
    format!("; legal: {}", listed.join(" "))
}
