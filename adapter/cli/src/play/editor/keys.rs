//! Keys whose function differs from rustyline's.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crossbeam_channel::Sender;
use rustyline::{
    Cmd, ConditionalEventHandler, Event, EventContext, KeyCode, KeyEvent, Modifiers, RepeatCount,
};

use super::shared::{MAX_TYPED, Shared};
use crate::play::input::{Input, Key};

/// The handler of all keys.
pub(super) struct Keys {
    pub(super) shared: Arc<Shared>,
    pub(super) input: Sender<Input>,
}

impl Keys {
    /// Forwards a key for the input by keys.
    fn pass_on(&self, key: &KeyEvent) -> Option<Cmd> {
        // Ctrl-D ends the input, as in a line.
        if *key == KeyEvent::ctrl('D') {
            return None;
        }
        if let Some(key) = single_key(key) {
            let _ = self.input.send(Input::Key(key));
        }
        Some(Cmd::Noop)
    }
}

/// Translates a key for the input by keys; `None` if it has no function.
fn single_key(key: &KeyEvent) -> Option<Key> {
    let KeyEvent(code, modifiers) = key;
    match code {
        KeyCode::Char(letter) if is_typed(key) => Some(Key::Letter(*letter)),
        KeyCode::Char('L') if *modifiers == Modifiers::CTRL => Some(Key::Form),
        KeyCode::Char('J') if *modifiers == Modifiers::CTRL => Some(Key::Line),
        KeyCode::Char('M') if *modifiers == Modifiers::CTRL => Some(Key::Enter),
        KeyCode::Char('H') if *modifiers == Modifiers::CTRL => Some(Key::Backspace),
        KeyCode::Enter => Some(Key::Enter),
        KeyCode::Backspace => Some(Key::Backspace),
        KeyCode::Esc => Some(Key::Escape),
        KeyCode::Tab => Some(Key::Tab),
        KeyCode::Left => Some(Key::Arrow(-1, 0)),
        KeyCode::Right => Some(Key::Arrow(1, 0)),
        KeyCode::Up => Some(Key::Arrow(0, -1)),
        KeyCode::Down => Some(Key::Arrow(0, 1)),
        KeyCode::Home => Some(Key::Arrow(-1, -1)),
        KeyCode::PageUp => Some(Key::Arrow(1, -1)),
        KeyCode::End => Some(Key::Arrow(-1, 1)),
        KeyCode::PageDown => Some(Key::Arrow(1, 1)),
        _ => None,
    }
}

impl ConditionalEventHandler for Keys {
    fn handle(
        &self,
        event: &Event,
        _: RepeatCount,
        _: bool,
        context: &EventContext<'_>,
    ) -> Option<Cmd> {
        let key = event.get(0)?;
        if let Some(command) = self.shared.paste(*key, context.line()) {
            return Some(command);
        }
        if *key == KeyEvent::ctrl('C') {
            // When rustyline is interrupted, it drops the text typed ahead, but not when it accepts a line.
            self.shared.is_interrupted.store(true, Ordering::SeqCst);
            return Some(Cmd::AcceptLine);
        }
        if *key == KeyEvent::ctrl('Z') {
            self.shared.is_suspended.store(true, Ordering::SeqCst);
            return Some(Cmd::AcceptLine);
        }
        if self.shared.takes_keys.load(Ordering::SeqCst) {
            return self.pass_on(key);
        }
        if key.0 == KeyCode::Tab && self.shared.completions.lock().is_empty() {
            // SelfInsert would repeat the last insertion.
            return Some(Cmd::Insert(1, "\t".to_owned()));
        }
        // Limits the length of a long line that was pasted by mistake.
        let is_full = context.line().len() >= MAX_TYPED;
        (is_full && is_typed(key)).then_some(Cmd::Noop)
    }
}

fn is_typed(key: &KeyEvent) -> bool {
    matches!(
        key,
        KeyEvent(KeyCode::Char(_), Modifiers::NONE | Modifiers::SHIFT)
    )
}
