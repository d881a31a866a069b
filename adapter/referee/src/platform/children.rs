//! Child processes: process groups, exit status, and descendants that would outlive this process or their parent.
//!
//! Each engine has a process group and a mark in its environment, which its descendants inherit. This process adopts
//! orphaned descendants (Linux), so at the end of an engine those that have left its group are found among the own
//! children, by the mark. If this process is killed, a watchdog kills the groups of all engines and what bears a mark.

use std::io::{PipeReader, PipeWriter, Write, pipe};
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, OnceLock};
use std::thread;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use parking_lot::Mutex;
use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, kill_process_group, waitid, waitpgid,
};

use super::system::set_nonblocking;

/// End of a process, or the pipe that it closed while running.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Death {
    /// Exited with this status.
    #[error("exited with status {0}")]
    Exited(i32),
    /// Killed by this signal.
    #[error("was killed by signal {0}")]
    Killed(i32),
    /// Running, but its output is closed.
    #[error("closed its output")]
    ClosedOutput,
    /// Running, but its input is closed.
    #[error("closed its input")]
    ClosedInput,
}

/// Kills the process group of a child. The child must not have been reaped yet, so that the group's id cannot have been
/// reused.
pub(crate) fn kill_group(child: &Child) {
    // Fails if no process is left, which is fine.
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

/// Reaps a child and the orphans of its killed group, as far as they end before the deadline.
pub(crate) fn reap_group(child: &Child, deadline: Instant) {
    let group = Pid::from_child(child);
    while let Ok(ended) = waitpgid(group, WaitOptions::NOHANG) {
        if ended.is_none() {
            if Instant::now() >= deadline {
                return;
            }
            thread::sleep(Duration::from_micros(200));
        }
    }
}

/// The exit status of the child, if it has ended. Does not reap it.
pub(crate) fn exited(child: &Child) -> Option<Death> {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    let status = waitid(WaitId::Pid(Pid::from_child(child)), options).ok()??;
    match (status.exit_status(), status.terminating_signal()) {
        (Some(code), _) => Some(Death::Exited(code)),
        (None, Some(signal)) => Some(Death::Killed(signal)),
        (None, None) => None,
    }
}

/// Environment variable of an engine. Its value holds the mark, after that of an engine that runs this one.
const MARK: &str = "LINESMAN_ENGINE";

/// Reads the groups that begin (`+ 12`) and end (`- 12`), and those whose descendants were searched for too (`= 12`). At
/// the end of its input, this process has ended. Searching all processes takes longer than a short match.
const SCRIPT: &str = r#"trap '' HUP INT TERM
all=' ' open=0
while read -r sign pid; do
    case $sign in
    +) all="$all$pid " open=$((open + 1)) ;;
    -) all="${all%% $pid *} ${all#* $pid }" ;;
    =) open=$((open - 1)) ;;
    esac
done
for pid in $all; do kill -9 "-$pid"; done
[ $open = 0 ] || for file in $(grep -lsz "^LINESMAN_ENGINE=.*:$0" /proc/[0-9]*/environ); do
    file=${file#/proc/}
    kill -9 "${file%/environ}"
done"#;

/// The beginning of all marks of this process.
static OWN_MARK: LazyLock<String> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanos = since.map_or(0, |since| since.as_nanos());
    format!("{}-{nanos}.", std::process::id())
});

/// Stack size in bytes of the thread that starts the watchdog.
const STACK: usize = 1 << 17;

/// The input of the watchdog; `None` on a system that has no more pipes or threads.
static WATCHDOG_INPUT: LazyLock<Option<Mutex<PipeWriter>>> = LazyLock::new(|| {
    adopt_orphans();
    let (reader, writer) = pipe().ok()?;
    set_nonblocking(&writer).ok()?;
    // The engines do not wait for the watchdog: the pipe stores its input until it runs.
    let starter = thread::Builder::new().stack_size(STACK);
    starter.spawn(|| start_watchdog(reader)).ok()?;
    Some(Mutex::new(writer))
});

/// The process ID of the watchdog, a child of this process that outlives it.
static WATCHDOG: OnceLock<u32> = OnceLock::new();

fn start_watchdog(input: PipeReader) {
    let mut command = Command::new("/bin/sh");
    command
        .args(["-c", SCRIPT, &OWN_MARK])
        .env(MARK, "watchdog");
    command.stdin(input).stdout(Stdio::null());
    // Signals of the terminal reach the group of this process only.
    command.stderr(Stdio::null()).process_group(0);
    // On a system without a shell, an engine still ends with its input.
    if let Ok(shell) = command.spawn() {
        let _ = WATCHDOG.set(shell.id());
    }
}

/// Marks an engine that is about to start, and gives it a separate process group, so that [`kill_group`] also reaches its
/// descendants. Returns the mark.
pub(crate) fn mark(command: &mut Command) -> String {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let mark = format!(":{}{number}:", *OWN_MARK);
    let outer = std::env::var(MARK).unwrap_or_default();
    command.env(MARK, outer + &mark).process_group(0);
    mark
}

/// Adds the group of an engine to those that the watchdog kills (`+`), removes it (`-`) before its number is free, or
/// reports that it has no descendants left (`=`).
pub(crate) fn watch_group(sign: char, group: u32) {
    if let Some(input) = &*WATCHDOG_INPUT {
        // Without the watchdog, this write fails.
        let line = format!("{sign} {group}\n");
        let _ = input.lock().write_all(line.as_bytes());
    }
}

/// Makes this process the parent of its orphaned descendants.
#[cfg(target_os = "linux")]
pub(crate) fn adopt_orphans() {
    use rustix::process::{getpid, set_child_subreaper};

    // Old kernels do not support this; orphans then become children of init.
    let _ = set_child_subreaper(Some(getpid()));
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn adopt_orphans() {}

/// Kills the children of this process that bear the mark, or without a mark all but the watchdog, and the orphans that
/// become its children meanwhile.
#[cfg(target_os = "linux")]
pub(crate) fn kill_children(mark: Option<&str>) {
    use rustix::process::{kill_process, waitpid};

    /// Limit for chains of processes that spawn each other.
    const MAX_ROUNDS: usize = 100;
    let watchdog = || WATCHDOG.get().map(|id| id.cast_signed());
    let is_watchdog = |child: &Pid| watchdog() == Some(child.as_raw_nonzero().get());
    for _ in 0..MAX_ROUNDS {
        let mut is_over = true;
        for child in children().into_iter().filter(|child| !is_watchdog(child)) {
            match mark.map_or(Some(true), |mark| bears(child, mark)) {
                Some(true) => {
                    let _ = kill_process(child, Signal::KILL);
                    let _ = waitpid(Some(child), WaitOptions::empty());
                }
                Some(false) => continue,
                None => thread::sleep(Duration::from_millis(1)),
            }
            is_over = false;
        }
        if is_over {
            return;
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn kill_children(_: Option<&str>) {}

#[cfg(target_os = "linux")]
fn children() -> Vec<Pid> {
    let threads = std::fs::read_dir("/proc/self/task");
    let of_thread = |thread: std::fs::DirEntry| {
        let ids = std::fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        let parse = |id: &str| Pid::from_raw(id.parse().ok()?);
        ids.split_whitespace().filter_map(parse).collect::<Vec<_>>()
    };
    let threads = threads.into_iter().flatten().flatten();
    threads.flat_map(of_thread).collect()
}

/// `true` if the process was started with the mark; `None` while it is between two programs. A process that has ended
/// bears none.
#[cfg(target_os = "linux")]
fn bears(process: Pid, mark: &str) -> Option<bool> {
    let folder = format!("/proc/{}", process.as_raw_nonzero());
    let environ = std::fs::read(format!("{folder}/environ")).unwrap_or_default();
    if environ.is_empty() {
        let stat = std::fs::read_to_string(format!("{folder}/stat")).unwrap_or_default();
        let state = stat.rsplit_once(") ").map_or("X", |(_, rest)| rest);
        return state.starts_with(['Z', 'X']).then_some(false);
    }
    let mut words = environ.split(|byte| *byte == 0);
    let is_it = |word: &[u8]| memchr::memmem::find(word, mark.as_bytes()).is_some();
    Some(words.any(|word| word.starts_with(MARK.as_bytes()) && is_it(word)))
}
