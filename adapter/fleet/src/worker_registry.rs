//! The workers that reported recently.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use parking_lot::Mutex;

use crate::link::Link;
use crate::names;
use crate::wire::{self, WorkerState};

/// Interval of a worker's reports. It also reports at the begin and end of a pair.
pub(crate) const REPORT_INTERVAL: Duration = Duration::from_secs(2);

/// Silence after which a worker counts as gone.
pub(crate) const GONE_AFTER: Duration = Duration::from_secs(10);

/// Time for which a worker that has gone is still listed.
const TOLD_FOR: Duration = Duration::from_secs(600);

/// Maximum number of workers kept.
const MAX_WORKERS: usize = 100_000;

/// Maximum size of a worker's report, in bytes: about 1,000 pairs in play.
const MAX_REPORT: usize = 1 << 15;

/// Maximum total size of the reports kept, in bytes.
const MAX_REPORTS: usize = 1 << 25;

/// The workers of all matches. Clones share the state.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkerRegistry(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    workers: BTreeMap<String, Heard>,
    /// Total size of their reports, in bytes.
    n_bytes: usize,
    /// Invalid messages since the last query.
    n_rejected: u64,
}

/// The workers of one match. Clones share the state.
#[derive(Debug, Clone)]
pub struct MatchWorkers {
    registry: WorkerRegistry,
    match_id: String,
}

/// The last report of a worker, and its age.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenWorker {
    /// Its last report.
    pub state: WorkerState,
    /// Time since the report.
    pub silence: Duration,
    /// `true` if the worker counts as gone because of its silence.
    pub is_gone: bool,
}

/// A worker's last report.
#[derive(Debug)]
struct Heard {
    state: WorkerState,
    at: Instant,
    /// Size of the report in bytes.
    n_bytes: usize,
}

impl State {
    /// Keeps a report. If there are too many, workers that have gone are dropped, and then new ones are ignored.
    fn insert(&mut self, state: WorkerState, n_bytes: usize) {
        self.remove(&state.worker);
        let is_full =
            |own: &State| own.workers.len() >= MAX_WORKERS || own.n_bytes + n_bytes > MAX_REPORTS;
        if is_full(self) {
            self.workers
                .retain(|_, heard| heard.at.elapsed() < GONE_AFTER);
            self.n_bytes = self.workers.values().map(|heard| heard.n_bytes).sum();
        }
        if !is_full(self) {
            self.n_bytes += n_bytes;
            let heard = Heard {
                at: Instant::now(),
                n_bytes,
                state,
            };
            self.workers.insert(heard.state.worker.clone(), heard);
        }
    }

    fn remove(&mut self, worker: &str) {
        if let Some(before) = self.workers.remove(worker) {
            self.n_bytes -= before.n_bytes;
        }
    }
}

impl MatchWorkers {
    /// Returns the workers that play the match or refuse it, sorted by name, including those that have gone in the last
    /// ten minutes.
    pub fn workers(&self) -> Vec<SeenWorker> {
        let state = self.registry.0.lock();
        let own = state
            .workers
            .values()
            .filter(|heard| heard.state.match_id == self.match_id && heard.at.elapsed() < TOLD_FOR);
        let seen = own.map(|heard| SeenWorker {
            state: heard.state.clone(),
            silence: heard.at.elapsed(),
            is_gone: heard.at.elapsed() >= GONE_AFTER,
        });
        seen.collect()
    }
}

impl WorkerRegistry {
    /// Subscribes to the reports of all workers, and asks each for one.
    pub(crate) fn listen(link: &Link) -> Result<WorkerRegistry, String> {
        let subscribed = link.wait(link.client.subscribe(names::ALL_WORKERS));
        let mut messages = subscribed.map_err(|error| error.to_string())?;
        let registry = WorkerRegistry::default();
        let heard = registry.clone();
        link.spawn(async move {
            while let Some(message) = messages.next().await {
                heard.hear(&message.subject, &message.payload);
            }
        });
        // The subscription is active on the server before the workers answer.
        let flushed = link.wait(link.client.flush());
        flushed.map_err(|error| error.to_string())?;
        link.tell(names::PING.to_owned(), Vec::new());
        Ok(registry)
    }

    fn hear(&self, subject: &str, message: &[u8]) {
        let state = wire::parse::<WorkerState>(message).ok();
        let is_valid = |state: &WorkerState| {
            message.len() <= MAX_REPORT
                && state.worker.len() <= 100
                && state.concurrency <= 10_000
                && names::worker(&state.worker) == subject
        };
        let mut registry = self.0.lock();
        match state.filter(is_valid) {
            Some(state) => registry.insert(state, message.len()),
            None => registry.n_rejected += 1,
        }
    }

    /// Returns the number of invalid messages since the last call.
    pub(crate) fn drain_rejected(&self) -> u64 {
        std::mem::take(&mut self.0.lock().n_rejected)
    }

    /// Returns the last reports of the workers that are present.
    pub(crate) fn present(&self) -> Vec<WorkerState> {
        let registry = self.0.lock();
        let all = registry.workers.values();
        let present = all.filter(|heard| heard.at.elapsed() < GONE_AFTER);
        present.map(|heard| heard.state.clone()).collect()
    }

    /// Returns a live view of the workers of one match.
    pub(crate) fn view(&self, match_id: &str) -> MatchWorkers {
        MatchWorkers {
            registry: self.clone(),
            match_id: match_id.to_owned(),
        }
    }

    /// Returns the workers that refuse this match, and their reasons.
    pub(crate) fn refusals(&self, match_id: &str) -> Vec<(String, String)> {
        let registry = self.0.lock();
        let refused = registry
            .workers
            .values()
            .map(|heard| &heard.state)
            .filter(|state| state.match_id == match_id);
        let refused = refused.filter_map(|state| {
            let why = state.refused.as_ref()?;
            Some((state.worker.clone(), why.clone()))
        });
        refused.collect()
    }

    /// Sums a value over the present workers of this match.
    pub(crate) fn sum(&self, match_id: &str, value: impl Fn(&WorkerState) -> usize) -> usize {
        let registry = self.0.lock();
        let present = registry
            .workers
            .values()
            .filter(|heard| heard.state.match_id == match_id && heard.at.elapsed() < GONE_AFTER);
        present.map(|heard| value(&heard.state)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(worker: &str, n_bytes: usize) -> Vec<u8> {
        wire::format(&WorkerState {
            worker: worker.to_owned(),
            cpu: "x".repeat(n_bytes),
            ..WorkerState::default()
        })
    }

    #[test]
    fn reports_of_workers_are_bounded() {
        let registry = WorkerRegistry::default();
        let hear = |subject: &str, worker: &str, n_bytes| {
            registry.hear(&names::worker(subject), &report(worker, n_bytes));
        };
        hear("a", "a", 100);
        hear("b", "a", 100);
        hear("b", "b", MAX_REPORT);
        assert_eq!(registry.drain_rejected(), 2);
        for number in (0..1200).chain(0..100) {
            let worker = format!("w{number}");
            hear(&worker, &worker, MAX_REPORT - 1000);
        }
        let state = registry.0.lock();
        let n_bytes: usize = state.workers.values().map(|heard| heard.n_bytes).sum();
        assert_eq!(n_bytes, state.n_bytes);
        assert!(n_bytes <= MAX_REPORTS && !state.workers.is_empty());
    }
}
