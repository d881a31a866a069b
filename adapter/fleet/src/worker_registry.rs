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

/// The workers of all matches. Clones share the state.
#[derive(Debug, Clone, Default)]
pub(crate) struct WorkerRegistry(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    workers: BTreeMap<String, (WorkerState, Instant)>,
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

impl MatchWorkers {
    /// Returns the workers that play the match or refuse it, sorted by name, including those that have gone in the last
    /// ten minutes.
    pub fn workers(&self) -> Vec<SeenWorker> {
        let state = self.registry.0.lock();
        let own = state
            .workers
            .values()
            .filter(|(state, heard)| state.match_id == self.match_id && heard.elapsed() < TOLD_FOR);
        let seen = own.map(|(state, heard)| SeenWorker {
            state: state.clone(),
            silence: heard.elapsed(),
            is_gone: heard.elapsed() >= GONE_AFTER,
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
                heard.hear(&message.payload);
            }
        });
        // The subscription is active on the server before the workers answer.
        let flushed = link.wait(link.client.flush());
        flushed.map_err(|error| error.to_string())?;
        link.tell(names::PING.to_owned(), Vec::new());
        Ok(registry)
    }

    fn hear(&self, message: &[u8]) {
        let state = wire::parse::<WorkerState>(message).ok();
        let state = state.filter(|state| state.worker.len() <= 100 && state.concurrency <= 10_000);
        let mut registry = self.0.lock();
        let Some(state) = state else {
            registry.n_rejected += 1;
            return;
        };
        if registry.workers.len() >= MAX_WORKERS && !registry.workers.contains_key(&state.worker) {
            registry
                .workers
                .retain(|_, (_, heard)| heard.elapsed() < GONE_AFTER);
        }
        if registry.workers.len() < MAX_WORKERS {
            let name = state.worker.clone();
            registry.workers.insert(name, (state, Instant::now()));
        }
    }

    /// Returns the number of invalid messages since the last call.
    pub(crate) fn drain_rejected(&self) -> u64 {
        std::mem::take(&mut self.0.lock().n_rejected)
    }

    /// Returns the workers that are present, with the age of their last reports.
    pub(crate) fn present(&self) -> Vec<(WorkerState, Duration)> {
        let registry = self.0.lock();
        let all = registry.workers.values();
        let all = all.map(|(state, heard)| (state.clone(), heard.elapsed()));
        all.filter(|(_, silence)| *silence < GONE_AFTER).collect()
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
            .filter(|(state, _)| state.match_id == match_id);
        let refused = refused.filter_map(|(state, _)| {
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
            .filter(|(state, heard)| state.match_id == match_id && heard.elapsed() < GONE_AFTER);
        present.map(|(state, _)| value(state)).sum()
    }
}
