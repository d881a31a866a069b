//! Fetches messages from a match's stream of results, in batches.

use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::consumer::pull::Batch;
use futures_util::StreamExt;
use tokio::time::timeout;

use crate::link::Link;

/// Time that the server may wait for results before it answers a request.
const PULL: Duration = Duration::from_secs(5);

/// Maximum number of results in one batch.
const BATCH: usize = 64;

/// The messages of a consumer.
pub(crate) struct Results {
    link: Link,
    consumer: PullConsumer,
    batch: Option<Batch>,
}

impl Results {
    pub(crate) fn new(link: Link, consumer: PullConsumer) -> Results {
        Results {
            link,
            consumer,
            batch: None,
        }
    }

    /// Returns the next message; `None` if none arrives within this time.
    pub(crate) fn next(&mut self, wait: Duration) -> Option<Message> {
        let deadline = Instant::now() + wait;
        if !self.link.is_connected() {
            std::thread::sleep(wait);
            return None;
        }
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if self.batch.is_none() && !self.request() {
                std::thread::sleep(left);
                return None;
            }
            let batch = self.batch.as_mut()?;
            match self.link.wait(async { timeout(left, batch.next()).await }) {
                Ok(Some(Ok(message))) => return Some(message),
                Ok(_) => self.drop_batch(),
                Err(_) => return None,
            }
            if left.is_zero() {
                return None;
            }
        }
    }

    /// Requests a batch. Returns `true` if the server accepted the request.
    fn request(&mut self) -> bool {
        let batch = self.consumer.batch().max_messages(BATCH).expires(PULL);
        self.batch = self.link.wait(batch.messages()).ok();
        self.batch.is_some()
    }

    /// Drops the current request, for instance after a reconnection. Its destructor starts a task, so it must run in
    /// the runtime.
    pub(crate) fn drop_batch(&mut self) {
        let batch = self.batch.take();
        self.link.wait(async move { drop(batch) });
    }
}

impl Drop for Results {
    fn drop(&mut self) {
        self.drop_batch();
    }
}
