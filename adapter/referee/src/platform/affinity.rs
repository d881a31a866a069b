//! The CPUs that processes run on.

use std::io;
use std::process::{Child, Command};

/// The CPUs that this process may use, by their numbers; `None` where the system does not tell.
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

/// The same CPUs, one of each core first: what shares a core is used last.
pub(crate) fn spread_over_cores(mut cpus: Vec<usize>) -> Vec<usize> {
    // Where the system tells nothing of cores, the order stays.
    let rank = |cpu: &usize| {
        let path = format!("/sys/devices/system/cpu/cpu{cpu}/topology/thread_siblings_list");
        let siblings = std::fs::read_to_string(path).unwrap_or_default();
        let siblings: crate::affinity::CpuList = siblings.trim().parse().unwrap_or_default();
        siblings.rank(*cpu)
    };
    cpus.sort_by_key(rank);
    cpus
}

/// Starts a process that runs on these CPUs from its first instruction on; on any if there are none.
#[cfg(target_os = "linux")]
pub(crate) fn spawn_on(cpus: &[usize], command: &mut Command) -> io::Result<Child> {
    use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};

    if cpus.is_empty() {
        return command.spawn();
    }
    let mut set = CpuSet::new();
    cpus.iter().for_each(|cpu| set.set(*cpu));
    // A child begins on the CPUs of the thread that starts it.
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
