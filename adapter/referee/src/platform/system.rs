//! Pipes, resource limits and CPU affinity of processes; and what wakes up a thread that waits for pipes.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read, Write, pipe};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::process::{Child, Command};
use std::sync::Arc;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Access, OFlags, access, fcntl_getfl, fcntl_setfl};
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

/// Checks that files can be created in a folder.
pub(crate) fn check_writable(folder: &Path) -> io::Result<()> {
    Ok(access(folder, Access::WRITE_OK | Access::EXEC_OK)?)
}

/// Makes the pipe non-blocking: a write returns at once with the number of bytes accepted.
pub(crate) fn set_nonblocking(pipe: &impl AsFd) -> io::Result<()> {
    let flags = fcntl_getfl(pipe)?;
    Ok(fcntl_setfl(pipe, flags | OFlags::NONBLOCK)?)
}

/// A pipe that is waited for until it can be read, or is closed.
pub(crate) fn readable(pipe: BorrowedFd<'_>) -> PollFd<'_> {
    PollFd::from_borrowed_fd(pipe, PollFlags::IN)
}

/// A pipe that is waited for until it can be written to, or is closed.
pub(crate) fn writable(pipe: BorrowedFd<'_>) -> PollFd<'_> {
    PollFd::from_borrowed_fd(pipe, PollFlags::OUT)
}

/// Blocks until one of the pipes is ready or closed, or the time is reached. May return earlier, with nothing ready. Returns
/// for each pipe whether it is ready; an absent one is not.
pub(crate) fn poll_pipes(pipes: &[Option<PollFd<'_>>], until: Option<Instant>) -> Vec<bool> {
    let mut polled: Vec<PollFd<'_>> = pipes.iter().flatten().cloned().collect();
    let left = until.map(|until| until.saturating_duration_since(Instant::now()));
    let left = left.and_then(|left| Timespec::try_from(left).ok());
    // The caller repeats an interrupted wait.
    let is_polled = poll(&mut polled, left.as_ref()).is_ok();
    let mut ready = polled
        .iter()
        .map(|polled| is_polled && !polled.revents().is_empty());
    let is_ready = |pipe: &Option<PollFd<'_>>| pipe.is_some() && ready.next() == Some(true);
    pipes.iter().map(is_ready).collect()
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
    let restored = sched_setaffinity(None, &own);
    or_killed(child?, restored.map_err(Into::into))
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn spawn_on(_: &[usize], command: &mut Command) -> io::Result<Child> {
    command.spawn()
}

/// Ends a child that was started if what must follow its start fails.
pub(crate) fn or_killed(mut child: Child, then: io::Result<()>) -> io::Result<Child> {
    if then.is_err() {
        super::kill_group(&child);
        let _ = child.wait();
    }
    then.map(|()| child)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;
    use rustix::io::Errno;
    use rustix::process::{Pid, test_kill_process};
    use std::os::unix::process::CommandExt;

    /// A child that would run on CPUs of which this thread does not get rid.
    #[test]
    fn a_child_does_not_outlive_the_failure_to_restore_the_affinity() {
        let child = Command::new("sleep").arg("600").process_group(0).spawn();
        let child = child.expect("sleep is everywhere");
        let id = child.id();
        let failed = or_killed(child, Err(io::Error::from_raw_os_error(1)));
        assert_eq!(failed.expect_err("it fails").raw_os_error(), Some(1));
        let id = Pid::from_raw(id.cast_signed()).expect("an id");
        assert_eq!(test_kill_process(id), Err(Errno::SRCH), "it is reaped");
    }
}

/// The end that wakes up. Clones wake up the same thread; when the last one is dropped, its thread is awake from then on.
#[derive(Debug, Clone)]
pub struct Waker(Arc<PipeWriter>);

/// The end that is waited for, by [`wait_any`](crate::engine::wait_any).
#[derive(Debug)]
pub struct Alarm(PipeReader);

/// Both ends.
///
/// # Errors
/// The system has no more descriptors.
pub fn waker() -> io::Result<(Waker, Alarm)> {
    let (reader, writer) = pipe()?;
    set_nonblocking(&reader)?;
    set_nonblocking(&writer)?;
    Ok((Waker(Arc::new(writer)), Alarm(reader)))
}

impl Waker {
    /// Wakes the thread up, or lets its next wait end at once.
    pub fn wake(&self) {
        // If the pipe is full, the thread is awake.
        let _ = (&*self.0).write(b"\n");
    }
}

impl Alarm {
    /// Forgets earlier wake-ups. What they were for must be read afterwards.
    pub fn clear(&self) {
        let mut bytes = [0; 256];
        while (&self.0).read(&mut bytes).is_ok_and(|n| n == bytes.len()) {}
    }
}

impl AsFd for Alarm {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
