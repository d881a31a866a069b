//! What comes to a coordinator from the stream of its results, a batch of messages at a time.

use std::fmt;
use std::time::{Duration, Instant};

use async_nats::jetstream::Message;
use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::consumer::pull::Batch;
use futures_util::StreamExt;
use tokio::time::timeout;

use crate::link::Link;

/// How long the server may hold back results that are not there yet.
const PULL: Duration = Duration::from_secs(5);

/// The most results that come in one answer.
const BATCH: usize = 64;

/// The messages of a consumer.
pub(crate) struct Results {
    link: Link,
    consumer: PullConsumer,
    batch: Option<Batch>,
}

impl fmt::Debug for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Results").finish_non_exhaustive()
    }
}

impl Results {
    pub(crate) fn new(link: Link, consumer: PullConsumer) -> Results {
        Results {
            link,
            consumer,
            batch: None,
        }
    }

    /// The next message; `None` if none comes within this time.
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

    /// Asks for a batch; whether the server could be asked.
    fn request(&mut self) -> bool {
        let batch = self.consumer.batch().max_messages(BATCH).expires(PULL);
        self.batch = self.link.wait(batch.messages()).ok();
        self.batch.is_some()
    }

    /// Forgets what was asked of a server that was away. A request that ends starts a task.
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
