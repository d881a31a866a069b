//! A terminal that passes on each key: at a prompt, messages appear above the line that is typed, or the whole screen is
//! painted.

use std::io;
use std::thread;
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use unicode_width::UnicodeWidthStr;

use super::line::{InputLine, Row};
use super::screen::{Frame, Input, InputMode, Prompt, Screen, Size};
use crate::output::{printable, write};
use crate::platform;

/// Maximum number of lines shown of a pasted text.
const MAX_SHOWN: usize = 40;

/// Time for which another key is awaited after one. If it ran out before the keys that are read already were looked at,
/// they would stay there until the next one: it is longer than a busy machine stops a thread.
const NEXT_KEY_TIMEOUT: Duration = Duration::from_millis(200);

/// A terminal in raw mode.
pub(crate) struct RawTerminal {
    input: Receiver<Input>,
    /// The row of the cursor, with the prompt and the line.
    row: Option<Row>,
    /// The painted screen.
    painted: Option<Frame>,
}

impl RawTerminal {
    /// Takes over the terminal, and starts the thread that sends its keys to `sender`.
    ///
    /// # Errors
    /// There is no terminal, or no thread can be started.
    pub(crate) fn open(sender: Sender<Input>, input: Receiver<Input>) -> io::Result<RawTerminal> {
        // It is restored if this fails.
        let terminal = RawTerminal {
            input,
            row: None,
            painted: None,
        };
        // What is typed before the prompt then appears after it, and Ctrl-C is already a key.
        platform::take_terminal()?;
        thread::Builder::new().spawn(move || {
            // The receiver may be gone.
            let _ = read_keys(&sender).or_else(|_| sender.send(Input::End));
        })?;
        Ok(terminal)
    }

    /// Ends the row of the prompt, on which the line stays.
    fn end_row(&mut self) -> io::Result<()> {
        self.row.take().map_or(Ok(()), |_| write("\n"))
    }
}

/// Sends what is typed and pasted, until the terminal is closed.
fn read_keys(input: &Sender<Input>) -> io::Result<()> {
    loop {
        platform::await_input()?;
        while event::poll(NEXT_KEY_TIMEOUT)? {
            let heard = match event::read()? {
                Event::Key(key) if key.kind == KeyEventKind::Release => continue,
                Event::Key(key) if key.modifiers == KeyModifiers::CONTROL => match key.code {
                    KeyCode::Char('c') => Input::Interrupt,
                    KeyCode::Char('z') => Input::Suspend,
                    _ => Input::Key(key),
                },
                Event::Key(key) => Input::Key(key),
                Event::Paste(text) => Input::pasted(&text),
                // A new size is noticed when the screen is painted.
                _ => continue,
            };
            if input.send(heard).is_err() {
                return Ok(());
            }
        }
    }
}

impl Screen for RawTerminal {
    fn input_mode(&self) -> InputMode {
        InputMode::TERMINAL
    }

    fn size(&self) -> Option<Size> {
        platform::terminal_size()
    }

    fn reads_keys(&self) -> bool {
        true
    }

    fn input(&self) -> &Receiver<Input> {
        &self.input
    }

    fn paint(&mut self, frame: &Frame) -> io::Result<()> {
        if self.row.take().is_some() {
            write("\r\x1b[K")?;
        }
        if !platform::enter_full_screen()? {
            self.painted = None;
        }
        write(&frame.changes(self.painted.as_ref()))?;
        self.painted = Some(frame.clone());
        Ok(())
    }

    fn echo(&mut self, input: &Input) -> io::Result<()> {
        match (self.end_row(), input) {
            // The terminal may be closed.
            (_, Input::End) => Ok(()),
            (Err(error), _) => Err(error),
            (Ok(()), Input::Suspend) => {
                self.painted = None;
                platform::suspend()
            }
            // The terminal does not echo pasted text.
            (Ok(()), Input::Paste(_, text)) if self.painted.is_none() => write(&shown(text)),
            (Ok(()), _) => Ok(()),
        }
    }

    fn show(&mut self, text: &str, prompt: &Prompt, line: &InputLine) -> io::Result<()> {
        platform::leave_full_screen()?;
        self.painted = None;
        let (Prompt::Ask(prompt) | Prompt::Wait(prompt)) = prompt;
        let row = line.row(prompt, platform::terminal_width().saturating_sub(1));
        let mut out = String::new();
        if !text.is_empty() {
            let erase = self.row.take().map_or("", |_| "\r\x1b[J");
            out.push_str(&format!("{erase}{text}"));
        }
        change_row(&mut out, &row, self.row.as_ref());
        self.row = Some(row);
        write(&out)
    }

    fn close(&mut self, text: &str) {
        let erase = self.row.take().map_or("", |_| "\r\x1b[J");
        let _ = platform::leave_full_screen().and_then(|()| write(&format!("{erase}{text}")));
        platform::restore_terminal();
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        platform::restore_terminal();
    }
}

/// Replaces the row of the cursor by another one.
fn change_row(out: &mut String, row: &Row, old: Option<&Row>) {
    let end = row.text.width();
    let is_at_end = |old: &Row| old.cursor == old.text.width();
    match old {
        Some(old) if old == row => return,
        Some(old) if is_at_end(old) && row.text.starts_with(&old.text) => {
            out.push_str(&row.text[old.text.len()..]);
        }
        Some(_) => out.push_str(&format!("\r\x1b[K{}", row.text)),
        None => out.push_str(&row.text),
    }
    if row.cursor < end {
        out.push_str(&format!("\x1b[{}D", end - row.cursor));
    }
}

/// The displayed part of a pasted text.
fn shown(text: &str) -> String {
    let lines = text.lines().take(MAX_SHOWN);
    let mut shown: String = lines.map(|line| format!("{}\n", printable(line))).collect();
    let n_more = text.lines().count().saturating_sub(MAX_SHOWN);
    if n_more > 0 {
        shown.push_str(&format!("... and {n_more} more lines\n"));
    }
    shown
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_added_to_a_row_is_written_alone() {
        let row = |text: &str, cursor| Row {
            text: text.to_owned(),
            cursor,
        };
        for (old, new, written) in [
            (None, row("1> e", 4), "1> e"),
            (Some(row("1> e", 4)), row("1> e5", 5), "5"),
            (Some(row("1> e", 4)), row("1> e", 4), ""),
            (Some(row("1> e5", 5)), row("1> e5", 3), "\x1b[2D"),
            (
                Some(row("1> e5", 3)),
                row("1> ae5", 4),
                "\r\x1b[K1> ae5\x1b[2D",
            ),
            (Some(row("1> e5", 5)), row("1> e", 4), "\r\x1b[K1> e"),
        ] {
            let mut out = String::new();
            change_row(&mut out, &new, old.as_ref());
            assert_eq!(out, written);
        }
    }
}
