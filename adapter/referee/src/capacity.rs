//! System limits that a match or a table needs, checked before its first game.

use record::plan::Plan;

use crate::platform;

/// Pipes to each engine: standard input, output and error.
const PIPES: u64 = 3;
/// Additional descriptors open while an engine starts: the child's ends of its pipes, and the pipe that reports a
/// failed start.
const STARTING: u64 = 5;
/// The ledger, PGN and log files, and files opened by the C library.
const FILES: u64 = 16;

/// The process that ends the engines if the referee is killed.
const WATCHDOG: u64 = 1;

/// Descriptors of a table: four engines, one a seat, one for hints and one for analysis; its ledger, with the lock; and the
/// pipe that wakes it up.
pub const TABLE_DESCRIPTORS: u64 = 4 * PIPES + STARTING + 4;

/// The number of descriptors that this process may open for connections, beside the `reserved` ones.
///
/// # Errors
/// Fewer than `least` are left. The text names the limit that is needed.
pub fn spare_descriptors(reserved: u64, least: u64) -> Result<u64, String> {
    let used = platform::open_descriptors() + FILES + reserved;
    let (needed, limit) = (used + least, platform::max_descriptors());
    match limit {
        Some(limit) if limit < needed => Err(format!(
            "{needed} open files are needed and {limit} are allowed: first run ulimit -n {needed}"
        )),
        _ => Ok(limit.unwrap_or(u64::MAX) - used),
    }
}

/// Upper bound on the system resources that a match uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capacity {
    concurrency: u64,
    /// Largest number of engine processes running at the same time.
    engines: u64,
}

impl Capacity {
    /// The resources for a plan. Each engine process plays one game at a time; idle processes are kept for later games.
    pub fn of(plan: &Plan) -> Capacity {
        let (concurrency, n_engines) = (plan.concurrency, plan.engines.len());
        let playing = 2 * concurrency;
        let waiting = n_engines.max(playing);
        Capacity {
            concurrency: concurrency as u64,
            engines: (n_engines * concurrency).min(waiting + playing) as u64,
        }
    }

    /// Number of descriptors.
    pub fn descriptors(self) -> u64 {
        PIPES * self.engines + STARTING * self.concurrency.min(self.engines) + FILES
    }

    /// Compares the needs with the limits of this system.
    ///
    /// # Errors
    /// The limit that is too low, and the value needed.
    pub fn check(self) -> Result<(), String> {
        let descriptors = platform::open_descriptors() + self.descriptors();
        let processes = self.engines + self.concurrency + WATCHDOG;
        let (files, all) = (platform::max_descriptors(), platform::max_processes());
        self.compare(descriptors, files, "open files", "ulimit -n")?;
        self.compare(processes, all, "processes and threads", "ulimit -u")
    }

    fn compare(
        self,
        needed: u64,
        limit: Option<u64>,
        what: &str,
        command: &str,
    ) -> Result<(), String> {
        match limit {
            Some(limit) if limit < needed => Err(format!(
                "--concurrency {}: {needed} {what} are needed and {limit} are allowed: lower \
                 --concurrency, or first run {command} {needed}",
                self.concurrency
            )),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO_HUNDRED: Capacity = Capacity {
        concurrency: 200,
        engines: 400,
    };

    #[test]
    fn what_is_needed_is_named() {
        let needed = TWO_HUNDRED.descriptors();
        assert!(needed >= 3 * 400, "{needed}");
        let enough = TWO_HUNDRED.compare(needed, Some(needed), "open files", "ulimit -n");
        assert_eq!(enough, Ok(()));
        assert_eq!(TWO_HUNDRED.compare(needed, None, "", ""), Ok(()));
        let short = TWO_HUNDRED.compare(needed, Some(1024), "open files", "ulimit -n");
        let why = short.expect_err("1024 are too few");
        assert!(
            why.starts_with(&format!("--concurrency 200: {needed} open files")),
            "{why}"
        );
        assert!(why.ends_with(&format!("ulimit -n {needed}")), "{why}");
    }
}
