//! CPU affinity of processes.

use std::io;
use std::process::{Child, Command};

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
