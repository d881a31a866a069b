//! Words of a line, excerpts of them for errors, and text from others made safe to show.
//!
//! Names, moves, chat, e-mails, ledgers and the output of engines are untrusted. They may contain control characters,
//! which change a terminal or forge a line, bidirectional formatting characters, which also affect browsers, and
//! invisible or stacked characters. [`is_unsafe`] is the only list of such characters.

use std::borrow::Cow;
use std::fmt;

/// Maximum length of an excerpt in characters.
const EXCERPT: usize = 80;

/// Maximum number of combining marks and joiners shown on one character.
const MAX_MARKS: usize = 4;

/// Signs within a move code that may have blanks around them.
const JOINTS: [&str; 3] = ["->", "-", "@"];

/// Returns at most 80 characters of a word from another program, made printable for an error of one line.
pub fn excerpt(word: &str) -> String {
    let mut text = masked(word, EXCERPT);
    if word.chars().nth(EXCERPT).is_some() {
        text.truncate(text.char_indices().nth(EXCERPT - 3).map_or(0, |(at, _)| at));
        text.push_str("...");
    }
    text
}

/// A number with its noun: `1 rank`, `2 ranks`.
pub fn counted(n: usize, noun: &str) -> String {
    let plural = if n == 1 { "" } else { "s" };
    format!("{n} {noun}{plural}")
}

/// Joins words with single spaces, breaking lines at `width` characters. Longer words get a line each.
pub fn wrap(words: &[impl AsRef<str>], width: usize) -> String {
    let mut text = String::new();
    let mut column = 0;
    for word in words.iter().map(AsRef::as_ref) {
        let n_chars = word.chars().count();
        if column > 0 && column + 1 + n_chars > width {
            text.push('\n');
            column = 0;
        } else if column > 0 {
            text.push(' ');
            column += 1;
        }
        text.push_str(word);
        column += n_chars;
    }
    text
}

/// `a, b or c`.
pub fn or_list(words: &[impl AsRef<str>]) -> String {
    let words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    match words.as_slice() {
        [] => "none".to_owned(),
        [only] => (*only).to_owned(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// The first `max` characters of a text, with a blank for each tab, as in a copied table, and `?` for each other unsafe
/// character and each combining mark.
pub fn masked(text: &str, max: usize) -> String {
    let is_shown = |c: char| !is_unsafe(c) && !is_mark(c);
    let mask = |c: char| match c {
        '\t' => ' ',
        c if is_shown(c) => c,
        _ => '?',
    };
    text.chars().take(max).map(mask).collect()
}

/// Escapes unsafe characters, and marks beyond four on one character: ESC becomes `\u{1b}`. Keeps line breaks.
pub fn printable(text: &str) -> Cow<'_, str> {
    if is_plain(text) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for (c, is_shown) in judged(text) {
        match is_shown || c == '\n' {
            true => shown.push(c),
            false => shown.extend(c.escape_unicode()),
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

/// The text without unsafe characters, and with at most four marks on one character.
pub fn visible(text: &str) -> String {
    let shown = judged(text).filter(|(_, is_shown)| *is_shown);
    shown.map(|(c, _)| c).collect()
}

/// `true` for a character that must not be shown as it is: control characters, line breaks included, separators of
/// lines and paragraphs, bidirectional and other format characters, private and unassigned ones. [`printable`] keeps
/// the two joiners within words and emoji.
pub fn is_unsafe(c: char) -> bool {
    // Two separators that count as white space, and four letters of Hangul that draw nothing.
    let is_invisible = matches!(
        c,
        '\u{2028}' | '\u{2029}' | '\u{115f}' | '\u{1160}' | '\u{3164}' | '\u{ffa0}'
    );
    let is_plain = c.is_ascii_graphic() || c.is_whitespace() && !c.is_control();
    // Only at the beginning of a string does the standard library escape a combining mark.
    let is_escaped = || String::from_iter(['a', c]).escape_debug().count() > 2;
    is_invisible || !is_plain && is_escaped()
}

/// `true` for a combining mark, a character that is drawn on the one before it.
fn is_mark(c: char) -> bool {
    !c.is_ascii() && !is_unsafe(c) && !c.is_whitespace() && c.escape_debug().len() > 1
}

fn is_plain(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b' '..=b'~' | b'\n'))
}

/// The characters of a text, each with whether it is shown as it is.
fn judged(text: &str) -> impl Iterator<Item = (char, bool)> {
    let (mut base, mut n_marks) = (' ', 0);
    text.chars().map(move |c| {
        let joins = matches!(c, '\u{200c}' | '\u{200d}') && !base.is_ascii();
        if joins || is_mark(c) {
            n_marks += 1;
            return (c, n_marks <= MAX_MARKS);
        }
        (base, n_marks) = (c, 0);
        (c, !is_unsafe(c))
    })
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

/// `true` if the character separates words: ASCII white space, a vertical tab or NUL.
pub(crate) fn is_blank(c: char) -> bool {
    u8::try_from(c).is_ok_and(|byte| is_blank_byte(&byte))
}

/// As `is_blank`, in bytes.
#[inline]
pub fn is_blank_byte(byte: &u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, 0 | 0x0b)
}

/// Joins words to move codes. A word that begins or ends with a joint is joined to its neighbour, so that `b2 -> c3` is
/// the single code `b2->c3`.
pub(crate) fn move_codes<'a>(words: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let mut codes: Vec<String> = Vec::new();
    for word in words {
        match codes.last_mut() {
            Some(last) if are_joined(last, word) => last.push_str(word),
            _ => codes.push(word.to_owned()),
        }
    }
    codes
}

/// `true` if the second word belongs to the same code as the first.
pub(crate) fn are_joined(last: &str, word: &str) -> bool {
    let joins = |joint: &&str| last.ends_with(*joint) || word.starts_with(*joint);
    JOINTS.iter().any(joins)
}

/// A writer that replaces line breaks and NULs by blanks, to keep the text on one line.
pub(crate) struct OneLine<'a, W: ?Sized>(pub(crate) &'a mut W);

impl<W: fmt::Write + ?Sized> fmt::Write for OneLine<'_, W> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some(at) = memchr::memchr3(b'\n', b'\r', 0, rest.as_bytes()) {
            self.0.write_str(&rest[..at])?;
            self.0.write_char(' ')?;
            rest = &rest[at + 1..];
        }
        self.0.write_str(rest)
    }
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
    fn invisible_characters_are_escaped() {
        for hidden in "\u{200b}\u{2060}\u{feff}\u{ad}\u{e0041}\u{200d}\u{e000}".chars() {
            let text = format!("Ann{hidden}a");
            assert_eq!(printable(&text), format!("Ann{}a", hidden.escape_unicode()));
            assert_eq!(visible(&text), "Anna");
        }
    }

    #[test]
    fn stacked_marks_are_bounded() {
        let stacked = "Z".to_owned() + &"\u{301}".repeat(100) + "o";
        assert_eq!(visible(&stacked), "Z\u{301}\u{301}\u{301}\u{301}o");
        assert_eq!(printable(&stacked).matches(r"\u{301}").count(), 96);
        let joined = "👩".to_owned() + &"\u{200d}".repeat(100);
        assert_eq!(visible(&joined).chars().count(), 5);
    }

    #[test]
    fn other_text_stays() {
        for text in [
            "",
            "b2->c3\n  board\n",
            "Zoë, 山田\u{3000}太郎, e\u{301}, 👩\u{200d}🚀, ❤\u{fe0f}, نمی\u{200c}خواهم, \"'\\",
        ] {
            assert_eq!(printable(text), text);
        }
        assert_eq!(excerpt("Zoë's \"a\\b\" 山田"), "Zoë's \"a\\b\" 山田");
    }
}
