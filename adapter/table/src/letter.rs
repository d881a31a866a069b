//! The lines of an e-mail: 7-bit characters, at most [`WIDTH`] columns.
//!
//! A longer header ends with a backslash and continues on the next line. A name that is not plain text is written in
//! quotation marks, with PGN's escapes. Folded text never continues with a digit, which would be read as a move number.

use kit::{DynHistory, Room, View};
use record::pgn::{quote, unescape};

/// Maximum line length. Even quoted twice, a line fits 80 columns.
pub const WIDTH: usize = 76;

/// Marks a header that continues on the next line.
const GOES_ON: char = '\\';

/// The board within [`WIDTH`] columns; a wider board is clipped to the part around the last move.
pub fn board(board: &dyn DynHistory) -> String {
    let view = View {
        is_ascii: true,
        ..View::default()
    };
    let whole = board.draw(view);
    if whole.lines().all(|line| line.len() <= WIDTH) {
        return whole;
    }
    let room = Room {
        columns: WIDTH,
        lines: usize::MAX,
        shows: "",
    };
    board.draw(View {
        room: Some(room),
        ..view
    })
}

/// A name in the form used in a header.
pub(super) fn quoted(name: &str) -> String {
    let is_plain = |c: char| c.is_ascii_graphic() && !matches!(c, '"' | GOES_ON) || c == ' ';
    if name.chars().all(is_plain) && name.trim() == name {
        name.to_owned()
    } else {
        ascii(&quote(name))
    }
}

/// The name that a header contains, without quotation marks and escapes.
pub(super) fn unquoted(text: &str) -> String {
    let inner = text.strip_prefix('"');
    let inner = inner.and_then(|text| text.strip_suffix('"'));
    inner.map_or_else(|| text.to_owned(), unescape)
}

/// The text in 7-bit characters, with other characters escaped.
pub fn ascii(text: &str) -> String {
    let mut plain = String::new();
    for c in text.chars() {
        match c {
            c if c.is_ascii() && !c.is_control() => plain.push(c),
            c => plain.extend(c.escape_unicode()),
        }
    }
    plain
}

/// A header, folded into lines if necessary. `value` must be 7-bit text.
pub(super) fn header(prefix: &str, value: &str) -> String {
    let line = format!("{prefix}{value}");
    let mut text = String::new();
    let mut rest = line.as_str();
    while rest.len() > WIDTH {
        let bytes = rest.as_bytes();
        // A space at the start of a line could be lost in transit.
        let is_break = |at: &usize| bytes[*at] != b' ';
        let at = (1..WIDTH).rev().find(is_break).unwrap_or(WIDTH - 1);
        text.push_str(&rest[..at]);
        text.extend([GOES_ON, '\n']);
        rest = &rest[at..];
    }
    text + rest + "\n"
}

/// Joins the lines of a header; `next` returns the following lines.
pub(super) fn join_header<'a>(first: &str, mut next: impl FnMut() -> Option<&'a str>) -> String {
    let mut line = first.to_owned();
    while line.ends_with(GOES_ON) {
        line.pop();
        match next() {
            Some(more) => line.push_str(more),
            None => break,
        }
    }
    line
}

/// Folds 7-bit text into lines, at spaces where possible, and never before a digit.
pub(super) fn fold(text: &str) -> String {
    let mut folded = String::new();
    let mut rest = text;
    while rest.len() > WIDTH {
        let bytes = rest.as_bytes();
        let begins = |at: usize| {
            bytes
                .get(at)
                .is_some_and(|c| *c != b' ' && !c.is_ascii_digit())
        };
        let blank = (1..=WIDTH)
            .rev()
            .find(|at| bytes[*at] == b' ' && bytes[at - 1] != b' ' && begins(at + 1));
        let (end, start) = match blank {
            Some(at) => (at, at + 1),
            None => {
                let at = (1..=WIDTH).rev().find(|at| begins(*at)).unwrap_or(WIDTH);
                (at, at)
            }
        };
        folded.push_str(&rest[..end]);
        folded.push('\n');
        rest = &rest[start..];
    }
    folded + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_the_same_after_a_header() {
        let long = "\u{1d11e}".repeat(60);
        let blanks = "a ".repeat(90) + "b";
        for name in [
            "Ann",
            "human #2",
            "J\u{fc}rgen \"der\" Gro\u{df}e\\",
            " blank ",
            "a\tb\u{202e}c",
            "\\",
            "\"",
            "\"Ann\"",
            &long,
            &blanks,
        ] {
            let text = header("Player 1: ", &quoted(name));
            assert!(text.is_ascii(), "{text}");
            assert!(text.lines().all(|line| line.len() <= WIDTH), "{text}");
            let mut lines = text.lines().map(str::trim);
            let first = lines.next().expect("a line");
            let line = join_header(first, || lines.next());
            let value = line.strip_prefix("Player 1:").expect("the header").trim();
            assert_eq!(unquoted(value), name);
        }
    }

    #[test]
    fn no_folded_line_begins_with_a_number() {
        let digits = "1. e5 ".repeat(40);
        for text in [digits.trim(), &"2".repeat(300), &"12 ".repeat(100)] {
            for line in fold(text).lines().skip(1).filter(|_| text.contains('e')) {
                assert!(!line.starts_with(|c: char| c.is_ascii_digit()), "{line}");
            }
            assert!(fold(text).lines().all(|line| line.len() <= WIDTH));
        }
        let text = "word ".repeat(20) + "write   12. draw";
        assert!(
            fold(&text).ends_with("word write   12. draw"),
            "{}",
            fold(&text)
        );
    }
}
