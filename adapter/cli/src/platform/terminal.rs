//! A terminal that passes on each key: at a prompt, messages appear above the line that is typed, or the whole screen is
//! painted.

use std::io::{self, IsTerminal, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use std::{env, panic, thread};

use crossbeam_channel::{Receiver, Sender};
use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::termios::{OptionalActions, OutputModes, tcgetattr, tcgetwinsize, tcsetattr};
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level::raise;
use unicode_width::UnicodeWidthStr;

use crate::output::{printable, write};
use crate::play::screen::{Frame, Input, InputLine, InputMode, Prompt, Row, Screen, Size};
use crate::usage::{Done, Failure, OrFail, refuse};

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
        // Text typed before the prompt then appears after it, and Ctrl-C is already a key.
        take()?;
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
        await_input()?;
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
        InputMode::Terminal
    }

    fn size(&self) -> Option<Size> {
        terminal_size()
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
        if !IS_FULL_SCREEN.swap(true, Ordering::SeqCst) {
            // Without line wrapping. The main screen keeps its contents.
            write("\x1b[?1049h\x1b[?7l")?;
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
                // While the process is stopped, the terminal has its original mode. A signal to the process could reach
                // another thread first; this thread must stop before it sets the terminal again.
                restore();
                let _ = raise(SIGTSTP);
                take()
            }
            // The terminal does not echo pasted text.
            (Ok(()), Input::Paste(_, text)) if self.painted.is_none() => write(&shown(text)),
            (Ok(()), _) => Ok(()),
        }
    }

    fn show(&mut self, text: &str, prompt: &Prompt, line: &InputLine) -> io::Result<()> {
        leave_full_screen()?;
        self.painted = None;
        let (Prompt::Ask(prompt) | Prompt::Wait(prompt)) = prompt;
        let width = terminal_size().map_or(80, |size| size.columns);
        let row = line.row(prompt, width.saturating_sub(1));
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
        let _ = leave_full_screen().and_then(|()| write(&format!("{erase}{text}")));
        restore();
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        restore();
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
    let shown = lines.map(|line| format!("{}\n", printable(line)));
    let n_more = text.lines().count().saturating_sub(MAX_SHOWN);
    let more = (n_more > 0).then(|| format!("... and {n_more} more lines\n"));
    shown.chain(more).collect()
}

/// `true` if the terminal is in raw mode, and if it shows its alternate screen.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
static IS_FULL_SCREEN: AtomicBool = AtomicBool::new(false);

/// Takes over the terminal: it passes on each key at once, including Ctrl-C, without echo, and marks what is pasted.
/// Pending input is kept. From now on, [`restore`] also runs on a panic.
///
/// # Errors
/// Standard input is not a terminal, or standard output cannot be written.
fn take() -> io::Result<()> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            restore();
            hook(info);
        }));
    });
    enable_raw_mode()?;
    IS_TAKEN.store(true, Ordering::SeqCst);
    // A line feed still returns to the first column.
    let mut mode = tcgetattr(io::stdin())?;
    mode.output_modes |= OutputModes::OPOST | OutputModes::ONLCR;
    tcsetattr(io::stdin(), OptionalActions::Now, &mode)?;
    write("\x1b[?2004h")
}

/// Waits until the terminal has input. crossterm would read a closed one again and again.
fn await_input() -> io::Result<()> {
    let stdin = io::stdin();
    let mut awaited = [PollFd::new(&stdin, PollFlags::IN)];
    loop {
        match poll(&mut awaited, None) {
            Ok(_) => break,
            Err(Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
    let closed = PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL;
    match awaited[0].revents().intersects(closed) {
        true => Err(io::ErrorKind::UnexpectedEof.into()),
        false => Ok(()),
    }
}

/// Switches back to the terminal's main screen.
fn leave_full_screen() -> io::Result<()> {
    if IS_FULL_SCREEN.swap(false, Ordering::SeqCst) {
        // On a terminal without an alternate screen, the next output starts on a new line.
        write("\x1b[?7h\r\n\x1b[?1049l")
    } else {
        Ok(())
    }
}

/// Restores the terminal's original mode and its main screen, if they were changed.
pub(crate) fn restore() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        // A terminal that is closed or takes no output cannot be restored.
        let _ = disable_raw_mode();
        let _ = leave_full_screen().and_then(|()| write("\x1b[?2004l"));
    }
}

/// Asks for a secret at the terminal, which does not show what is typed.
pub(crate) fn ask_secret(question: &str) -> Done<String> {
    if !io::stdin().is_terminal() {
        return refuse!(
            "--password: there is no terminal to ask at: put the password into a file, as in --password-file FILE"
        );
    }
    let read = take().and_then(|()| read_secret(question));
    restore();
    read.or_trouble("--password")?.ok_or(Failure::Left)
}

/// Reads keys up to Enter; `None` if Ctrl-C or Ctrl-D leaves.
fn read_secret(question: &str) -> io::Result<Option<String>> {
    let mut secret = String::new();
    let show = |text: &str| {
        let mut err = io::stderr();
        err.write_all(text.as_bytes()).and_then(|()| err.flush())
    };
    show(question)?;
    loop {
        match event::read()? {
            Event::Paste(text) => secret.push_str(&text),
            Event::Key(key) => match (key.code, key.modifiers.contains(KeyModifiers::CONTROL)) {
                (KeyCode::Char('c' | 'd'), true) => return show("\n").map(|()| None),
                (KeyCode::Enter, _) | (KeyCode::Char('j'), true) => break,
                (KeyCode::Backspace, _) | (KeyCode::Char('h'), true) => drop(secret.pop()),
                (KeyCode::Char(letter), false) => secret.push(letter),
                _ => {}
            },
            _ => {}
        }
    }
    show("\n").map(|()| Some(secret.trim().to_owned()))
}

/// The size of the terminal on standard output. If there is none, or its size is unknown, the size from the
/// environment variables COLUMNS and LINES, if both are set.
pub(crate) fn terminal_size() -> Option<Size> {
    let known = tcgetwinsize(io::stdout()).ok().map(|size| Size {
        columns: size.ws_col.into(),
        lines: size.ws_row.into(),
    });
    let number = |name| env::var(name).ok()?.parse().ok();
    let is_real = |size: &Size| size.columns > 0 && size.lines > 0;
    known.filter(is_real).or_else(|| {
        let (columns, lines) = (number("COLUMNS")?, number("LINES")?);
        Some(Size { columns, lines }).filter(is_real)
    })
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
