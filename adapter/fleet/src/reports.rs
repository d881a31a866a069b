//! The reports of workers about themselves: how a worker sends them, and who has reported recently.

use std::collections::BTreeMap;
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
pub(crate) struct Workers(Arc<Mutex<BTreeMap<String, (WorkerState, Instant)>>>);

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
        let mut workers = self.0.lock();
        workers.retain(|_, (_, at)| at.elapsed() < GONE_AFTER);
        if workers.len() < MAX_WORKERS {
            workers.insert(state.worker.clone(), (state, Instant::now()));
        }
    }

    /// Returns the last reports of the workers that are present.
    pub(crate) fn present(&self) -> Vec<WorkerState> {
        let workers = self.0.lock();
        let present = workers.values().filter(|(_, at)| at.elapsed() < GONE_AFTER);
        present.map(|(state, _)| state.clone()).collect()
    }
}
