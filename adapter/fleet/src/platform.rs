//! Properties of this machine, as the operating system reports them.

use std::num::NonZero;
use std::thread::available_parallelism;

/// Host name.
pub(crate) fn host_name() -> String {
    rustix::system::uname()
        .nodename()
        .to_string_lossy()
        .into_owned()
}

/// Model of the processor; the architecture if the system does not report it.
pub(crate) fn cpu() -> String {
    let info = told("cpuinfo");
    let model = info.lines().find(|line| line.starts_with("model name"));
    let model = model.and_then(|line| line.split_once(':'));
    let model = model.map(|(_, model)| model.trim());
    model
        .filter(|model| !model.is_empty())
        .unwrap_or(std::env::consts::ARCH)
        .chars()
        .filter(|c| !c.is_control())
        .take(100)
        .collect()
}

/// Number of cores available to this process.
pub(crate) fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

/// Size of the memory, in MiB, if the system reports it.
pub(crate) fn memory_mib() -> Option<u64> {
    let info = told("meminfo");
    let total = info
        .lines()
        .find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = total.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kib / 1024)
}

/// Load average of the last minute; 0 if the system does not report it.
pub(crate) fn load() -> f64 {
    let text = told("loadavg");
    let first = text.split(' ').next().and_then(|load| load.parse().ok());
    first.unwrap_or(0.0)
}

/// Reads a file of `/proc`; empty if it cannot be read.
#[cfg(target_os = "linux")]
fn told(name: &str) -> String {
    std::fs::read_to_string(format!("/proc/{name}")).unwrap_or_default()
}

/// Other systems have no `/proc`.
#[cfg(not(target_os = "linux"))]
fn told(_: &str) -> String {
    String::new()
}
