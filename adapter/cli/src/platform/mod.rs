//! System-specific functions: signals, file permissions and the `terminal`. Linux and macOS are supported.

pub(crate) mod terminal;

use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use std::{env, io, process, thread};

use crossbeam_channel::{Receiver, bounded};
use referee::stop::Stop;
use signal_hook::consts::{SIGABRT, SIGHUP, SIGINT, SIGTERM, SIGXFSZ};
use signal_hook::flag;
use signal_hook::iterator::Signals;

use self::terminal::restore;
use crate::usage::{Done, OrFail};

/// The meaning of a signal for the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wish {
    /// SIGINT, as sent by Ctrl-C.
    Interrupt,
    /// SIGTERM or SIGHUP, which request the end of the program.
    Terminate,
}

/// The path of this program.
pub(crate) fn this_executable() -> Done<PathBuf> {
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
    pub(crate) fn catch() -> Done<CaughtSignals> {
        let signals = Signals::new([SIGINT, SIGTERM, SIGHUP]).map(CaughtSignals);
        signals.or_trouble("signals")
    }

    /// Starts a thread that calls `act` for each signal.
    pub(crate) fn act(mut self, act: impl FnMut(Wish) + Send + 'static) -> Done {
        let thread = thread::Builder::new().name("signals".to_owned());
        let wish = |signal| match signal {
            SIGINT => Wish::Interrupt,
            _ => Wish::Terminate,
        };
        let started = thread.stack_size(SIGNALS_STACK);
        let started = started.spawn(move || self.0.forever().map(wish).for_each(act));
        started.map(drop).or_trouble("signals")
    }
}

/// Catches the signals and starts a thread that calls `act` for each.
///
/// # Errors
/// The signals cannot be caught, or the thread cannot be started.
pub fn on_signals(act: impl FnMut(Wish) + Send + 'static) -> Done {
    CaughtSignals::catch()?.act(act)
}

/// Time limit for the whole shutdown after a signal to a server or a bridge. Engines get one second of it.
const GRACE: Duration = Duration::from_secs(5);

/// Time for restoring the terminal of a program that has to be ended.
const RESTORE_TIMEOUT: Duration = Duration::from_millis(200);

/// A channel that receives one message at the first signal; some seconds later, the process exits in any case.
pub(crate) fn stop_on_signals() -> Done<Receiver<()>> {
    let (stop, stopped) = bounded(1);
    on_signals(move |_| {
        // A full channel already holds the message.
        let _ = stop.try_send(());
        exit_after(GRACE, 1);
    })?;
    Ok(stopped)
}

/// A stop of all engines at the first signal.
pub(crate) fn stop_at_once() -> Done<Stop> {
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
    let _ = flag::register_conditional_shutdown(SIGABRT, 1, Arc::new(AtomicBool::new(true)));
}

/// Ends the process after `grace`, unless it ends earlier. This covers threads blocked on a terminal that takes no
/// output. Call it on a thread with nothing else to do.
pub fn exit_after(grace: Duration, status: u8) -> ! {
    thread::sleep(grace);
    // It waits as long as the terminal takes no output.
    let (done, is_restored) = bounded(1);
    let restore = move || {
        restore();
        done.send(())
    };
    // If no thread can be started, the program exits without restoring the terminal.
    if thread::Builder::new().spawn(restore).is_ok() {
        let _ = is_restored.recv_timeout(RESTORE_TIMEOUT);
    }
    process::exit(i32::from(status));
}

/// The permissions of a file that only its owner can read.
pub const PRIVATE: u32 = 0o600;
/// The permissions of other files, from which the umask takes some away.
pub const USUAL: u32 = 0o666;

/// Options to create a file that only its owner can read, for example because it contains tokens.
pub fn private() -> OpenOptions {
    let mut options = File::options();
    options.write(true).mode(PRIVATE);
    options
}

/// Writes a whole file: a reader sees either the old or the new contents, and the old ones stay if this fails. Unless it
/// `replaces` a file, one that exists is an error and stays too.
///
/// # Errors
/// The folder cannot be written to, the disk is full, or the file exists.
pub fn write_whole(
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
