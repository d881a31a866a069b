//! Input from a person at a terminal, a pipe or a socket.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent};
use protocol::Line;

/// Maximum size of a pasted text, in bytes; a longer one is refused.
const MAX_PASTE: usize = 1 << 18;

/// Input from a person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Input {
    /// A line and its time.
    Line(Instant, Line),
    /// A key of a terminal.
    Key(KeyEvent),
    /// A text that was pasted at once, with its line breaks, and its time.
    Paste(Instant, String),
    /// A rejected paste, with the reason.
    Refused(String),
    /// The end of the input: the end of a pipe, Ctrl-D, a closed connection.
    End,
    /// A guest exceeded the rate limit.
    Flood,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-Z.
    Suspend,
}

impl Input {
    /// A pasted text. Tabs and line breaks are the only control characters that are kept.
    pub(crate) fn pasted(text: &str) -> Input {
        if text.len() > MAX_PASTE {
            return Input::Refused(format!(
                "more than {MAX_PASTE} bytes pasted: expected fewer; all are ignored"
            ));
        }
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let is_kept = |letter: &char| matches!(letter, '\n' | '\t') || !letter.is_control();
        Input::Paste(Instant::now(), text.chars().filter(is_kept).collect())
    }
}

/// The direction of an arrow key, as steps to the right and downwards. The corners of the keypad are the diagonals.
pub(crate) fn direction(code: KeyCode) -> Option<(i8, i8)> {
    Some(match code {
        KeyCode::Left => (-1, 0),
        KeyCode::Right => (1, 0),
        KeyCode::Up => (0, -1),
        KeyCode::Down => (0, 1),
        KeyCode::Home => (-1, -1),
        KeyCode::PageUp => (1, -1),
        KeyCode::End => (-1, 1),
        KeyCode::PageDown => (1, 1),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_paste_has_no_control_characters_but_tabs_and_line_breaks() {
        for (pasted, kept) in [
            ("a\r\nb\rc\n\nd", "a\nb\nc\n\nd"),
            ("\ta\u{1}\u{1b}\u{7f}b\u{a0}", "\tab\u{a0}"),
        ] {
            let input = Input::pasted(pasted);
            assert!(
                matches!(&input, Input::Paste(_, text) if text == kept),
                "{input:?}"
            );
        }
        let long = Input::pasted(&"x".repeat(MAX_PASTE + 1));
        assert!(matches!(long, Input::Refused(_)));
    }
}
