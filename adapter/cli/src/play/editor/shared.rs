//! What the editing thread and the client share.

use std::sync::atomic::AtomicBool;

use parking_lot::Mutex;
use rustyline::{Cmd, KeyCode, KeyEvent, Modifiers};

use crate::play::pasting::Pasting;

/// The longest line that can be typed, in bytes.
pub(super) const MAX_TYPED: usize = 4096;

/// What the editing thread and the client share.
#[derive(Debug, Default)]
pub(super) struct Shared {
    /// Words and moves that can be completed.
    pub(super) completions: Mutex<Vec<String>>,
    /// What is typed so far.
    pub(super) typed: Mutex<String>,
    /// Whether the client wants the line back.
    pub(super) is_recalled: AtomicBool,
    /// Whether Ctrl-C was typed.
    pub(super) is_interrupted: AtomicBool,
    /// Whether each key acts at once.
    pub(super) takes_keys: AtomicBool,
    /// Whether Ctrl-Z was typed.
    pub(super) is_suspended: AtomicBool,
    /// What is being pasted, between the marks that the terminal sets around it.
    pub(super) pasting: Mutex<Option<Pasting>>,
    /// A text of several lines that was pasted, behind what was typed before it.
    pub(super) pasted: Mutex<Option<Result<String, String>>>,
}

impl Shared {
    /// Takes a key that belongs to a paste; what the editor does then. `None` for keys that are typed.
    pub(super) fn paste(&self, key: KeyEvent, line: &str) -> Option<Cmd> {
        const START: KeyEvent = KeyEvent(KeyCode::BracketedPasteStart, Modifiers::NONE);
        const END: KeyEvent = KeyEvent(KeyCode::BracketedPasteEnd, Modifiers::NONE);
        let mut pasting = self.pasting.lock();
        match (pasting.take(), key) {
            (_, START) => *pasting = Some(Pasting::default()),
            (Some(text), END) => return Some(self.end_paste(text, line)),
            (None, END) => {}
            // Whoever does not see the end of a paste interrupts it.
            (Some(_), key) if key == KeyEvent::ctrl('C') => return None,
            (Some(mut text), key) => {
                text.push(key);
                *pasting = Some(text);
            }
            (None, _) => return None,
        }
        Some(Cmd::Noop)
    }

    /// A text without a line break goes into the line that is typed.
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

    /// A paste ends early.
    pub(super) fn break_paste(&self) {
        if let Some(mut pasting) = self.pasting.lock().take() {
            pasting.push_unreadable();
            *self.pasted.lock() = Some(pasting.finish());
        }
    }
}
