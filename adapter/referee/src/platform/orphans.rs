//! Orphaned processes: descendants whose parent has ended.

/// Makes this process the parent of its orphaned descendants.
#[cfg(target_os = "linux")]
pub(crate) fn adopt_orphans() {
    use rustix::process::{getpid, set_child_subreaper};

    // Old kernels do not support this; orphans then become children of init.
    let _ = set_child_subreaper(Some(getpid()));
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn adopt_orphans() {}

/// Kills all children of this process, including orphans that become its children meanwhile.
#[cfg(target_os = "linux")]
pub(crate) fn kill_children() {
    use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

    /// Limit for chains of processes that spawn each other.
    const MAX_ROUNDS: usize = 100;
    for _ in 0..MAX_ROUNDS {
        let children: Vec<Pid> = children().collect();
        if children.is_empty() {
            return;
        }
        for child in children {
            let _ = kill_process(child, Signal::KILL);
            let _ = waitpid(Some(child), WaitOptions::empty());
        }
    }
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn kill_children() {}

#[cfg(target_os = "linux")]
fn children() -> impl Iterator<Item = rustix::process::Pid> {
    use rustix::process::{Pid, getpid};

    let own = getpid().as_raw_nonzero().get();
    let entries = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(move |entry| {
        let number = entry.file_name().to_str()?.parse().ok()?;
        let stat = std::fs::read_to_string(entry.path().join("stat")).ok()?;
        // The process name in parentheses may contain anything; state and parent follow the last one.
        let parent: i32 = stat
            .rsplit_once(')')?
            .1
            .split_whitespace()
            .nth(1)?
            .parse()
            .ok()?;
        Pid::from_raw(number).filter(|_| parent == own)
    })
}
