//! Ensures that of two coordinators of one match the later one continues: each writes its id under the match's key of a
//! key-value bucket, which workers may not write.

use std::cmp::Ordering::{Equal, Greater, Less};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_nats::jetstream::kv::{Entry, Store, UpdateErrorKind};
use futures_util::StreamExt;

use crate::link::Link;
use crate::names;
use crate::streams::make_bucket;

/// Entry of a match in the bucket: the sequence number of the first announcement by its latest coordinator.
#[derive(Debug)]
pub(crate) struct Fence {
    /// Id of the match.
    key: String,
    /// Sequence number of the first announcement by this coordinator.
    own: u64,
    /// Set when the entry is of a later coordinator.
    is_taken: Arc<AtomicBool>,
}

impl Fence {
    /// Watches the entry, then writes it: the server sends a later one as soon as the connection is up.
    ///
    /// # Errors
    /// The server does not store it.
    pub(crate) fn enter(link: &Link, match_id: &str, own: u64) -> Result<Fence, String> {
        let fence = Fence {
            key: match_id.to_owned(),
            own,
            is_taken: Arc::default(),
        };
        let watched = link.wait(async {
            let store = make_bucket(&link.jetstream, names::FENCES).await?;
            let watched = store.watch(&fence.key).await;
            let watched = watched.map_err(|error| error.to_string())?;
            fence.write(&store).await.map(|()| watched)
        });
        let mut entries = watched?;
        let is_taken = Arc::clone(&fence.is_taken);
        link.spawn(async move {
            // After an error the stream must not be polled again: the client is closed, or `check` reads the entry later.
            while let Some(Ok(entry)) = entries.next().await {
                is_taken.fetch_or(sequence(&entry) > own, Ordering::Relaxed);
            }
        });
        Ok(fence)
    }

    /// Writes the entry, unless there is one of a later coordinator.
    async fn write(&self, store: &Store) -> Result<(), String> {
        loop {
            let found = store.entry(&self.key).await;
            let found = found.map_err(|error| error.to_string())?;
            match found.as_ref().map_or(0, sequence).cmp(&self.own) {
                Greater => self.is_taken.store(true, Ordering::Relaxed),
                Equal => {}
                Less => {
                    let revision = found.map_or(0, |entry| entry.revision);
                    let own = self.own.to_string().into();
                    match store.update(&self.key, own, revision).await {
                        Err(error) if error.kind() == UpdateErrorKind::WrongLastRevision => {
                            continue;
                        }
                        written => written.map_err(|error| format!("key-value store: {error}"))?,
                    };
                }
            }
            return Ok(());
        }
    }

    /// Checks the entry after a reconnection, and writes it again if the server has lost its files.
    ///
    /// # Errors
    /// The server does not answer.
    pub(crate) fn check(&self, link: &Link) -> Result<(), String> {
        link.wait(async {
            let store = make_bucket(&link.jetstream, names::FENCES).await?;
            self.write(&store).await
        })
    }

    /// `true` if another coordinator has begun after this one.
    pub(crate) fn is_taken(&self) -> bool {
        self.is_taken.load(Ordering::Relaxed)
    }
}

/// The sequence number in an entry; 0 for one that was deleted or is invalid.
fn sequence(entry: &Entry) -> u64 {
    let text = std::str::from_utf8(&entry.value);
    text.ok().and_then(|text| text.parse().ok()).unwrap_or(0)
}
