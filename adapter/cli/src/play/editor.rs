//! The line editor of a terminal: history, and completion of words and legal moves.

use std::borrow::Cow;
use std::io::ErrorKind;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender};
use protocol::Line;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{
    Behavior, Cmd, ConditionalEventHandler, Config, Context, Editor, Event, EventContext,
    EventHandler, ExternalPrinter, Helper, KeyCode, KeyEvent, Modifiers, RepeatCount,
};

use super::port::{News, Who};

/// What can be completed, shared with the editor.
pub(crate) type Words = Arc<Mutex<Vec<String>>>;

/// The longest line that a terminal takes; what is typed beyond it is not.
const MAX_TYPED: usize = 4096;

pub(super) type Editing = Editor<Typist, DefaultHistory>;
pub(super) type Printer = Box<dyn ExternalPrinter + Send>;

/// An editor with a printer for what is said meanwhile; an error where the terminal has none.
pub(super) fn open(words: Words) -> rustyline::Result<(Editing, Printer)> {
    let config = Config::builder()
        .auto_add_history(true)
        .behavior(Behavior::Stdio)
        .build();
    let mut editor: Editing = Editor::with_config(config)?;
    editor.set_helper(Some(Typist { words }));
    editor.bind_sequence(Event::Any, EventHandler::Conditional(Box::new(Bound)));
    let printer = editor.create_external_printer()?;
    Ok((editor, Box::new(printer)))
}

/// Reads a line for each prompt that is asked for.
pub(super) fn edit(mut editor: Editing, asked: &Receiver<String>, news: &Sender<News>) {
    for prompt in asked {
        let heard = match editor.readline(&prompt) {
            Ok(line) => News::Line(Who::Local, Instant::now(), Line::Text(line)),
            Err(ReadlineError::Interrupted) => News::Interrupt,
            // A byte that is no UTF-8, as another alphabet sends: the line is lost, the game is not.
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
                let unread = char::REPLACEMENT_CHARACTER.to_string();
                News::Line(Who::Local, Instant::now(), Line::Text(unread))
            }
            Err(_) => News::End(Who::Local),
        };
        if news.send(heard).is_err() {
            return;
        }
    }
}

/// Keeps a line that somebody pastes by mistake from growing without end.
struct Bound;

impl ConditionalEventHandler for Bound {
    fn handle(
        &self,
        event: &Event,
        _: RepeatCount,
        _: bool,
        context: &EventContext<'_>,
    ) -> Option<Cmd> {
        let is_typed = |key: &KeyEvent| {
            matches!(
                key,
                KeyEvent(KeyCode::Char(_), Modifiers::NONE | Modifiers::SHIFT)
            )
        };
        let is_full = context.line().len() >= MAX_TYPED;
        (is_full && event.get(0).is_some_and(is_typed)).then_some(Cmd::Noop)
    }
}

/// Completes words and legal moves.
pub(super) struct Typist {
    words: Words,
}

impl Completer for Typist {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        let typed = &line[..at];
        let start = typed.rfind(' ').map_or(0, |blank| blank + 1);
        let beginning = typed[start..].to_ascii_lowercase();
        let words = self.words.lock().unwrap_or_else(PoisonError::into_inner);
        let fits = |word: &&String| word.to_ascii_lowercase().starts_with(&beginning);
        Ok((start, words.iter().filter(fits).cloned().collect()))
    }
}

impl Hinter for Typist {
    type Hint = String;
}

impl Highlighter for Typist {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Borrowed(prompt)
    }
}

impl Validator for Typist {}

impl Helper for Typist {}
