//! The screen of a terminal with line editing: lines are edited, recalled and completed, and messages appear above
//! them. For the input by keys, the whole screen is painted.

mod keys;
mod line_helper;
mod shared;
mod thread;

use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};

use super::columns::columns;
use super::frame::Frame;
use super::input::{Input, Key};
use super::screen::{InputMode, Prompt, Screen, Size};
use crate::output::{printable, write};
use crate::platform;
use line_helper::LineHelper;
pub(crate) use line_helper::candidates;
pub(crate) use shared::MAX_TYPED;
use shared::Shared;
use thread::{Ask, edit, open_editor};

/// Maximum number of lines shown of a pasted text.
const MAX_SHOWN: usize = 40;

/// Time to wait for the recalled line before the signal is sent again, and maximum number of signals.
const RECALL_TIMEOUT: Duration = Duration::from_millis(50);
const MAX_RECALLS: usize = 40;

/// A terminal with line editing.
pub(crate) struct Editor {
    input: Receiver<Input>,
    ask: Sender<Ask>,
    /// The text typed before the line was recalled; `None` if the user entered the line first.
    returned: Receiver<Option<String>>,
    shared: Arc<Shared>,
    asking: Asking,
    /// The frame on the painted screen, and the size of the screen at that time.
    painted: Option<(Frame, Option<Size>)>,
}

/// The request that the editing thread is working on.
#[derive(Debug, PartialEq, Eq)]
enum Asking {
    No,
    /// The user types a line after this prompt.
    Behind(String),
    /// The user presses keys.
    Keys,
    /// The user has entered a line, which is in the input.
    Done,
}

impl Editor {
    /// Opens a terminal with line editing, which sends its lines to `sender`; `None` if the terminal does not support
    /// it.
    pub(crate) fn open(sender: Sender<Input>, input: Receiver<Input>) -> Option<Editor> {
        platform::keep_terminal_mode();
        let shared = Arc::new(Shared::default());
        let (ask, asked) = bounded(1);
        let (give_back, returned) = bounded(1);
        let (ready, is_ready) = bounded(1);
        let helper = LineHelper(Arc::clone(&shared));
        let spawned = std::thread::Builder::new().spawn(move || {
            if let Ok(editor) = open_editor(helper, sender.clone()) {
                let _ = ready.send(());
                edit(editor, &asked, &sender, &give_back);
            }
        });
        spawned.ok()?;
        is_ready.recv().ok()?;
        // Text typed before a prompt then appears after it, and Ctrl-C is already a key.
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

    /// Leaves the painted screen, if there is one.
    fn leave_painting(&mut self) -> io::Result<()> {
        if self.asking == Asking::Keys {
            self.recall()?;
        }
        self.painted = None;
        self.shared.takes_keys.store(false, Ordering::SeqCst);
        platform::leave_full_screen()
    }

    /// Removes the line being typed from the terminal and returns its text, or ends the input by keys.
    ///
    /// rustyline ends a line from outside only for a signal, and it reacts to SIGINT while a line is edited. Ctrl-C is
    /// a key at that time, so the signal comes from this function or from another process.
    fn recall(&mut self) -> io::Result<String> {
        let prompt_width = match &self.asking {
            Asking::Behind(prompt) => Some(columns(prompt)),
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
            erase_above(prompt_width + columns(&typed))?;
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

/// Erases the line above the cursor, which may be wrapped.
fn erase_above(width: usize) -> io::Result<()> {
    let n_rows = width / platform::terminal_width() + 1;
    write!(io::stdout().lock(), "\x1b[{n_rows}A\r\x1b[J")
}

impl Screen for Editor {
    fn input_mode(&self) -> InputMode {
        InputMode {
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
        // A line that is already entered is handled first.
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
            // The thread is waiting for this request.
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
        // The terminal does not echo pasted text.
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
            // The thread is waiting for this request.
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
    /// Updates the state after the editing thread has ended its line, which scrolls a painted screen.
    fn end_line(&mut self) {
        self.painted = None;
        if std::mem::replace(&mut self.asking, Asking::No) != Asking::Done {
            // The thread is about to report that it returned a line.
            let _ = self.returned.recv();
        }
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        platform::restore_terminal();
    }
}

/// The displayed part of a pasted text.
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
