//! State shared by the editing thread and the client.

use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;
use rustyline::{Cmd, KeyCode, KeyEvent, Modifiers};

use crate::play::pasting::Pasting;

/// Maximum length of a typed line, in bytes.
pub(crate) const MAX_TYPED: usize = 4096;

/// State shared by the editing thread and the client.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// Words and moves for completion.
    pub(super) completions: Mutex<Vec<String>>,
    /// The text of the line so far.
    pub(super) typed: Mutex<String>,
    /// Set while the client recalls the line.
    pub(super) is_recalled: AtomicBool,
    /// Set by Ctrl-C.
    pub(super) is_interrupted: AtomicBool,
    /// Set during the input by keys.
    pub(super) takes_keys: AtomicBool,
    /// Set by Ctrl-Z.
    pub(super) is_suspended: AtomicBool,
    /// The paste in progress, between the marks that the terminal sends around it.
    pub(super) pasting: Mutex<Option<Pasting>>,
    /// A pasted text of several lines, appended to the text typed before it.
    pub(super) pasted: Mutex<Option<Result<String, String>>>,
}

impl Shared {
    /// Handles a key that belongs to a paste and returns the editor's command; `None` for typed keys.
    pub(super) fn paste(&self, key: KeyEvent, line: &str) -> Option<Cmd> {
        const START: KeyEvent = KeyEvent(KeyCode::BracketedPasteStart, Modifiers::NONE);
        const END: KeyEvent = KeyEvent(KeyCode::BracketedPasteEnd, Modifiers::NONE);
        let mut pasting = self.pasting.lock();
        match (pasting.take(), key) {
            (_, START) => *pasting = Some(Pasting::default()),
            (Some(text), END) => return Some(self.end_paste(text, line)),
            (None, END) => {}
            // If the end mark is missing, the user can interrupt the paste.
            (Some(_), key) if key == KeyEvent::ctrl('C') => return None,
            (Some(mut text), key) => {
                text.push(key);
                *pasting = Some(text);
            }
            (None, _) => return None,
        }
        Some(Cmd::Noop)
    }

    /// Inserts a text without a line break into the line; stores any other text.
    fn end_paste(&self, pasting: Pasting, line: &str) -> Cmd {
        let text = pasting.finish();
        match text {
            Ok(text) if !text.contains('\n') && line.len() + text.len() <= MAX_TYPED => {
                Cmd::Insert(1, text)
            }
            text => {
                *self.pasted.lock() = Some(text.map(|text| format!("{line}{text}")));
                Cmd::AcceptLine
            }
        }
    }

    /// Ends a paste early.
    pub(super) fn break_paste(&self) {
        if let Some(mut pasting) = self.pasting.lock().take() {
            pasting.push(KeyEvent::from(char::REPLACEMENT_CHARACTER));
            *self.pasted.lock() = Some(pasting.finish());
        }
    }
}
