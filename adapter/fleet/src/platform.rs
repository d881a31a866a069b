//! Properties of this machine, as the operating system reports them.

use std::num::NonZero;
use std::thread::available_parallelism;

use record::digest::hash_of;

/// Host name.
pub(crate) fn host_name() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

/// Identity of this machine, the same for all of its workers: a hash of its machine id, else its name.
pub(crate) fn machine_id() -> String {
    let id = std::fs::read_to_string("/etc/machine-id").unwrap_or_default();
    match id.trim() {
        "" => host_name(),
        id => hash_of(format!("linesman {id}").as_bytes())[..16].to_owned(),
    }
}

/// Number of cores available to this process.
pub(crate) fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

/// Size of the memory, in MiB; unlimited if the system does not report it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn memory_mib() -> u64 {
    u64::MAX
}

/// Size of the memory, in MiB; unlimited if the system does not report it.
#[cfg(target_os = "linux")]
pub(crate) fn memory_mib() -> u64 {
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = info
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:")?.trim().strip_suffix("kB"));
    let kib = total.and_then(|total| total.trim().parse::<u64>().ok());
    kib.map_or(u64::MAX, |kib| kib / 1024)
}
