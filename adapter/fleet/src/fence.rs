//! Ensures that of two coordinators of one match the later one continues: each writes its id under the match's key of a
//! key-value bucket, which workers may not write.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use async_nats::jetstream::kv::Store;
use futures_util::StreamExt;

use crate::link::Link;
use crate::streams::make_bucket;

/// Name of the bucket.
pub(crate) const BUCKET: &str = "linesman-coordinators";

/// Entry of a coordinator in the bucket.
#[derive(Debug)]
pub(crate) struct Fence {
    /// Id of the match.
    key: String,
    /// Revision of the own entry; 0 before it is written.
    revision: Arc<AtomicU64>,
    /// Set when another coordinator has written a later entry.
    is_taken: Arc<AtomicBool>,
}

impl Fence {
    pub(crate) fn new(match_id: &str) -> Fence {
        Fence {
            key: match_id.to_owned(),
            revision: Arc::default(),
            is_taken: Arc::default(),
        }
    }

    /// Writes the entry, and watches it: the server sends a later one as soon as the connection is up.
    ///
    /// # Errors
    /// The server does not store it.
    pub(crate) fn enter(&self, link: &Link) -> Result<(), String> {
        let watched = link.wait(async {
            let store = self.write(link).await?;
            store
                .watch(&self.key)
                .await
                .map_err(|error| error.to_string())
        });
        let mut entries = watched?;
        let (revision, is_taken) = (Arc::clone(&self.revision), Arc::clone(&self.is_taken));
        link.spawn(async move {
            while let Some(entry) = entries.next().await {
                let is_later = |entry: u64| entry > revision.load(Ordering::Relaxed);
                is_taken.fetch_or(
                    entry.is_ok_and(|entry| is_later(entry.revision)),
                    Ordering::Relaxed,
                );
            }
        });
        Ok(())
    }

    async fn write(&self, link: &Link) -> Result<Store, String> {
        let store = make_bucket(&link.jetstream, BUCKET).await?;
        let written = store.put(&self.key, Vec::new().into()).await;
        let revision = written.map_err(|error| format!("key-value store: {error}"))?;
        self.revision.store(revision, Ordering::Relaxed);
        Ok(store)
    }

    /// Checks the entry after a reconnection, and writes it again if the server has lost its files.
    ///
    /// # Errors
    /// The server does not answer.
    pub(crate) fn check(&self, link: &Link) -> Result<(), String> {
        let found = link.wait(async {
            let store = link.jetstream.get_key_value(BUCKET).await.ok()?;
            store.entry(&self.key).await.transpose()
        });
        match found {
            Some(Ok(entry)) => {
                let is_taken = entry.revision != self.revision.load(Ordering::Relaxed);
                self.is_taken.fetch_or(is_taken, Ordering::Relaxed);
                Ok(())
            }
            Some(Err(error)) => Err(error.to_string()),
            None => link.wait(self.write(link)).map(drop),
        }
    }

    /// `true` if another coordinator has begun after this one.
    pub(crate) fn is_taken(&self) -> bool {
        self.is_taken.load(Ordering::Relaxed)
    }
}
