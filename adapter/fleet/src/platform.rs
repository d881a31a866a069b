//! This machine: its name, its cores and memory, and its speed.

use std::collections::BTreeMap;
use std::num::NonZero;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::{fs, io, thread};

use record::digest::hash_of;

/// Host name.
pub(crate) fn host_name() -> String {
    let system = rustix::system::uname();
    system.nodename().to_string_lossy().into_owned()
}

/// Identity of this machine, the same for all of its workers: a hash of its machine id, else its name.
pub(crate) fn id() -> String {
    let id = fs::read_to_string("/etc/machine-id").unwrap_or_default();
    match id.trim() {
        "" => host_name(),
        id => hash_of(format!("linesman {id}").as_bytes())[..16].to_owned(),
    }
}

/// Number of cores available to this process.
pub(crate) fn cores() -> usize {
    thread::available_parallelism().map_or(1, NonZero::get)
}

/// Size of the memory, in MiB; unlimited if the system does not report it.
#[cfg(not(target_os = "linux"))]
pub(crate) fn memory_mib() -> u64 {
    u64::MAX
}

/// Size of the memory, in MiB; unlimited if the system does not report it.
#[cfg(target_os = "linux")]
pub(crate) fn memory_mib() -> u64 {
    let info = fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let total = |line: &str| {
        let total = line.strip_prefix("MemTotal:")?.trim();
        total.strip_suffix("kB")?.trim().parse().ok()
    };
    let kib: Option<u64> = info.lines().find_map(total);
    kib.map_or(u64::MAX, |kib| kib / 1024)
}

/// Result of `linesman engine GAME bench`.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Bench {
    /// Node count, the fingerprint of the engine.
    pub(crate) nodes: u64,
    /// Nodes per second.
    pub(crate) nps: f64,
}

/// Runs the benchmark of a game in `n_at_once` processes, the number of games played at once, and averages their
/// speeds.
///
/// # Errors
/// The benchmark does not start, or its output has no node count and speed.
pub(crate) fn measure(executable: &Path, game: &str, n_at_once: usize) -> io::Result<Bench> {
    let start = |_| {
        let mut bench = Command::new(executable);
        bench.args(["engine", game, "bench"]).stdin(Stdio::null());
        bench.stdout(Stdio::piped()).stderr(Stdio::null()).spawn()
    };
    let running: Vec<Child> = (0..n_at_once.max(1)).map(start).collect::<Result<_, _>>()?;
    let ended = running.into_iter().map(|bench| {
        let output = bench.wait_with_output()?.stdout;
        let bench = parse(&String::from_utf8_lossy(&output));
        bench.ok_or_else(|| io::Error::other(format!("no bench of {game}")))
    });
    let results: Vec<Bench> = ended.collect::<io::Result<_>>()?;
    let rates: f64 = results.iter().map(|bench| bench.nps).sum();
    Ok(Bench {
        nodes: results[0].nodes,
        nps: rates / results.len() as f64,
    })
}

/// Measurements of this machine, by game and number of simultaneous games. Each is made once.
pub(crate) type Benches = BTreeMap<(String, usize), Bench>;

fn parse(text: &str) -> Option<Bench> {
    let number = |name: &str| {
        let line = text.lines().find(|line| line.starts_with(name))?;
        line.rsplit(' ').next()?.parse::<u64>().ok()
    };
    let bench = Bench {
        nodes: number("Nodes searched")?,
        nps: number("Nodes/second")? as f64,
    };
    (bench.nps > 0.0).then_some(bench)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_counts_are_read() {
        let text = "Total time (ms) : 5\nNodes searched  : 87701\nNodes/second    : 123456\n";
        let bench = parse(text).expect("both are there");
        assert_eq!((bench.nodes, bench.nps), (87701, 123_456.0));
        assert_eq!(parse("Nodes searched  : 1"), None);
        assert_eq!(parse("Nodes searched : 1\nNodes/second : 0"), None);
    }
}
