//! Output to standard output, with text made safe for a terminal.
//!
//! Names, moves, chat, e-mails and ledgers come from other people and programs. All printed text passes
//! [`printable`], except drawn boards, whose colours are Linesman's own escape sequences.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::process::ExitCode;

use protocol::text::is_unsafe;
pub use protocol::text::{one_line, printable};
use serde::Serialize;

use crate::usage::{Done, Failure};

/// Writes lines of text, or one line of JSON, to standard output and flushes it.
pub fn put(text: &str, is_json: bool) -> io::Result<()> {
    let shown = match is_json {
        true => json_text(text).into(),
        false => printable(text),
    };
    write(&format!("{shown}\n"))
}

/// Writes text to standard output unchanged and flushes it.
pub fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

/// As [`put`], for a command that ends where standard output cannot be written.
pub fn print(text: &str, is_json: bool) -> Done {
    put(text, is_json).map_err(Failure::Output)
}

/// Prints lines of text.
pub fn say(text: &str) -> Done {
    print(text, false)
}

/// As [`print()`], for the last text of a command.
pub fn finish(text: &str, is_json: bool) -> Done<ExitCode> {
    print(text, is_json).map(|()| ExitCode::SUCCESS)
}

/// As [`write()`], for a command that ends where standard output cannot be written.
pub fn print_raw(text: &str) -> Done {
    write(text).map_err(Failure::Output)
}

/// `true` if standard output is a terminal that shows more than ASCII.
pub fn shows_unicode() -> bool {
    io::stdout().is_terminal() && is_utf8_locale() == Some(true)
}

/// `true` if the user's locale is named and is not UTF-8. Without a named locale, boards are drawn with all
/// characters.
pub fn is_ascii_locale() -> bool {
    is_utf8_locale() == Some(false)
}

/// `true` if the locale for character types is UTF-8; `None` if it is not named.
fn is_utf8_locale() -> Option<bool> {
    let set = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(set)?;
    let locale = locale.to_ascii_lowercase();
    Some(locale.contains("utf-8") || locale.contains("utf8"))
}

/// A value as one line of JSON. Characters that are unsafe on a terminal are escaped.
pub fn json_line(value: &impl Serialize) -> serde_json::Result<String> {
    Ok(json_text(&serde_json::to_string(value)?) + "\n")
}

/// JSON with the characters escaped that are unsafe on a terminal.
pub fn json_text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        if c == '\n' || !is_unsafe(c) {
            safe.push(c);
            continue;
        }
        // JSON contains the others in strings only.
        for unit in c.encode_utf16(&mut [0; 2]) {
            let _ = write!(safe, "\\u{unit:04x}");
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::json_line;

    #[test]
    fn json_reads_back_after_escaping() {
        let text = "a\u{9b}31m\u{202e}\u{7f}\n\"\u{e0041}";
        let line = json_line(&text).expect("a string");
        assert_eq!(line, "\"a\\u009b31m\\u202e\\u007f\\n\\\"\\udb40\\udc41\"\n");
        assert_eq!(serde_json::from_str::<String>(&line).expect("JSON"), text);
    }
}
