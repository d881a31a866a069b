//! The screen of a terminal: lines are edited, recalled and completed, and what happens meanwhile is shown above them.

use std::borrow::Cow;
use std::io::{self, ErrorKind, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use parking_lot::Mutex;
use protocol::Line;
use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{
    Behavior, Cmd, ConditionalEventHandler, Config, Context, Event, EventContext, EventHandler,
    ExternalPrinter, Helper, KeyCode, KeyEvent, Modifiers, RepeatCount,
};

use super::input::Input;
use super::screen::{Manners, Prompt, Screen};
use crate::platform;

/// The longest line that can be typed, in bytes.
const MAX_TYPED: usize = 4096;

/// How long to wait for the line before the signal is sent again, and how often.
const RECALL_TIMEOUT: Duration = Duration::from_millis(50);
const MAX_RECALLS: usize = 40;

/// A terminal with line editing.
pub(crate) struct Editor {
    input: Receiver<Input>,
    /// Asks for a line, behind a prompt and with a beginning.
    ask: Sender<(String, String)>,
    /// What was typed when the line was taken back; `None` where a line came instead.
    returned: Receiver<Option<String>>,
    shared: Arc<Shared>,
    asking: Asking,
}

/// Whether a line is being typed.
#[derive(Debug, PartialEq, Eq)]
enum Asking {
    No,
    /// A line is being typed behind this prompt.
    Behind(String),
    /// A line was typed and waits among the input.
    Done,
}

/// What the editing thread and the client share.
#[derive(Debug, Default)]
struct Shared {
    /// Words and moves that can be completed.
    completions: Mutex<Vec<String>>,
    /// What is typed so far.
    typed: Mutex<String>,
    /// Whether the client wants the line back.
    is_recalled: AtomicBool,
    /// Whether Ctrl-C was typed.
    is_interrupted: AtomicBool,
}

impl Editor {
    /// A terminal with line editing, whose lines go where `sender` leads; `None` where the terminal has none.
    pub(crate) fn open(sender: Sender<Input>, input: Receiver<Input>) -> Option<Editor> {
        platform::keep_terminal_mode();
        let shared = Arc::new(Shared::default());
        let (ask, asked) = bounded(1);
        let (give_back, returned) = bounded(1);
        let (ready, is_ready) = bounded(1);
        let typist = LineHelper(Arc::clone(&shared));
        let spawned = thread::Builder::new().spawn(move || {
            if let Ok(editor) = open_editor(typist) {
                let _ = ready.send(());
                edit(editor, &asked, &sender, &give_back);
            }
        });
        spawned.ok()?;
        is_ready.recv().ok()?;
        Some(Editor {
            input,
            ask,
            returned,
            shared,
            asking: Asking::No,
        })
    }

    /// Takes the line that is being typed off the terminal, and returns what was typed.
    ///
    /// rustyline ends a line from outside for a signal alone, and it hears SIGINT while a line is edited. Ctrl-C is
    /// a key then, so this signal is always ours or comes from another process.
    fn recall(&mut self) -> io::Result<String> {
        let Asking::Behind(prompt) = &self.asking else {
            return Ok(String::new());
        };
        let prompt_width = prompt.chars().count();
        self.shared.is_recalled.store(true, Ordering::SeqCst);
        let returned = self.interrupt_until_returned();
        self.shared.is_recalled.store(false, Ordering::SeqCst);
        let Some(typed) = returned else {
            self.asking = Asking::Done;
            return Ok(String::new());
        };
        self.asking = Asking::No;
        erase_above(prompt_width + typed.chars().count())?;
        Ok(typed)
    }

    fn interrupt_until_returned(&self) -> Option<String> {
        for _ in 0..MAX_RECALLS {
            platform::interrupt_self();
            match self.returned.recv_timeout(RECALL_TIMEOUT) {
                Ok(returned) => return returned,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
        Some(String::new())
    }
}

/// Erases the line above the cursor, which may be folded.
fn erase_above(width: usize) -> io::Result<()> {
    let n_rows = width / platform::terminal_width() + 1;
    write!(io::stdout().lock(), "\x1b[{n_rows}A\r\x1b[J")
}

impl Screen for Editor {
    fn manners(&self) -> Manners {
        Manners {
            is_live: true,
            asks_twice: true,
        }
    }

    fn input(&self) -> &Receiver<Input> {
        &self.input
    }

    fn echo(&mut self, _: &Input) -> io::Result<()> {
        if std::mem::replace(&mut self.asking, Asking::No) != Asking::Done {
            // The thread is about to say that a line came.
            let _ = self.returned.recv();
        }
        Ok(())
    }

    fn show(
        &mut self,
        text: &str,
        prompt: &Prompt,
        completions: &dyn Fn() -> Vec<String>,
    ) -> io::Result<()> {
        let (Prompt::Ask(prompt) | Prompt::Wait(prompt)) = prompt;
        let is_asked = matches!(&self.asking, Asking::Behind(asked) if asked == prompt);
        if text.is_empty() && (is_asked || self.asking == Asking::Done) {
            return Ok(());
        }
        let typed = self.recall()?;
        write(text)?;
        if self.asking == Asking::No {
            *self.shared.completions.lock() = completions();
            // The thread waits for it.
            let _ = self.ask.send((prompt.clone(), typed));
            self.asking = Asking::Behind(prompt.clone());
        }
        Ok(())
    }

    fn close(&mut self, text: &str) {
        let _ = self.recall().and_then(|_| write(text));
        platform::restore_terminal();
    }
}

fn write(text: &str) -> io::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()
}

type LineEditor = rustyline::Editor<LineHelper, DefaultHistory>;

/// The editor, with a printer: without one it does not look at signals between two keys.
fn open_editor(typist: LineHelper) -> rustyline::Result<(LineEditor, impl ExternalPrinter)> {
    let config = Config::builder()
        .auto_add_history(false)
        .behavior(Behavior::Stdio)
        .build();
    let mut editor = LineEditor::with_config(config)?;
    let keys = Keys(Arc::clone(&typist.0));
    editor.set_helper(Some(typist));
    editor.bind_sequence(Event::Any, EventHandler::Conditional(Box::new(keys)));
    let printer = editor.create_external_printer()?;
    Ok((editor, printer))
}

/// Reads a line for each prompt that is asked for.
fn edit(
    (mut editor, _printer): (LineEditor, impl ExternalPrinter),
    asked: &Receiver<(String, String)>,
    input: &Sender<Input>,
    give_back: &Sender<Option<String>>,
) {
    for (prompt, typed) in asked {
        let line = editor.readline_with_initial(&prompt, (&typed, ""));
        let Some(shared) = editor.helper().map(|typist| Arc::clone(&typist.0)) else {
            return;
        };
        let is_interrupted = shared.is_interrupted.swap(false, Ordering::SeqCst);
        let is_recalled = shared.is_recalled.load(Ordering::SeqCst);
        let heard = match line {
            Ok(_) if is_interrupted => Some(Input::Interrupt),
            Ok(line) => {
                let _ = editor.add_history_entry(&line);
                Some(Input::Line(Instant::now(), Line::Text(line)))
            }
            Err(ReadlineError::Interrupted) if is_recalled => None,
            Err(ReadlineError::Interrupted) => Some(Input::Interrupt),
            // A byte that is no UTF-8, as another alphabet sends: the line is lost, the game is not.
            Err(ReadlineError::Io(error)) if error.kind() == ErrorKind::InvalidData => {
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

/// Keys that do something of their own.
struct Keys(Arc<Shared>);

impl ConditionalEventHandler for Keys {
    fn handle(
        &self,
        event: &Event,
        _: RepeatCount,
        _: bool,
        context: &EventContext<'_>,
    ) -> Option<Cmd> {
        let key = event.get(0)?;
        if *key == KeyEvent::ctrl('C') {
            // rustyline forgets what was typed ahead when it is interrupted, but not when a line is accepted.
            self.0.is_interrupted.store(true, Ordering::SeqCst);
            return Some(Cmd::AcceptLine);
        }
        // A long line pasted by mistake must not grow without bound.
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

/// Completes words and legal moves, and keeps what is typed.
struct LineHelper(Arc<Shared>);

impl Completer for LineHelper {
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
        let completions = self.0.completions.lock();
        let fits = |word: &&String| word.to_ascii_lowercase().starts_with(&beginning);
        Ok((start, completions.iter().filter(fits).cloned().collect()))
    }
}

impl Hinter for LineHelper {
    type Hint = String;

    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        line.clone_into(&mut self.0.typed.lock());
        None
    }
}

impl Highlighter for LineHelper {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Borrowed(prompt)
    }
}

impl Validator for LineHelper {}

impl Helper for LineHelper {}
