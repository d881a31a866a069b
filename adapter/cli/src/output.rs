//! What may reach a terminal.
//!
//! Names, moves, chat, e-mails and ledgers come from others. Everything that is printed passes [`printable`], except a
//! drawn board, whose colours are escape sequences of our own.

use std::borrow::Cow;
use std::fmt::Write;

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
    use super::printable;

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
