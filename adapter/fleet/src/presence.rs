//! The reports of a worker about itself.

use std::sync::Arc;
use std::time::Instant;

use futures_util::StreamExt;
use parking_lot::Mutex;

use crate::link::Link;
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
}

impl Presence {
    /// Starts the reports: at regular intervals, and on request.
    pub(crate) fn begin(link: &Link) -> Presence {
        let host = platform::host_name();
        let part = names::subject_part(&host);
        let (process, number) = (std::process::id(), fastrand::u16(..));
        let presence = Presence {
            link: link.clone(),
            joined: Arc::new(Mutex::new(Instant::now())),
            state: Arc::new(Mutex::new(WorkerState {
                worker: format!("{part}-{process}-{number:04x}"),
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
                regular.tell();
                tokio::time::sleep(REPORT_INTERVAL).await;
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

    /// Sends a report now.
    pub(crate) fn tell(&self) {
        let message = {
            let mut state = self.state.lock();
            state.load = platform::load();
            state.seconds = self.joined.lock().elapsed().as_secs_f64();
            wire::format(&*state)
        };
        self.link.tell(names::worker(&self.name()), message);
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
