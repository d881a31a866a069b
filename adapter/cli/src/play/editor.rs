//! The screen of a terminal: lines are edited, recalled and completed, and what happens meanwhile is shown above them. Or the
//! whole screen is painted, and single keys are taken.

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
use rustyline::config::Configurer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::DefaultHistory;
use rustyline::validate::Validator;
use rustyline::{
    Behavior, Cmd, ConditionalEventHandler, Config, Context, Event, EventContext, EventHandler,
    ExternalPrinter, Helper, KeyCode, KeyEvent, Modifiers, RepeatCount,
};

use super::frame::Frame;
use super::input::{Input, Key};
use super::pasting::Pasting;
use super::screen::{Manners, Prompt, Screen, Size};
use crate::output::{printable, write};
use crate::platform;

/// The longest line that can be typed, in bytes.
const MAX_TYPED: usize = 4096;

/// How many lines are shown of a text that was pasted.
const MAX_SHOWN: usize = 40;

/// How long to wait for the line before the signal is sent again, and how often.
const RECALL_TIMEOUT: Duration = Duration::from_millis(50);
const MAX_RECALLS: usize = 40;

/// How long an Escape may be the beginning of another key, in milliseconds.
const ESCAPE_TIMEOUT_MS: u16 = 50;

/// A terminal with line editing.
pub(crate) struct Editor {
    input: Receiver<Input>,
    ask: Sender<Ask>,
    /// What was typed when the line was taken back; `None` where a line came instead.
    returned: Receiver<Option<String>>,
    shared: Arc<Shared>,
    asking: Asking,
    /// What a painted screen shows, and its size then.
    painted: Option<(Frame, Option<Size>)>,
}

/// What the editing thread is asked for.
enum Ask {
    /// A line, behind a prompt and with a beginning.
    Line(String, String),
    /// Keys, behind this status.
    Keys(String),
}

/// Whether a line is being typed.
#[derive(Debug, PartialEq, Eq)]
enum Asking {
    No,
    /// A line is being typed behind this prompt.
    Behind(String),
    /// Keys are being taken.
    Keys,
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
    /// Whether each key acts at once.
    takes_keys: AtomicBool,
    /// Whether Ctrl-Z was typed.
    is_suspended: AtomicBool,
    /// What is being pasted, between the marks that the terminal sets around it.
    pasting: Mutex<Option<Pasting>>,
    /// A text of several lines that was pasted, behind what was typed before it.
    pasted: Mutex<Option<Result<String, String>>>,
}

impl Editor {
    /// A terminal with line editing, whose lines go where `sender` leads; `None` where the terminal has none.
    pub(crate) fn open(sender: Sender<Input>, input: Receiver<Input>) -> Option<Editor> {
        platform::keep_terminal_mode();
        let shared = Arc::new(Shared::default());
        let (ask, asked) = bounded(1);
        let (give_back, returned) = bounded(1);
        let (ready, is_ready) = bounded(1);
        let helper = LineHelper(Arc::clone(&shared));
        let spawned = thread::Builder::new().spawn(move || {
            if let Ok(editor) = open_editor(helper, sender.clone()) {
                let _ = ready.send(());
                edit(editor, &asked, &sender, &give_back);
            }
        });
        spawned.ok()?;
        is_ready.recv().ok()?;
        // What is typed before a prompt stands behind it, and Ctrl-C is a key then too.
        platform::set_raw_mode().ok()?;
        Some(Editor {
            input,
            ask,
            returned,
            shared,
            asking: Asking::No,
            painted: None,
        })
    }

    /// Ends the painted screen, if there is one.
    fn leave_painting(&mut self) -> io::Result<()> {
        if self.asking == Asking::Keys {
            self.recall()?;
        }
        self.painted = None;
        self.shared.takes_keys.store(false, Ordering::SeqCst);
        platform::leave_full_screen()
    }

    /// Takes the line that is being typed off the terminal, and returns what was typed; or takes no more keys.
    ///
    /// rustyline ends a line from outside for a signal alone, and it hears SIGINT while a line is edited. Ctrl-C is
    /// a key then, so this signal is always ours or comes from another process.
    fn recall(&mut self) -> io::Result<String> {
        let prompt_width = match &self.asking {
            Asking::Behind(prompt) => Some(prompt.chars().count()),
            Asking::Keys => None,
            Asking::No | Asking::Done => return Ok(String::new()),
        };
        self.shared.is_recalled.store(true, Ordering::SeqCst);
        let returned = self.interrupt_until_returned();
        self.shared.is_recalled.store(false, Ordering::SeqCst);
        let Some(typed) = returned else {
            self.asking = Asking::Done;
            return Ok(String::new());
        };
        self.asking = Asking::No;
        if let Some(prompt_width) = prompt_width {
            erase_above(prompt_width + typed.chars().count())?;
        }
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

    fn size(&self) -> Option<Size> {
        platform::terminal_size()
    }

    fn takes_keys(&self) -> bool {
        self.size().is_some()
    }

    fn input(&self) -> &Receiver<Input> {
        &self.input
    }

    fn paint(&mut self, frame: &Frame) -> io::Result<()> {
        if matches!(self.asking, Asking::Behind(_)) {
            self.recall()?;
        }
        // A line that was typed before comes first.
        if self.asking == Asking::Done {
            return Ok(());
        }
        let size = self.size();
        let was_full = platform::enter_full_screen()?;
        let painted = self
            .painted
            .take()
            .filter(|(_, old)| was_full && *old == size);
        let painted = painted.map(|(frame, _)| frame);
        if painted.as_ref() != Some(frame) {
            write(&frame.changes(painted.as_ref()))?;
        }
        self.painted = Some((frame.clone(), size));
        if self.asking == Asking::No {
            self.shared.takes_keys.store(true, Ordering::SeqCst);
            // The thread waits for it.
            let _ = self.ask.send(Ask::Keys(frame.status.clone()));
            self.asking = Asking::Keys;
        }
        Ok(())
    }

    fn echo(&mut self, input: &Input) -> io::Result<()> {
        match input {
            Input::Key(Key::Resumed) => self.painted = None,
            Input::Key(_) => {}
            _ => self.end_line(),
        }
        // The terminal does not show what is pasted.
        match input {
            Input::Paste(_, text) => write(&shown(text)),
            _ => Ok(()),
        }
    }

    fn show(
        &mut self,
        text: &str,
        prompt: &Prompt,
        completions: &dyn Fn() -> Vec<String>,
    ) -> io::Result<()> {
        self.leave_painting()?;
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
            let _ = self.ask.send(Ask::Line(prompt.clone(), typed));
            self.asking = Asking::Behind(prompt.clone());
        }
        Ok(())
    }

    fn close(&mut self, text: &str) {
        let _ = self
            .leave_painting()
            .and_then(|()| self.recall())
            .and_then(|_| write(text));
        platform::restore_terminal();
    }
}

impl Editor {
    /// The editing thread has ended its line, which leaves a painted screen moved up.
    fn end_line(&mut self) {
        self.painted = None;
        if std::mem::replace(&mut self.asking, Asking::No) != Asking::Done {
            // The thread is about to say that a line came.
            let _ = self.returned.recv();
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        platform::restore_terminal();
    }
}

/// What is shown of a text that was pasted.
fn shown(text: &str) -> String {
    let mut shown: String = text
        .lines()
        .take(MAX_SHOWN)
        .map(|line| format!("{}\n", printable(line)))
        .collect();
    let n_more = text.lines().count().saturating_sub(MAX_SHOWN);
    if n_more > 0 {
        shown.push_str(&format!("... and {n_more} more lines\n"));
    }
    shown
}

type LineEditor = rustyline::Editor<LineHelper, DefaultHistory>;

/// The editor, with a printer: without one it does not look at signals between two keys.
fn open_editor(
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

/// Reads a line for each prompt that is asked for, or keys.
fn edit(
    (mut editor, _printer): (LineEditor, impl ExternalPrinter),
    asked: &Receiver<Ask>,
    input: &Sender<Input>,
    give_back: &Sender<Option<String>>,
) {
    for ask in asked {
        let line = match ask {
            Ask::Line(prompt, typed) => take_line(&mut editor, &prompt, typed),
            Ask::Keys(status) => take_keys(&mut editor, &status, input),
        };
        let Some(shared) = editor.helper().map(|helper| Arc::clone(&helper.0)) else {
            return;
        };
        let is_interrupted = shared.is_interrupted.swap(false, Ordering::SeqCst);
        let is_recalled = shared.is_recalled.load(Ordering::SeqCst);
        if line.as_ref().is_err_and(is_unreadable) && !is_recalled {
            // The rest of the paste, with its end, is lost with the byte.
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
            // A byte that is no UTF-8, as another alphabet sends: the line is lost, the game is not.
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

/// Takes a line. What was typed before Ctrl-Z is there when the program goes on.
fn take_line(
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

/// Whether Ctrl-Z ended the line.
fn is_suspended(editor: &LineEditor) -> bool {
    let shared = editor.helper().map(|helper| &helper.0);
    shared.is_some_and(|shared| shared.is_suspended.swap(false, Ordering::SeqCst))
}

/// Takes keys, which [`Keys`] passes on, until they are recalled or something ends the input.
fn take_keys(
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

/// Whether a byte came that is no UTF-8.
fn is_unreadable(error: &ReadlineError) -> bool {
    matches!(error, ReadlineError::Io(error) if error.kind() == ErrorKind::InvalidData)
}

impl Shared {
    /// Takes a key that belongs to a paste; what the editor does then. `None` for keys that are typed.
    fn paste(&self, key: KeyEvent, line: &str) -> Option<Cmd> {
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
    fn break_paste(&self) {
        if let Some(mut pasting) = self.pasting.lock().take() {
            pasting.push_unreadable();
            *self.pasted.lock() = Some(pasting.finish());
        }
    }
}

/// Keys that do something of their own.
struct Keys {
    shared: Arc<Shared>,
    input: Sender<Input>,
}

impl Keys {
    /// Passes a key on that acts at once.
    fn pass_on(&self, key: &KeyEvent) -> Option<Cmd> {
        // Ctrl-D ends the input as it does in a line.
        if *key == KeyEvent::ctrl('D') {
            return None;
        }
        if let Some(key) = single_key(key) {
            let _ = self.input.send(Input::Key(key));
        }
        Some(Cmd::Noop)
    }
}

/// The key that acts at once; `None` for one that does nothing.
fn single_key(key: &KeyEvent) -> Option<Key> {
    let KeyEvent(code, modifiers) = key;
    match code {
        KeyCode::Char(letter) if is_typed(key) => Some(Key::Letter(*letter)),
        // The line feed of a terminal that does not send a carriage return.
        KeyCode::Char('J' | 'M') if *modifiers == Modifiers::CTRL => Some(Key::Enter),
        KeyCode::Char('H') if *modifiers == Modifiers::CTRL => Some(Key::Backspace),
        KeyCode::Enter => Some(Key::Enter),
        KeyCode::Backspace => Some(Key::Backspace),
        KeyCode::Esc => Some(Key::Escape),
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
        if key.0 == KeyCode::Tab && self.shared.completions.lock().is_empty() {
            return Some(Cmd::SelfInsert(1, '\t'));
        }
        if *key == KeyEvent::ctrl('C') {
            // rustyline forgets what was typed ahead when it is interrupted, but not when a line is accepted.
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
