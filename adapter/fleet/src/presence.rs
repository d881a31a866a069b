//! What a worker tells about itself.

use std::sync::Arc;
use std::time::Instant;

use futures_util::StreamExt;
use parking_lot::Mutex;

use crate::crew::TELL_EVERY;
use crate::link::Link;
use crate::names;
use crate::platform;
use crate::wire::{self, WorkerState};

/// A worker as others see it. Clones are the same.
#[derive(Debug, Clone)]
pub(crate) struct Presence {
    link: Link,
    state: Arc<Mutex<WorkerState>>,
    /// When it began to play its match.
    joined: Arc<Mutex<Instant>>,
}

impl Presence {
    /// Begins to tell how this worker is: now and then, and to whoever asks.
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
                tokio::time::sleep(TELL_EVERY).await;
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

    /// Its name.
    pub(crate) fn name(&self) -> String {
        self.state.lock().worker.clone()
    }

    /// The name of its machine.
    pub(crate) fn machine(&self) -> String {
        self.state.lock().machine.clone()
    }

    /// It begins to play a match, of which it has played nothing.
    pub(crate) fn join(&self, match_id: &str, concurrency: usize, scale: f64) {
        *self.joined.lock() = Instant::now();
        self.update(|state| {
            match_id.clone_into(&mut state.match_id);
            (state.concurrency, state.scale) = (concurrency, scale);
            state.pairs = 0;
            state.refused = None;
        });
    }

    /// Changes what is told from now on.
    pub(crate) fn update(&self, change: impl FnOnce(&mut WorkerState)) {
        change(&mut self.state.lock());
    }

    /// Tells it now.
    pub(crate) fn tell(&self) {
        let message = {
            let mut state = self.state.lock();
            state.load = platform::load();
            state.seconds = self.joined.lock().elapsed().as_secs_f64();
            wire::format(&*state)
        };
        self.link.tell(names::worker(&self.name()), message);
    }

    /// Tells it, and waits until the server has it.
    pub(crate) fn tell_last(&self) {
        let subject = names::worker(&self.name());
        let message = wire::format(&*self.state.lock());
        // A worker that goes without a word is missed after a while.
        let _ = self.link.wait(async {
            self.link
                .client
                .publish(subject, message.into())
                .await
                .ok()?;
            tokio::time::timeout(TELL_EVERY, self.link.client.flush())
                .await
                .ok()
        });
    }
}
