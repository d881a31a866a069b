//! Pipes, resource limits and CPU affinity of processes.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Child, Command};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Resource, geteuid, getrlimit};

/// Opens a file to append to, or creates it. Opening a pipe that no program reads is an error, where the system would
/// wait for a reader.
pub(crate) fn open_to_append(path: &Path) -> io::Result<File> {
    let mut options = File::options();
    options.create(true).append(true);
    options.custom_flags(OFlags::NONBLOCK.bits() as i32);
    let file = options.open(path)?;
    fcntl_setfl(&file, fcntl_getfl(&file)? - OFlags::NONBLOCK)?;
    Ok(file)
}

/// Makes the pipe non-blocking: a write returns at once with the number of bytes accepted.
pub(crate) fn set_nonblocking(pipe: &impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(pipe)?;
    Ok(fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?)
}

/// Blocks until the pipe is readable or closed. Returns `false` if the deadline passes first.
pub(crate) fn wait_readable(pipe: &impl AsFd, until: Instant) -> bool {
    let left = until.saturating_duration_since(Instant::now());
    let Ok(left) = Timespec::try_from(left) else {
        return false;
    };
    // The caller repeats an interrupted wait.
    poll(&mut [PollFd::new(pipe, PollFlags::IN)], Some(&left)).is_ok_and(|n| n > 0)
}

/// Blocks until the pipe is writable, its other end is closed, or the deadline passes.
pub(crate) fn wait_writable(pipe: &impl AsFd, until: Instant) {
    let left = until.saturating_duration_since(Instant::now());
    if let Ok(left) = Timespec::try_from(left) {
        // The following write reports any error.
        let _ = poll(&mut [PollFd::new(pipe, PollFlags::OUT)], Some(&left));
    }
}

/// Caps the private memory of a child and of each process that it starts.
#[cfg(target_os = "linux")]
pub(crate) fn limit_memory(child: &Child, mib: u32) -> io::Result<()> {
    use rustix::process::{Pid, Rlimit, prlimit};

    let limit = Some(u64::from(mib) << 20);
    let limit = Rlimit {
        current: limit,
        maximum: limit,
    };
    prlimit(Some(Pid::from_child(child)), Resource::Data, limit)?;
    Ok(())
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn limit_memory(_: &Child, _: u32) -> io::Result<()> {
    Err(io::Error::new(
        io::ErrorKind::Unsupported,
        "a limit of memory needs Linux: leave out --memory and memory=",
    ))
}

/// Largest number of open descriptors of this process; `None` if unlimited.
pub(crate) fn max_descriptors() -> Option<u64> {
    getrlimit(Resource::Nofile).current
}

/// Number of open descriptors of this process.
pub(crate) fn open_descriptors() -> u64 {
    // Subtract the descriptor that reads the folder. Without `/dev/fd`, assume the three standard streams.
    std::fs::read_dir("/dev/fd").map_or(3, |entries| entries.count().saturating_sub(1) as u64)
}

/// Largest number of processes and threads of this user; `None` if unlimited, as for root.
pub(crate) fn max_processes() -> Option<u64> {
    getrlimit(Resource::Nproc)
        .current
        .filter(|_| !geteuid().is_root())
}

/// The CPUs that this process may use; `None` if the system does not support affinity.
#[cfg(target_os = "linux")]
pub(crate) fn allowed_cpus() -> Option<Vec<usize>> {
    use rustix::thread::{CpuSet, sched_getaffinity};

    let set = sched_getaffinity(None).ok()?;
    Some(
        (0..CpuSet::MAX_CPU)
            .filter(|cpu| set.is_set(*cpu))
            .collect(),
    )
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn allowed_cpus() -> Option<Vec<usize>> {
    None
}

/// Orders CPUs so that one of each core comes first, and those that share a core with an earlier one last.
pub(crate) fn spread_over_cores(mut cpus: Vec<usize>) -> Vec<usize> {
    // Without topology information, all ranks are 0 and the order is unchanged.
    let rank = |cpu: &usize| {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
        let siblings = std::fs::read_to_string(path).unwrap_or_default();
        let siblings: record::format::CpuList = siblings.trim().parse().unwrap_or_default();
        siblings.rank(*cpu)
    };
    cpus.sort_by_key(rank);
    cpus
}

/// Spawns a process pinned to these CPUs from the start; an empty list means no pinning.
#[cfg(target_os = "linux")]
pub(crate) fn spawn_on(cpus: &[usize], command: &mut Command) -> io::Result<Child> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    if cpus.is_empty() {
        return command.spawn();
    }
    let mut set = CpuSet::new();
    cpus.iter().for_each(|cpu| set.set(*cpu));
    // A child inherits the affinity of the thread that spawns it.
    let own = sched_getaffinity(None)?;
    sched_setaffinity(None, &set)?;
    let child = command.spawn();
    sched_setaffinity(None, &own)?;
    child
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn spawn_on(_: &[usize], command: &mut Command) -> io::Result<Child> {
    command.spawn()
}
