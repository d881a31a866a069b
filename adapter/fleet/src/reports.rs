//! The reports of workers about themselves: how a worker sends them, and who has reported recently.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use parking_lot::Mutex;
use tokio::sync::Notify;
use tokio::time::{sleep, timeout};

use crate::link::{Link, text};
use crate::platform;
use crate::streams::{ALL_WORKERS, PING, worker_subject};
use crate::wire::{self, WorkerState};

/// Interval of a worker's reports. It also reports at the begin and end of a pair.
const REPORT_INTERVAL: Duration = Duration::from_secs(2);

/// Minimum time between two reports. A change in between is reported by the next one.
const MIN_INTERVAL: Duration = Duration::from_millis(100);

/// Silence after which a worker counts as gone.
const GONE_AFTER: Duration = Duration::from_secs(10);

/// Maximum number of workers kept.
const MAX_WORKERS: usize = 100_000;

/// The reported state of this worker. Clones share the state.
#[derive(Debug, Clone)]
pub(crate) struct Reporter {
    link: Link,
    state: Arc<Mutex<WorkerState>>,
    /// Time at which it joined its match.
    joined: Arc<Mutex<Instant>>,
    /// Requests a report.
    wanted: Arc<Notify>,
}

impl Reporter {
    /// Starts the reports: at regular intervals, and on request.
    pub(crate) fn begin(link: &Link) -> Reporter {
        let machine = platform::host_name();
        let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
        let part: String = machine.chars().filter(is_plain).take(40).collect();
        let (process, number) = (std::process::id(), fastrand::u16(..));
        let reporter = Reporter {
            link: link.clone(),
            joined: Arc::new(Mutex::new(Instant::now())),
            wanted: Arc::default(),
            state: Arc::new(Mutex::new(WorkerState {
                worker: format!("{part}-{process}-{number:04x}"),
                machine,
                cpu: platform::cpu(),
                cores: platform::cores(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                scale: 1.0,
                ..WorkerState::default()
            })),
        };
        let regular = reporter.clone();
        link.spawn(async move {
            loop {
                regular.send().await;
                sleep(MIN_INTERVAL).await;
                let _ = timeout(REPORT_INTERVAL, regular.wanted.notified()).await;
            }
        });
        let asked = reporter.clone();
        link.spawn(async move {
            let Ok(mut questions) = asked.link.client.subscribe(PING).await else {
                return;
            };
            while questions.next().await.is_some() {
                asked.wanted.notify_one();
            }
        });
        reporter
    }

    /// A copy of the state.
    pub(crate) fn state(&self) -> WorkerState {
        self.state.lock().clone()
    }

    /// Changes the state, and reports it soon.
    pub(crate) fn update(&self, change: impl FnOnce(&mut WorkerState)) {
        change(&mut self.state.lock());
        self.wanted.notify_one();
    }

    /// Reports that the worker joins a match.
    pub(crate) fn join(&self, match_id: &str, concurrency: usize, scale: f64) {
        *self.joined.lock() = Instant::now();
        self.update(|state| {
            match_id.clone_into(&mut state.match_id);
            (state.concurrency, state.scale) = (concurrency, scale);
            state.pairs = 0;
            state.refused = None;
        });
    }

    /// Sends a report. It is lost while the server is unreachable.
    async fn send(&self) {
        let mut state = self.state();
        state.load = platform::load();
        state.seconds = self.joined.lock().elapsed().as_secs_f64();
        let subject = worker_subject(&state.worker);
        let sent = self
            .link
            .client
            .publish(subject, wire::format(&state).into());
        let _ = sent.await;
    }

    /// Sends a report and waits until the server has it. If that fails, the worker is gone after a while.
    pub(crate) fn send_last(&self) {
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
    /// Subscribes to the reports of all workers, and asks each for one.
    pub(crate) fn listen(link: &Link) -> Result<Workers, String> {
        let subscribed = link.wait(link.client.subscribe(ALL_WORKERS));
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
        // The subscription is active on the server before the workers answer.
        let asked = link.wait(async {
            link.client.flush().await.map_err(text)?;
            let sent = link.client.publish(PING, "".into()).await;
            sent.map_err(text)
        });
        asked.map(|()| workers)
    }

    fn hear(&self, state: WorkerState) {
        let mut workers = self.0.lock();
        if workers.len() >= MAX_WORKERS {
            workers.retain(|_, (_, at)| at.elapsed() < GONE_AFTER);
        }
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

    /// Sums a value over the present workers of this match.
    pub(crate) fn sum(&self, match_id: &str, value: impl Fn(&WorkerState) -> usize) -> usize {
        let workers = self.0.lock();
        let present = workers.values().filter(|(_, at)| at.elapsed() < GONE_AFTER);
        let own = present.filter(|(state, _)| state.match_id == match_id);
        own.map(|(state, _)| value(state)).sum()
    }
}
