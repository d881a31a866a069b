//! Words of a line, and excerpts of them for errors.

use std::fmt;

/// Maximum length of an excerpt in characters.
const EXCERPT: usize = 80;

/// Signs within a move code that may have blanks around them.
const JOINTS: [&str; 3] = ["->", "-", "@"];

/// Returns at most 80 characters of a word from another program, made printable for an error of one line.
pub fn excerpt(word: &str) -> String {
    let clean = |c: char| if is_printable(c) { c } else { '?' };
    let mut text: String = word.chars().take(EXCERPT).map(clean).collect();
    if word.chars().nth(EXCERPT).is_some() {
        text.truncate(text.char_indices().nth(EXCERPT - 3).map_or(0, |(at, _)| at));
        text.push_str("...");
    }
    text
}

/// Removes the error numbers that the standard library appends to system errors: `File exists`, not `File exists (os
/// error 17)`.
pub fn without_error_number(text: &str) -> String {
    const BEGINNING: &str = " (os error ";
    let mut parts = text.split(BEGINNING);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.split_once(')') {
            Some((number, rest)) if number.parse::<i32>().is_ok() => plain.push_str(rest),
            _ => {
                plain.push_str(BEGINNING);
                plain.push_str(part);
            }
        }
    }
    plain
}

/// `true` if a terminal shows the character as itself. The three that only a string literal must escape count as
/// printable.
fn is_printable(c: char) -> bool {
    matches!(c, '"' | '\'' | '\\') || c.escape_debug().len() == 1
}

/// `true` if the character separates words: ASCII white space or NUL.
pub(crate) fn is_blank(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, '\0' | '\u{b}')
}

/// Joins words by single blanks.
pub(crate) fn single_spaced<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for word in words {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(word);
    }
    text
}

/// Joins words to move codes. A word that begins or ends with a joint is joined to its neighbour, so that `b2 -> c3` is
/// the single code `b2->c3`.
pub(crate) fn move_codes<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    for word in words {
        match codes.last_mut() {
            Some(last) if ends_open(last) || begins_open(word) => last.push_str(word),
            _ => codes.push(word.to_owned()),
        }
    }
    codes
}

fn begins_open(word: &str) -> bool {
    JOINTS.iter().any(|joint| word.starts_with(joint))
}

fn ends_open(word: &str) -> bool {
    JOINTS.iter().any(|joint| word.ends_with(joint))
}

/// A writer that replaces line breaks and NULs by blanks, to keep the text on one line.
pub(crate) struct OneLine<'a, W>(pub(crate) &'a mut W);

impl<W: fmt::Write> fmt::Write for OneLine<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut pieces = text.split(['\n', '\r', '\0']);
        self.0.write_str(pieces.next().unwrap_or_default())?;
        pieces.try_for_each(|piece| {
            self.0.write_char(' ')?;
            self.0.write_str(piece)
        })
    }
}
