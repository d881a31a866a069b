//! The text of a bracketed paste, collected key by key.

use rustyline::{KeyCode, KeyEvent, Modifiers};

/// Maximum size of a pasted text, in bytes; the rest is dropped.
const MAX_BYTES: usize = 1 << 18;

/// The text of a paste so far.
#[derive(Debug, Default)]
pub(crate) struct Pasting {
    text: String,
    is_too_long: bool,
    /// Whether the last key was a carriage return, after which a line feed is ignored.
    is_return: bool,
}

impl Pasting {
    /// Adds the next key of the paste.
    pub(crate) fn push(&mut self, key: KeyEvent) {
        let sign = character(key);
        let is_second = self.is_return && key == KeyEvent::ctrl('J');
        self.is_return = key.0 == KeyCode::Enter;
        self.is_too_long |= self.text.len() >= MAX_BYTES;
        if !is_second && !self.is_too_long {
            self.text.extend(sign);
        }
    }

    /// The whole text.
    ///
    /// # Errors
    /// The text was too long.
    pub(crate) fn finish(self) -> Result<String, String> {
        match self.is_too_long {
            false => Ok(self.text),
            true => Err(format!(
                "more than {MAX_BYTES} bytes pasted: expected fewer; all are ignored"
            )),
        }
    }
}

/// The character of a key in a paste. Tabs and line breaks are the only control characters.
fn character(key: KeyEvent) -> Option<char> {
    match key {
        KeyEvent(KeyCode::Enter, _) => Some('\n'),
        KeyEvent(KeyCode::Tab, _) => Some('\t'),
        KeyEvent(KeyCode::Char('J'), Modifiers::CTRL) => Some('\n'),
        KeyEvent(KeyCode::Char(sign), Modifiers::NONE | Modifiers::SHIFT) => Some(sign),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paste(text: &str) -> Result<String, String> {
        let mut pasting = Pasting::default();
        text.chars().for_each(|sign| pasting.push(sign.into()));
        pasting.finish()
    }

    #[test]
    fn line_breaks_are_one_character() {
        assert_eq!(paste("a\r\nb\rc\n\nd"), Ok("a\nb\nc\n\nd".to_owned()));
    }

    #[test]
    fn control_characters_are_left_out() {
        assert_eq!(
            paste("\ta\u{1}\u{1b}\u{7f}b\u{a0}"),
            Ok("\tab\u{a0}".to_owned())
        );
    }

    #[test]
    fn a_text_without_end_is_not_kept() {
        let mut pasting = Pasting::default();
        for _ in 0..=MAX_BYTES {
            pasting.push('x'.into());
        }
        assert_eq!(pasting.text.len(), MAX_BYTES);
        assert!(pasting.finish().is_err());
    }
}
