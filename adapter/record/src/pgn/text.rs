//! Escaping for PGN: strings in quotation marks.
//!
//! PGN escapes the quotation mark and the backslash. Control characters and line separators are not allowed in its
//! strings; they are written as `\\u{1b}`.

use protocol::text::is_unsafe;

use crate::game::GameResult;

/// Quotes and escapes a string.
pub fn quote(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if is_unsafe(c) => quoted.extend(c.escape_unicode()),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

/// Unescapes the contents of a quoted string.
pub fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        plain.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let (c, tail) = unescape_char(rest);
        plain.extend(c);
        rest = tail;
    }
    plain + rest
}

/// The character after a backslash, and the remaining text.
fn unescape_char(rest: &str) -> (Option<char>, &str) {
    let digits = rest
        .strip_prefix("u{")
        .and_then(|rest| rest.split_once('}'));
    let coded = digits.and_then(|(digits, tail)| {
        let code = u32::from_str_radix(digits, 16).ok()?;
        Some((char::from_u32(code)?, tail))
    });
    match coded {
        Some((c, tail)) => (Some(c), tail),
        None => {
            let mut chars = rest.chars();
            (chars.next(), chars.as_str())
        }
    }
}

/// A move code as a word of the move text, quoted if PGN would misread it.
pub(super) fn format_code(code: &str) -> String {
    let is_special = |c: char| {
        c.is_whitespace() || is_unsafe(c) || matches!(c, '"' | '{' | '}' | '(' | ')' | ';')
    };
    let is_word = !code.is_empty()
        && !code.starts_with(['[', '$', '%', '<'])
        && !code.contains(is_special)
        && !is_move_number(code)
        && code.parse::<GameResult>().is_err();
    if is_word {
        code.to_owned()
    } else {
        quote(code)
    }
}

/// A comment in braces. Braces and unprintable characters in it are replaced by question marks.
pub(super) fn format_comment_text(text: &str) -> String {
    let is_held = |c: &char| !matches!(c, '{' | '}') && !is_unsafe(*c);
    let shown = |c: char| if is_held(&c) { c } else { '?' };
    format!("{{{}}}", text.chars().map(shown).collect::<String>())
}

/// `true` for a move number: `12.` or `12...`.
pub(super) fn is_move_number(word: &str) -> bool {
    let digits = word.trim_end_matches('.');
    digits.len() < word.len() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_read_back() {
        for text in [
            "",
            "a",
            "a \"b\"",
            "\\",
            "\\\"",
            "\\u{41}",
            "x\u{1b}[2J\n\u{202e}y",
            "山",
        ] {
            let quoted = quote(text);
            assert!(!quoted.contains(char::is_control), "{quoted:?}");
            assert_eq!(unescape(&quoted[1..quoted.len() - 1]), text);
        }
    }

    #[test]
    fn codes_are_quoted_where_pgn_reads_something_else() {
        for code in ["e5", "b2->c3", "3@b2", "d7->d8", "pass", "0752", "-", "x-y"] {
            assert_eq!(format_code(code), code);
        }
        for code in [
            "",
            "{x",
            "x}",
            "1-0",
            "*",
            "1/2-1/2",
            "1.",
            "...",
            "a b",
            ";x",
            "[x",
            "(a)",
            "$1",
            "\u{1b}[2J",
        ] {
            assert!(format_code(code).starts_with('"'), "{code:?}");
        }
    }
}
