//! The reports of workers about themselves: how a worker sends them, and who has reported recently.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use parking_lot::Mutex;
use tokio::time::{sleep, timeout};

use crate::link::{Link, text};
use crate::platform;
use crate::streams::subject;
use crate::wire::{self, WorkerState};

/// Interval of a worker's reports.
pub(crate) const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Silence after which a worker counts as gone.
const GONE_AFTER: Duration = Duration::from_secs(10);

/// Maximum number of workers kept.
const MAX_WORKERS: usize = 100_000;

/// The reported state of this worker. Clones share the state.
#[derive(Debug, Clone)]
pub(crate) struct Reporter {
    link: Link,
    state: Arc<Mutex<WorkerState>>,
}

impl Reporter {
    /// Starts the reports.
    pub(crate) fn begin(link: &Link) -> Reporter {
        let machine = platform::host_name();
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let part: String = machine.chars().filter(is_plain).take(40).collect();
        let (process, number) = (std::process::id(), fastrand::u16(..));
        let state = WorkerState {
            worker: format!("{part}-{process}-{number:04x}"),
            machine,
            cores: platform::cores(),
            scale: 1.0,
            ..WorkerState::default()
        };
        let reporter = Reporter {
            link: link.clone(),
            state: Arc::new(Mutex::new(state)),
        };
        let regular = reporter.clone();
        link.spawn(async move {
            loop {
                regular.send().await;
                sleep(REPORT_INTERVAL).await;
            }
        });
        reporter
    }

    /// A copy of the state.
    pub(crate) fn state(&self) -> WorkerState {
        self.state.lock().clone()
    }

    /// Changes the state.
    pub(crate) fn update(&self, change: impl FnOnce(&mut WorkerState)) {
        change(&mut self.state.lock());
    }

    /// Sends a report. It is lost while the server is unreachable.
    async fn send(&self) {
        let state = self.state();
        let (subject, report) = (subject("worker", &state.worker), wire::format(&state));
        let _ = self.link.client.publish(subject, report.into()).await;
    }

    /// Sends a report and waits until the server has it. If that fails, the worker is gone after a while.
    pub(crate) fn send_now(&self) {
        self.link.wait(async {
            self.send().await;
            let _ = timeout(REPORT_INTERVAL, self.link.client.flush()).await;
        });
    }
}

/// The workers of all matches that reported recently. Clones share the state.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workers(Arc<Mutex<Heard>>);

#[derive(Debug, Default)]
struct Heard {
    /// The last report of each worker, by name. A worker that left without ending its pairs is kept.
    workers: BTreeMap<String, (WorkerState, Instant)>,
    /// The workers that were lost with a pair of a match: it is played by another one, and they have not handed it back.
    /// How often the server has delivered a pair does not tell: a delivery may have reached nobody.
    lost: BTreeMap<(String, usize), BTreeSet<String>>,
}

impl Workers {
    /// Subscribes to the reports of all workers.
    pub(crate) fn listen(link: &Link) -> Result<Workers, String> {
        let subscribed = link.wait(link.client.subscribe(subject("worker", "*")));
        let mut messages = subscribed.map_err(text)?;
        let workers = Workers::default();
        let heard = workers.clone();
        link.spawn(async move {
            while let Some(message) = messages.next().await {
                if let Ok(state) = wire::parse::<WorkerState>(&message.payload) {
                    heard.hear(state);
                }
            }
        });
        Ok(workers)
    }

    fn hear(&self, state: WorkerState) {
        let Heard { workers, lost } = &mut *self.0.lock();
        workers.retain(|_, (state, at)| at.elapsed() < GONE_AFTER || !state.playing.is_empty());
        let known = workers.get(&state.worker);
        let is_new = |pair: &&usize| known.is_none_or(|(known, _)| !known.playing.contains(pair));
        let new: Vec<usize> = state.playing.iter().filter(is_new).copied().collect();
        for pair in new {
            let others = workers.values_mut().map(|(other, _)| other);
            let others = others
                .filter(|other| other.match_id == state.match_id && other.worker != state.worker);
            for other in others {
                if let Some(at) = other.playing.iter().position(|played| *played == pair) {
                    other.playing.swap_remove(at);
                    let lost = lost.entry((state.match_id.clone(), pair)).or_default();
                    lost.insert(other.worker.clone());
                }
            }
        }
        if workers.len() < MAX_WORKERS {
            workers.insert(state.worker.clone(), (state, Instant::now()));
        }
    }

    /// Returns the pairs of a match that this many workers were lost with, and their names.
    pub(crate) fn lost(&self, id: &str, n_lost: usize) -> Vec<(usize, Vec<String>)> {
        let heard = self.0.lock();
        let lost = heard.lost.iter();
        let found = lost.filter(|((of, _), workers)| of == id && workers.len() >= n_lost);
        found
            .map(|((_, pair), workers)| (*pair, workers.iter().cloned().collect()))
            .collect()
    }

    /// Returns the last reports of the workers that are present.
    pub(crate) fn present(&self) -> Vec<WorkerState> {
        let heard = self.0.lock();
        let present = heard
            .workers
            .values()
            .filter(|(_, at)| at.elapsed() < GONE_AFTER);
        present.map(|(state, _)| state.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(workers: &Workers, worker: &str, id: &str, playing: &[usize]) {
        workers.hear(WorkerState {
            worker: worker.to_owned(),
            match_id: id.to_owned(),
            playing: playing.to_vec(),
            ..WorkerState::default()
        });
    }

    #[test]
    fn a_worker_is_lost_if_another_one_plays_its_pair() {
        let workers = Workers::default();
        report(&workers, "a", "1", &[7, 8]);
        report(&workers, "a", "1", &[7]);
        report(&workers, "other", "2", &[7]);
        report(&workers, "b", "1", &[8]);
        assert_eq!(workers.lost("1", 1), [], "8 was handed back");
        report(&workers, "b", "1", &[7]);
        report(&workers, "b", "1", &[7]);
        assert_eq!(workers.lost("1", 1), [(7, vec!["a".to_owned()])]);
        assert_eq!(workers.lost("1", 2), []);
        report(&workers, "c", "1", &[7]);
        report(&workers, "b", "1", &[]);
        let both = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(workers.lost("1", 2), [(7, both)]);
        assert_eq!(workers.lost("2", 1), []);
    }
}
