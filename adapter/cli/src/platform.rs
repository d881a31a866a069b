//! What depends on the operating system: signals, the terminal's mode, permissions of files. Linux and macOS are supported.

use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::process;
use std::sync::OnceLock;
use std::thread;
use std::time::Duration;

use rustix::process::{Signal, getpid, kill_process};
use rustix::termios::{OptionalActions, Termios, tcgetattr, tcgetwinsize, tcsetattr};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

/// A signal that the program acts on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Wish {
    /// SIGINT: someone pressed Ctrl-C.
    Interrupt,
    /// SIGTERM or SIGHUP: the program is to end.
    Terminate,
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

/// The terminal's mode when the program began.
static TERMINAL_MODE: OnceLock<Termios> = OnceLock::new();

/// Keeps the mode of the terminal, so that [`restore_terminal`] can set it again.
pub(crate) fn keep_terminal_mode() {
    if let Ok(mode) = tcgetattr(io::stdin()) {
        let _ = TERMINAL_MODE.set(mode);
    }
}

/// Sets the terminal to the mode that was kept.
pub(crate) fn restore_terminal() {
    if let Some(mode) = TERMINAL_MODE.get() {
        // A terminal that is gone cannot be restored.
        let _ = tcsetattr(io::stdin(), OptionalActions::Now, mode);
    }
}

/// How many characters fit in a line of the terminal.
pub(crate) fn terminal_width() -> usize {
    let size = tcgetwinsize(io::stdout());
    let n_columns = size.map_or(0, |size| usize::from(size.ws_col));
    if n_columns == 0 { 80 } else { n_columns }
}
