//! The terminal itself: raw mode and its end, the size, and a secret that it does not show.

use std::io::{self, IsTerminal, Write};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{env, panic};

use crossterm::event::{self, Event, KeyCode, KeyModifiers};
use crossterm::terminal::{disable_raw_mode, enable_raw_mode};
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::termios::{OptionalActions, OutputModes, tcgetattr, tcgetwinsize, tcsetattr};
use signal_hook::consts::SIGTSTP;
use signal_hook::low_level::raise;

use crate::output::write;
use crate::play::screen::Size;
use crate::usage::{Done, Failure, OrFail, refuse};

/// `true` if the terminal is in raw mode, and if it shows its alternate screen.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
static IS_FULL_SCREEN: AtomicBool = AtomicBool::new(false);

/// Takes over the terminal: it passes on each key at once, including Ctrl-C, without echo, and marks what is pasted.
/// Pending input is kept. From now on, [`restore`] also runs on a panic.
///
/// # Errors
/// Standard input is not a terminal, or standard output cannot be written.
pub(crate) fn take() -> io::Result<()> {
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
pub(crate) fn await_input() -> io::Result<()> {
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

/// Switches to the terminal's second screen, without line wrapping; the main one keeps its contents. `false` if it is shown
/// already.
pub(crate) fn enter_full_screen() -> io::Result<bool> {
    let is_new = !IS_FULL_SCREEN.swap(true, Ordering::SeqCst);
    if is_new {
        write("\x1b[?1049h\x1b[?7l")?;
    }
    Ok(is_new)
}

/// Stops the process until it is continued. While it is stopped, the terminal has its original mode.
pub(crate) fn suspend() -> io::Result<()> {
    restore();
    // A signal to the process could reach another thread first; this thread must stop before it sets the terminal again.
    let _ = raise(SIGTSTP);
    take()
}

/// Switches back to the terminal's main screen.
pub(crate) fn leave_full_screen() -> io::Result<()> {
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
