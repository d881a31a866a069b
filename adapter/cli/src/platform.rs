//! System-specific functions: signals, terminal modes, file permissions. Linux and macOS are supported.

use std::ffi::OsString;
use std::fs::{self, Permissions};
use std::io::{IsTerminal, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Once};
use std::time::Duration;
use std::{env, io, panic, process, thread};

use crossbeam_channel::{Receiver, bounded};
use crossterm::event::{self, Event, KeyCode, KeyModifiers};
use crossterm::terminal;
use referee::stop::Stop;
use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;
use rustix::termios::{OptionalActions, OutputModes, tcgetattr, tcgetwinsize, tcsetattr};
use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGTSTP, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;
use signal_hook::low_level::raise;

use crate::output;
use crate::usage::{Failure, OrFail, refuse};

/// The size of a screen, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) columns: usize,
    pub(crate) lines: usize,
}

impl Size {
    /// Parses a size such as `80x24`.
    pub(crate) fn parse(text: &str) -> Option<Size> {
        let (columns, lines) = text.split_once('x')?;
        let number = |text: &str| text.parse().ok().filter(|n| (1..=1000).contains(n));
        Some(Size {
            columns: number(columns)?,
            lines: number(lines)?,
        })
    }
}

/// The meaning of a signal for the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// SIGINT, as sent by Ctrl-C.
    Interrupt,
    /// SIGTERM or SIGHUP, which request the end of the program.
    Terminate,
}

/// The path of this program.
pub(crate) fn this_executable() -> Result<PathBuf, Failure> {
    env::current_exe().or_trouble("cannot find this executable")
}

/// `true` if this is a file that may be executed.
pub(crate) fn is_executable(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// Replaces this process by a program with these arguments. Returns the reason that it cannot.
pub(crate) fn replace(path: &Path, args: &[OsString]) -> io::Error {
    process::Command::new(path).args(args).exec()
}

/// Stack size of the signal thread, in bytes; small, so that the thread starts even if memory is short.
const SIGNALS_STACK: usize = 1 << 18;

/// The signals of this process, which are caught and queued until [`act`](CaughtSignals::act) handles them.
pub(crate) struct CaughtSignals(Signals);

/// Lets those execute a file who can read it.
pub(crate) fn make_executable(path: &Path) -> io::Result<()> {
    let mode = fs::metadata(path)?.permissions().mode();
    fs::set_permissions(path, Permissions::from_mode(mode | (mode & 0o444) >> 2))
}

impl CaughtSignals {
    /// Catches the signals. Until then they end the program as usual.
    pub(crate) fn catch() -> Result<CaughtSignals, Failure> {
        let signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map(CaughtSignals);
        signals.or_trouble("signals")
    }

    /// Starts a thread that calls `act` for each signal.
    pub(crate) fn act(mut self, mut act: impl FnMut(Wish) + Send + 'static) -> Result<(), Failure> {
        let thread = thread::Builder::new().name("signals".to_owned());
        let started = thread.stack_size(SIGNALS_STACK).spawn(move || {
            for signal in self.0.forever() {
                act(match signal {
                    SIGINT => Wish::Interrupt,
                    _ => Wish::Terminate,
                });
            }
        });
        started.map(drop).or_trouble("signals")
    }
}

/// Catches the signals and starts a thread that calls `act` for each.
///
/// # Errors
/// The signals cannot be caught, or the thread cannot be started.
pub fn on_signals(act: impl FnMut(Wish) + Send + 'static) -> Result<(), Failure> {
    CaughtSignals::catch()?.act(act)
}

/// Time limit for the whole shutdown after a signal to a server or a bridge. Engines get one second of it.
const GRACE: Duration = Duration::from_secs(5);

/// Time for restoring the terminal of a program that has to be ended.
const RESTORE_TIMEOUT: Duration = Duration::from_millis(200);

/// A channel that receives one message at the first signal; some seconds later, the process exits in any case.
pub(crate) fn stop_on_signals() -> Result<Receiver<()>, Failure> {
    let (stop, stopped) = bounded(1);
    on_signals(move |_| {
        // A full channel already holds the message.
        let _ = stop.try_send(());
        exit_after(GRACE, 1);
    })?;
    Ok(stopped)
}

/// A stop of all engines at the first signal.
pub(crate) fn stop_at_once() -> Result<Stop, Failure> {
    let stop = Stop::default();
    let signalled = stop.clone();
    on_signals(move |_| signalled.now())?;
    Ok(stop)
}

/// Makes a write beyond the limit of file sizes an error, and a lack of memory an end with status 1, after the message of
/// the allocator; signals would end the program.
pub(crate) fn catch_limits() {
    // Without a handler, only the message or the status is lost.
    let _ = flag::register(SIGXFSZ, Arc::default());
    let always = Arc::new(AtomicBool::new(true));
    let _ = flag::register_conditional_shutdown(SIGABRT, 1, always);
}

/// Ends the process after `grace`, unless it ends earlier. This covers threads blocked on a terminal that takes no
/// output. Call it on a thread with nothing else to do.
pub fn exit_after(grace: Duration, status: u8) -> ! {
    thread::sleep(grace);
    // It waits as long as the terminal takes no output.
    let (done, is_restored) = bounded(1);
    let restore = move || {
        restore_terminal();
        done.send(())
    };
    // If no thread can be started, the program exits without restoring the terminal.
    if thread::Builder::new().spawn(restore).is_ok() {
        let _ = is_restored.recv_timeout(RESTORE_TIMEOUT);
    }
    process::exit(i32::from(status));
}

/// The permissions of a file that only its owner can read, and those of others, from which the umask takes some away.
pub(crate) const PRIVATE: u32 = 0o600;
pub(crate) const USUAL: u32 = 0o666;

/// Writes a whole file: a reader sees either the old or the new contents, and the old ones stay if this fails. Unless it
/// `replaces` a file, one that exists is an error and stays too.
pub(crate) fn write_whole(
    path: &Path,
    content: &[u8],
    permissions: u32,
    replaces: bool,
) -> io::Result<()> {
    let folder = path.parent().filter(|path| *path != Path::new(""));
    let mut file = tempfile::Builder::new()
        .prefix(".linesman-")
        .permissions(Permissions::from_mode(permissions))
        .tempfile_in(folder.unwrap_or(Path::new(".")))?;
    file.write_all(content)?;
    file.as_file().sync_all()?;
    let kept = match replaces {
        true => file.persist(path),
        false => file.persist_noclobber(path),
    };
    kept.map(drop).map_err(|failed| failed.error)
}

/// Whether the terminal is in raw mode, and whether it shows its alternate screen.
static IS_TAKEN: AtomicBool = AtomicBool::new(false);
static IS_FULL_SCREEN: AtomicBool = AtomicBool::new(false);

/// Takes over the terminal: it passes on each key at once, including Ctrl-C, without echo, and marks what is pasted.
/// Pending input is kept. From now on, [`restore_terminal`] also runs on a panic.
///
/// # Errors
/// Standard input is not a terminal, or standard output cannot be written.
pub(crate) fn take_terminal() -> io::Result<()> {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            restore_terminal();
            hook(info);
        }));
    });
    terminal::enable_raw_mode()?;
    IS_TAKEN.store(true, Ordering::SeqCst);
    // A line feed still returns to the first column.
    let mut mode = tcgetattr(io::stdin())?;
    mode.output_modes |= OutputModes::OPOST | OutputModes::ONLCR;
    tcsetattr(io::stdin(), OptionalActions::Now, &mode)?;
    output::write("\x1b[?2004h")
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

/// Switches to the terminal's alternate screen, without line wrapping. The main screen keeps its contents. Returns
/// `true` if the alternate screen was already shown.
pub(crate) fn enter_full_screen() -> io::Result<bool> {
    if IS_FULL_SCREEN.swap(true, Ordering::SeqCst) {
        return Ok(true);
    }
    output::write("\x1b[?1049h\x1b[?7l").map(|()| false)
}

/// Switches back to the terminal's main screen.
pub(crate) fn leave_full_screen() -> io::Result<()> {
    if IS_FULL_SCREEN.swap(false, Ordering::SeqCst) {
        // On a terminal without an alternate screen, the next output starts on a new line.
        output::write("\x1b[?7h\r\n\x1b[?1049l")
    } else {
        Ok(())
    }
}

/// Stops the process until the shell continues it. While it is stopped, the terminal has its original mode.
///
/// # Errors
/// The terminal is closed when the process continues.
pub(crate) fn suspend() -> io::Result<()> {
    restore_terminal();
    // A signal to the process could reach another thread first; this thread must stop before it sets the terminal
    // again.
    let _ = raise(SIGTSTP);
    take_terminal()
}

/// Restores the terminal's original mode and its main screen, if they were changed.
pub(crate) fn restore_terminal() {
    if IS_TAKEN.swap(false, Ordering::SeqCst) {
        // A terminal that is closed or takes no output cannot be restored.
        let _ = terminal::disable_raw_mode();
        let _ = leave_full_screen().and_then(|()| output::write("\x1b[?2004l"));
    }
}

/// Asks for a secret at the terminal, which does not show what is typed.
pub(crate) fn ask_secret(question: &str) -> Result<String, Failure> {
    if !io::stdin().is_terminal() {
        return refuse!(
            "--password: there is no terminal to ask at: put the password into a file, as in --password-file FILE"
        );
    }
    let read = take_terminal().and_then(|()| read_secret(question));
    restore_terminal();
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

/// Width of the terminal in characters; 80 if unknown.
pub(crate) fn terminal_width() -> usize {
    terminal_size().map_or(80, |size| size.columns)
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
