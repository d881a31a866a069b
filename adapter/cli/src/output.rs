//! What may reach a terminal.
//!
//! Names, moves, chat, e-mails and ledgers come from others. Everything that is printed passes [`printable`], except a
//! drawn board, whose colours are escape sequences of our own.

use std::borrow::Cow;
use std::fmt::Write as _;
use std::io::{self, Write as _};

use serde::Serialize;

/// The text with every character escaped that would change the terminal or the order of what is read: `\u{1b}` stands
/// for an ESC. Line breaks stay.
pub(crate) fn printable(text: &str) -> Cow<'_, str> {
    let Some(start) = text.find(is_unsafe) else {
        return Cow::Borrowed(text);
    };
    let mut shown = text[..start].to_owned();
    for c in text[start..].chars() {
        if is_unsafe(c) {
            // Writing to a string does not fail.
            let _ = write!(shown, "{}", c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Writes lines of text, or one of JSON, to standard output at once.
pub(crate) fn put(text: &str, is_json: bool) -> io::Result<()> {
    let shown = match is_json {
        true => json_text(text).into(),
        false => printable(text),
    };
    let mut out = io::stdout().lock();
    out.write_all(format!("{shown}\n").as_bytes())?;
    out.flush()
}

/// As [`printable`], of a text that is one line: its line breaks are escaped as well.
pub(crate) fn one_line(text: &str) -> Cow<'_, str> {
    match printable(text) {
        shown if shown.contains('\n') => Cow::Owned(shown.replace('\n', r"\u{a}")),
        shown => shown,
    }
}

/// A value as one line of JSON, in which the same characters are escaped as JSON escapes them.
pub(crate) fn json_line(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(json_text(&serde_json::to_string(value)?) + "\n")
}

/// JSON with the same characters escaped as JSON escapes them.
pub(crate) fn json_text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if is_unsafe(c) {
            // All of them have one UTF-16 unit, and JSON holds them in strings alone.
            let _ = write!(safe, "\\u{:04x}", u32::from(c));
        } else {
            safe.push(c);
        }
    }
    safe
}

/// Control characters (C0, DEL, C1), the line and paragraph separators, and those that turn the direction of text
/// (Unicode's `Bidi_Control`).
fn is_unsafe(c: char) -> bool {
    c != '\n' && c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use super::{json_line, one_line, printable};

    #[test]
    fn json_reads_back_after_escaping() {
        let text = "a\u{9b}31m\u{202e}\u{7f}\n\"";
        let line = json_line(&text).expect("a string");
        assert_eq!(line, "\"a\\u009b31m\\u202e\\u007f\\n\\\"\"\n");
        assert_eq!(serde_json::from_str::<String>(&line).expect("JSON"), text);
    }

    #[test]
    fn a_line_stays_one_line() {
        assert_eq!(one_line("a\nFinished game 2"), r"a\u{a}Finished game 2");
    }

    #[test]
    fn what_would_change_the_terminal_is_escaped() {
        for (text, shown) in [
            ("\x1b]0;title\x07", r"\u{1b}]0;title\u{7}"),
            ("\x1b[2J\r", r"\u{1b}[2J\u{d}"),
            ("a\u{9b}31m", r"a\u{9b}31m"),
            ("ab\u{202e}cd\u{2066}", r"ab\u{202e}cd\u{2066}"),
            (
                "\u{200f}\u{61c}\u{2028}\u{7f}",
                r"\u{200f}\u{61c}\u{2028}\u{7f}",
            ),
        ] {
            assert_eq!(printable(text), shown);
        }
    }

    #[test]
    fn other_text_stays() {
        for text in [
            "",
            "b2->c3\n  board\n",
            "Zoë, 山田, e\u{301}, 👩\u{200d}🚀, \\",
        ] {
            assert_eq!(printable(text), text);
        }
    }
}
