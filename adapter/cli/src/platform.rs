//! What depends on the operating system: signals, the terminal's mode, permissions of files. Linux and macOS are supported.

use std::env;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::panic;
use std::path::PathBuf;
use std::process;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Signal, getpid, kill_process};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;
use signal_hook::low_level::raise;

use crate::output;
use crate::usage::Failure;

/// How large a screen is, in characters.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) columns: usize,
    pub(crate) lines: usize,
}

/// A signal that the program acts on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// SIGINT: someone pressed Ctrl-C.
    Interrupt,
    /// SIGTERM or SIGHUP: the program is to end.
    Terminate,
}

/// The file of this program, which is also the built-in engine.
pub(crate) fn this_executable() -> Result<PathBuf, Failure> {
    env::current_exe()
        .map_err(|error| Failure::Trouble(format!("cannot find this executable: {error}")))
}

/// Stack of the thread that hears signals, in bytes. It is set so that signals are heard where memory is short.
const SIGNALS_STACK: usize = 1 << 18;

/// The signals of this process, caught from now on; they wait until they are acted on.
#[derive(Debug)]
pub(crate) struct CaughtSignals(Signals);

/// The permissions of a new file, from which the system takes those that the user withholds.
pub(crate) fn usual_permissions() -> Permissions {
    Permissions::from_mode(0o666)
}

impl CaughtSignals {
    /// Catches the signals.
    pub(crate) fn new() -> io::Result<CaughtSignals> {
        Signals::new([SIGINT, SIGTERM, SIGHUP]).map(CaughtSignals)
    }

    /// Calls `act` for each signal, on a thread of its own.
    pub(crate) fn act(mut self, mut act: impl FnMut(Wish) + Send + 'static) -> io::Result<()> {
        let thread = thread::Builder::new().name("signals".to_owned());
        thread.stack_size(SIGNALS_STACK).spawn(move || {
            for signal in self.0.forever() {
                act(match signal {
                    SIGINT => Wish::Interrupt,
                    _ => Wish::Terminate,
                });
            }
        })?;
        Ok(())
    }
}

/// Catches the signals, and calls `act` for each on a thread of its own.
///
/// # Errors
/// The signals cannot be caught, or the thread cannot be started.
pub(crate) fn on_signals(act: impl FnMut(Wish) + Send + 'static) -> io::Result<()> {
    CaughtSignals::new()?.act(act)
}

/// Ends the program if it has not ended by itself in this time: a terminal that takes no output holds up whoever writes
/// to it. Call it where nothing else has to be done.
pub(crate) fn exit_after(grace: Duration, status: u8) -> ! {
    thread::sleep(grace);
    restore_terminal();
    process::exit(i32::from(status));
}

/// Sends this process a SIGINT.
pub(crate) fn interrupt_self() {
    // The process exists, and may send itself signals.
    let _ = kill_process(getpid(), Signal::INT);
}

/// Has the terminal give each key at once, Ctrl-C among them, and show none. Keys that nobody reads yet are kept.
///
/// # Errors
/// Standard input is no terminal.
pub(crate) fn set_raw_mode() -> io::Result<()> {
    let mut mode = tcgetattr(io::stdin())?;
    let output_modes = mode.output_modes;
    mode.make_raw();
    // A line feed still begins a line.
    mode.output_modes = output_modes;
    Ok(tcsetattr(io::stdin(), OptionalActions::Now, &mode)?)
}

/// Reads what is there of standard input, past the buffer of [`io::stdin`]; blocks where nothing is.
///
/// # Errors
/// [`Interrupted`](io::ErrorKind::Interrupted) by a signal, such as that of a changed size.
pub(crate) fn read_input(buffer: &mut [u8]) -> io::Result<usize> {
    Ok(rustix::io::read(io::stdin(), buffer)?)
}

/// Whether something can be read from standard input within this time.
pub(crate) fn awaits_input(timeout: Duration) -> bool {
    let stdin = io::stdin();
    let mut input = [PollFd::new(&stdin, PollFlags::IN)];
    let timeout = Timespec::try_from(timeout).ok();
    poll(&mut input, timeout.as_ref()).is_ok_and(|n_ready| n_ready > 0)
}

/// The terminal's mode when the program began.
static TERMINAL_MODE: OnceLock<Termios> = OnceLock::new();

/// Keeps the mode of the terminal, so that [`restore_terminal`] can set it again. Where the program panics, it is set too.
pub(crate) fn keep_terminal_mode() {
    if let Ok(mode) = tcgetattr(io::stdin())
        && TERMINAL_MODE.set(mode).is_ok()
    {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            restore_terminal();
            hook(info);
        }));
    }
}

/// Whether the terminal shows a whole screen instead of lines.
static IS_FULL_SCREEN: AtomicBool = AtomicBool::new(false);

/// Turns to the terminal's second screen, whose lines are not folded. What the first one shows comes back when it is
/// left. Whether the second one was shown before.
pub(crate) fn enter_full_screen() -> io::Result<bool> {
    if IS_FULL_SCREEN.swap(true, Ordering::SeqCst) {
        return Ok(true);
    }
    output::write("\x1b[?1049h\x1b[?7l").map(|()| false)
}

/// Turns back to the terminal's first screen, if the second one is shown.
pub(crate) fn leave_full_screen() -> io::Result<()> {
    if IS_FULL_SCREEN.swap(false, Ordering::SeqCst) {
        output::write("\x1b[?7h\x1b[?1049l")
    } else {
        Ok(())
    }
}

/// Stops this program until the shell has it go on. Meanwhile the terminal is as it was before the program began.
pub(crate) fn suspend() {
    let mode = tcgetattr(io::stdin());
    let is_full = IS_FULL_SCREEN.load(Ordering::SeqCst);
    restore_terminal();
    // A signal to the process might reach another thread first: this one stops before it changes the terminal again.
    let _ = raise(SIGTSTP);
    if let Ok(mode) = mode {
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, &mode);
    }
    if is_full {
        let _ = enter_full_screen();
    }
}

/// Sets the terminal to the mode that was kept, and to its first screen.
pub(crate) fn restore_terminal() {
    // A terminal that takes no output cannot be restored.
    let _ = leave_full_screen();
    if let Some(mode) = TERMINAL_MODE.get() {
        // A terminal that is gone cannot be restored.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, mode);
    }
}

/// How many characters fit in a line of the terminal.
pub(crate) fn terminal_width() -> usize {
    terminal_size().map_or(80, |size| size.columns)
}

/// The size of the terminal that standard output leads to. Where it leads to none, or to one that does not know its size,
/// COLUMNS and LINES of the environment give it, if both are set.
pub(crate) fn terminal_size() -> Option<Size> {
    let known = tcgetwinsize(io::stdout()).ok().map(|size| Size {
        columns: size.ws_col.into(),
        lines: size.ws_row.into(),
    });
    let is_real = |size: &Size| size.columns > 0 && size.lines > 0;
    known.filter(is_real).or_else(|| {
        let number = |name| env::var(name).ok()?.parse().ok();
        let size = Size {
            columns: number("COLUMNS")?,
            lines: number("LINES")?,
        };
        Some(size).filter(is_real)
    })
}
