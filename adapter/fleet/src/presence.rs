//! The reports of a worker about itself.

use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use parking_lot::Mutex;
use tokio::sync::Notify;

use crate::link::Link;
use crate::signing::WorkerKey;
use crate::wire::{self, WorkerState};
use crate::worker_registry::REPORT_INTERVAL;
use crate::{names, platform};

/// Published state of a worker. Clones share the state.
#[derive(Debug, Clone)]
pub(crate) struct Presence {
    link: Link,
    state: Arc<Mutex<WorkerState>>,
    /// Time at which it joined its match.
    joined: Arc<Mutex<Instant>>,
    /// Requests a report.
    wanted: Arc<Notify>,
}

/// Minimum time between two reports. A change in between is reported by the next one.
const MIN_INTERVAL: Duration = Duration::from_millis(100);

impl Presence {
    /// Starts the reports: at regular intervals, and on request.
    pub(crate) fn begin(link: &Link, key: &WorkerKey) -> Presence {
        let host = platform::host_name();
        let part = names::subject_part(&host);
        let (process, number) = (std::process::id(), fastrand::u16(..));
        let presence = Presence {
            link: link.clone(),
            joined: Arc::new(Mutex::new(Instant::now())),
            wanted: Arc::default(),
            state: Arc::new(Mutex::new(WorkerState {
                worker: format!("{part}-{process}-{number:04x}-{}", key.mark()),
                key: key.public(),
                machine: host,
                cpu: platform::cpu(),
                cores: platform::cores(),
                version: env!("CARGO_PKG_VERSION").to_owned(),
                scale: 1.0,
                ..WorkerState::default()
            })),
        };
        let regular = presence.clone();
        link.spawn(async move {
            loop {
                regular.send().await;
                tokio::time::sleep(MIN_INTERVAL).await;
                let _ = tokio::time::timeout(REPORT_INTERVAL, regular.wanted.notified()).await;
            }
        });
        let asked = presence.clone();
        link.spawn(async move {
            let Ok(mut questions) = asked.link.client.subscribe(names::PING).await else {
                return;
            };
            while questions.next().await.is_some() {
                asked.tell();
            }
        });
        presence
    }

    /// Name of the worker.
    pub(crate) fn name(&self) -> String {
        self.state.lock().worker.clone()
    }

    /// Model of its processor.
    pub(crate) fn cpu(&self) -> String {
        self.state.lock().cpu.clone()
    }

    /// Name of its machine.
    pub(crate) fn machine(&self) -> String {
        self.state.lock().machine.clone()
    }

    /// Records that the worker joins a match, and resets its counts.
    pub(crate) fn join(&self, match_id: &str, concurrency: usize, scale: f64) {
        *self.joined.lock() = Instant::now();
        self.update(|state| {
            match_id.clone_into(&mut state.match_id);
            (state.concurrency, state.scale) = (concurrency, scale);
            state.pairs = 0;
            state.refused = None;
        });
    }

    /// Changes the state for the next reports.
    pub(crate) fn update(&self, change: impl FnOnce(&mut WorkerState)) {
        change(&mut self.state.lock());
    }

    /// Sends a report soon.
    pub(crate) fn tell(&self) {
        self.wanted.notify_one();
    }

    /// Sends a report. It is lost while the server is unreachable.
    async fn send(&self) {
        let message = {
            let mut state = self.state.lock();
            state.load = platform::load();
            state.seconds = self.joined.lock().elapsed().as_secs_f64();
            wire::format(&*state)
        };
        let _ = self
            .link
            .client
            .publish(names::worker(&self.name()), message.into())
            .await;
    }

    /// Sends a report and waits until the server has it.
    pub(crate) fn send_last(&self) {
        let subject = names::worker(&self.name());
        let message = wire::format(&*self.state.lock());
        // On failure, the worker is noticed as gone after a timeout.
        let _ = self.link.wait(async {
            self.link
                .client
                .publish(subject, message.into())
                .await
                .ok()?;
            tokio::time::timeout(REPORT_INTERVAL, self.link.client.flush())
                .await
                .ok()
        });
    }
}
