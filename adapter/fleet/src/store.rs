//! The object store of a match. Objects are named by their SHA-256, which is checked when they are read.

use std::time::Duration;

use async_nats::jetstream::object_store::{Config, ObjectMetadata, ObjectStore};
use async_nats::jetstream::stream::DirectGetErrorKind;
use record::digest::hash_of;
use referee::stop::Stop;

use crate::link::{Link, text};
use crate::streams::bucket;

/// Maximum size of a chunk of an object, in bytes.
const CHUNK: usize = 1 << 19;

/// Pause before a failed operation is repeated.
const PAUSE: Duration = Duration::from_millis(200);

async fn open(link: &Link, id: &str) -> Result<ObjectStore, String> {
    let config = Config {
        bucket: bucket(id),
        ..Config::default()
    };
    let store = link.jetstream.create_object_store(config).await;
    store.map_err(|error| format!("object store: {error}"))
}

/// Stores an object, unless it is there. Returns its hash.
///
/// # Errors
/// The server rejects it.
pub(crate) async fn put(link: &Link, id: &str, bytes: &[u8]) -> Result<String, String> {
    let store = open(link, id).await?;
    let hash = hash_of(bytes);
    let found = store.info(&hash).await;
    if !found.is_ok_and(|found| !found.deleted && found.size == bytes.len()) {
        let about = ObjectMetadata {
            name: hash.clone(),
            chunk_size: Some(link.max_payload().min(CHUNK)),
            ..ObjectMetadata::default()
        };
        let stored = store.put(about, &mut &*bytes).await;
        stored.map_err(|error| format!("object store: {error}"))?;
    }
    Ok(hash)
}

/// Deletes an object. If that fails, it is deleted with the match.
pub(crate) async fn delete(link: &Link, id: &str, hash: &str) {
    if let Ok(store) = open(link, id).await {
        let _ = store.delete(hash).await;
    }
}

/// Fetches an object, and retries while the server is unreachable.
///
/// # Errors
/// The object is missing or has another size or hash, or this program must stop.
pub(crate) fn get(
    link: &Link,
    id: &str,
    hash: &str,
    n_bytes: u64,
    stop: &Stop,
) -> Result<Vec<u8>, String> {
    loop {
        let connections = link.connections();
        match link.wait(try_get(link, id, hash, n_bytes, stop)) {
            Err(_) if stop.is_asked() => return Err("stopped".to_owned()),
            Err(_) if !link.is_connected() || link.connections() != connections => {
                std::thread::sleep(PAUSE);
            }
            done => return done,
        }
    }
}

/// Reads the chunks of an object one by one. The crate's own reader panics if the server fails meanwhile.
async fn try_get(
    link: &Link,
    id: &str,
    hash: &str,
    n_bytes: u64,
    stop: &Stop,
) -> Result<Vec<u8>, String> {
    let store = link.jetstream.get_object_store(&bucket(id)).await;
    let store = store.map_err(text)?;
    let found = store.info(hash).await.map_err(text)?;
    let stream = link.stream(&format!("OBJ_{}", bucket(id))).await?;
    let chunks = format!("$O.{}.C.{}", bucket(id), found.nuid);
    let mut bytes = Vec::new();
    let mut next = 1;
    while bytes.len() as u64 <= n_bytes && !stop.is_asked() {
        let chunk = stream.direct_get_next_for_subject(&chunks, Some(next));
        match chunk.await {
            Ok(chunk) => {
                next = chunk.sequence + 1;
                bytes.extend_from_slice(&chunk.payload);
            }
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => break,
            Err(error) => return Err(error.to_string()),
        }
    }
    let n_found = bytes.len() as u64;
    if n_found != n_bytes || stop.is_asked() {
        return Err(format!("{n_found} bytes, not {n_bytes}"));
    }
    let found = hash_of(&bytes);
    if found != hash {
        return Err(format!("its content is {found}, not {hash}"));
    }
    Ok(bytes)
}
