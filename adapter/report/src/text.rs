//! Escaping of untrusted text.
//!
//! Names, moves, chat, e-mails and ledgers are untrusted input. They may contain terminal control characters, or
//! bidirectional formatting characters, which also affect browsers.

use std::borrow::Cow;
use std::fmt::Write as _;

/// Escapes control and bidirectional formatting characters: ESC becomes `\u{1b}`. Keeps line breaks.
pub fn printable(text: &str) -> Cow<'_, str> {
    let Some(start) = text.find(is_unsafe) else {
        return Cow::Borrowed(text);
    };
    let mut shown = text[..start].to_owned();
    for c in text[start..].chars() {
        if is_unsafe(c) {
            // Writing to a string cannot fail.
            let _ = write!(shown, "{}", c.escape_unicode());
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

/// Like [`printable`], but also escapes line breaks.
pub fn one_line(text: &str) -> Cow<'_, str> {
    match printable(text) {
        shown if shown.contains('\n') => Cow::Owned(shown.replace('\n', r"\u{a}")),
        shown => shown,
    }
}

/// Like [`one_line`], cut to at most `max` characters; a cut text ends with `…`.
pub fn shortened(text: &str, max: usize) -> Cow<'_, str> {
    let line = one_line(text);
    if line.chars().count() <= max {
        return line;
    }
    let begin: String = line.chars().take(max.saturating_sub(1)).collect();
    Cow::Owned(begin.trim_end().to_owned() + "…")
}

/// `true` for control characters (C0, DEL, C1) except line breaks, for line and paragraph separators, and for Unicode's
/// `Bidi_Control` characters.
pub fn is_unsafe(c: char) -> bool {
    c != '\n' && c.is_control()
        || matches!(
            c,
            '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

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

    #[test]
    fn long_names_are_cut_at_characters() {
        assert_eq!(shortened("山田山田", 4), "山田山田");
        assert_eq!(shortened("山田 山田", 4), "山田…");
    }
}
