//! The editing thread: for each request, it reads a line or keys.

use std::io::ErrorKind;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender};
use protocol::Line;
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::history::DefaultHistory;
use rustyline::{Behavior, Config, Event, EventHandler, ExternalPrinter};

use super::keys::Keys;
use super::line_helper::LineHelper;
use crate::platform;
use crate::play::input::{Input, Key};

/// Maximum delay between an Escape and the rest of an escape sequence, in milliseconds.
const ESCAPE_TIMEOUT_MS: u16 = 50;

/// A request to the editing thread.
pub(super) enum Ask {
    /// Read a line, with a prompt and an initial text.
    Line(String, String),
    /// Read keys, with this status as the prompt.
    Keys(String),
}

pub(super) type LineEditor = rustyline::Editor<LineHelper, DefaultHistory>;

/// The editor and a printer; without a printer, rustyline does not check for signals between keys.
pub(super) fn open_editor(
    helper: LineHelper,
    input: Sender<Input>,
) -> rustyline::Result<(LineEditor, impl ExternalPrinter)> {
    let config = Config::builder()
        .auto_add_history(false)
        .behavior(Behavior::Stdio)
        .build();
    let mut editor = LineEditor::with_config(config)?;
    let keys = Keys {
        shared: Arc::clone(&helper.0),
        input,
    };
    editor.set_helper(Some(helper));
    editor.bind_sequence(Event::Any, EventHandler::Conditional(Box::new(keys)));
    let printer = editor.create_external_printer()?;
    Ok((editor, printer))
}

/// Reads a line or keys for each request.
pub(super) fn edit(
    (mut editor, _printer): (LineEditor, impl ExternalPrinter),
    asked: &Receiver<Ask>,
    input: &Sender<Input>,
    give_back: &Sender<Option<String>>,
) {
    for ask in asked {
        let line = match ask {
            Ask::Line(prompt, typed) => read_line(&mut editor, &prompt, typed),
            Ask::Keys(status) => read_keys(&mut editor, &status, input),
        };
        let Some(shared) = editor.helper().map(|helper| Arc::clone(&helper.0)) else {
            return;
        };
        let is_interrupted = shared.is_interrupted.swap(false, Ordering::SeqCst);
        let is_recalled = shared.is_recalled.load(Ordering::SeqCst);
        if line.as_ref().is_err_and(is_unreadable) && !is_recalled {
            // The rest of the paste, including its end mark, is lost with the byte.
            shared.break_paste();
        }
        let pasted = shared.pasted.lock().take();
        let heard = match line {
            Ok(_) if is_interrupted => Some(Input::Interrupt),
            Err(ReadlineError::Interrupted) if is_recalled => None,
            _ if pasted.is_some() => pasted.map(Input::pasted),
            Ok(line) => {
                let _ = editor.add_history_entry(&line);
                Some(Input::Line(Instant::now(), Line::Text(line)))
            }
            Err(ReadlineError::Interrupted) => Some(Input::Interrupt),
            // The input was not valid UTF-8, as from another encoding: only this line is lost.
            Err(error) if is_unreadable(&error) => {
                let unread = char::REPLACEMENT_CHARACTER.to_string();
                Some(Input::Line(Instant::now(), Line::Text(unread)))
            }
            Err(_) => Some(Input::End),
        };
        let returned = heard.is_none().then(|| shared.typed.lock().clone());
        let is_sent = heard.is_none_or(|heard| input.send(heard).is_ok());
        if !is_sent || give_back.send(returned).is_err() {
            return;
        }
    }
}

/// Reads a line. After Ctrl-Z, the text typed before is restored.
fn read_line(
    editor: &mut LineEditor,
    prompt: &str,
    mut typed: String,
) -> rustyline::Result<String> {
    loop {
        let ended = editor.readline_with_initial(prompt, (&typed, ""));
        match ended {
            Ok(line) if is_suspended(editor) => typed = line,
            _ => return ended,
        }
        platform::suspend();
    }
}

/// `true` if Ctrl-Z ended the line.
fn is_suspended(editor: &LineEditor) -> bool {
    let shared = editor.helper().map(|helper| &helper.0);
    shared.is_some_and(|shared| shared.is_suspended.swap(false, Ordering::SeqCst))
}

/// Reads keys, which [`Keys`] forwards, until they are recalled or the input ends.
fn read_keys(
    editor: &mut LineEditor,
    status: &str,
    input: &Sender<Input>,
) -> rustyline::Result<String> {
    editor.set_keyseq_timeout(Some(ESCAPE_TIMEOUT_MS));
    let ended = loop {
        let ended = editor.readline(status);
        if !is_suspended(editor) {
            break ended;
        }
        platform::suspend();
        if input.send(Input::Key(Key::Resumed)).is_err() {
            break ended;
        }
    };
    editor.set_keyseq_timeout(None);
    ended
}

/// `true` if the input was not valid UTF-8.
fn is_unreadable(error: &ReadlineError) -> bool {
    matches!(error, ReadlineError::Io(error) if error.kind() == ErrorKind::InvalidData)
}
