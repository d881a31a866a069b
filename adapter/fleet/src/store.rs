//! Engines in the object store of JetStream, in one bucket for each match. Any client of the server can read and write
//! there, so the size of an engine is bounded, and its hash is checked before use.

use std::time::Duration;

use async_nats::jetstream::object_store::{Config, ObjectInfo, ObjectMetadata};
use async_nats::jetstream::stream::DirectGetErrorKind;
use data_encoding::BASE64URL;
use referee::stop::Stop;

use crate::link::Link;
use crate::names;
use crate::pack::Packed;
use crate::wire::WireArchive;

/// Maximum size of a chunk of an object, in bytes.
const CHUNK: usize = 1 << 19;

/// Size reserved for the headers of a message, in bytes.
const HEADERS: usize = 1024;

/// Pause before a failed operation is repeated.
const PAUSE: Duration = Duration::from_millis(200);

/// Stores the engines of a match that are not in the store yet.
///
/// # Errors
/// The server rejects the bucket or an engine.
pub(crate) fn put<'a>(
    link: &Link,
    id: &str,
    engines: impl Iterator<Item = &'a Packed>,
) -> Result<(), String> {
    let mut engines = engines.peekable();
    if engines.peek().is_none() {
        return Ok(());
    }
    let max_payload = link.client.max_payload().saturating_sub(HEADERS);
    let chunk_size = max_payload.clamp(HEADERS, CHUNK);
    let config = Config {
        bucket: names::engines(id),
        ..Config::default()
    };
    link.wait(async {
        let store = link.jetstream.create_object_store(config).await;
        let store = store.map_err(|error| format!("object store: {error}"))?;
        for packed in engines {
            let hash = &packed.archive.hash;
            let found = store.info(hash).await;
            if found.is_ok_and(|found| !found.deleted && found.size == packed.bytes.len()) {
                continue;
            }
            let about = ObjectMetadata {
                name: hash.clone(),
                chunk_size: Some(chunk_size),
                ..ObjectMetadata::default()
            };
            let stored = store.put(about, &mut &packed.bytes[..]).await;
            stored.map_err(|error| format!("object store: {error}"))?;
        }
        Ok(())
    })
}

/// Fetches an engine of a match, and retries while the server is unreachable. Does not check the hash.
///
/// # Errors
/// The engine is missing or has another size than announced, or this program must stop.
pub(crate) fn get(
    link: &Link,
    id: &str,
    archive: &WireArchive,
    stop: &Stop,
) -> Result<Vec<u8>, String> {
    loop {
        let connections = link.connections();
        match link.wait(try_get(link, id, archive, stop)) {
            Err(_) if stop.is_asked() => return Err("stopped".to_owned()),
            Err(_) if !link.is_connected() || link.connections() != connections => {
                std::thread::sleep(PAUSE);
            }
            done => return done,
        }
    }
}

/// Reads the description and the chunks of an object by direct gets, which are the only ones that a worker may use. The
/// crate's own reader also panics on an invalid object.
async fn try_get(
    link: &Link,
    id: &str,
    archive: &WireArchive,
    stop: &Stop,
) -> Result<Vec<u8>, String> {
    let bucket = names::engines(id);
    let stream = link.stream(&names::engine_stream(id)).await?;
    let name = BASE64URL.encode(archive.hash.as_bytes());
    let found = stream
        .direct_get_last_for_subject(format!("$O.{bucket}.M.{name}"))
        .await;
    let found = found.map_err(|error| error.to_string())?;
    let found: ObjectInfo =
        serde_json::from_slice(&found.payload).map_err(|error| error.to_string())?;
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if found.nuid.is_empty() || !is_plain(&found.nuid) {
        return Err("no valid description of it".to_owned());
    }
    let chunks = format!("$O.{bucket}.C.{}", found.nuid);
    let mut bytes = Vec::new();
    let mut next = 1;
    while bytes.len() as u64 <= archive.n_bytes && !stop.is_asked() {
        match stream
            .direct_get_next_for_subject(&chunks, Some(next))
            .await
        {
            Ok(chunk) => {
                next = chunk.sequence + 1;
                bytes.extend_from_slice(&chunk.payload);
            }
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => break,
            Err(error) => return Err(error.to_string()),
        }
    }
    match bytes.len() as u64 == archive.n_bytes && !stop.is_asked() {
        true => Ok(bytes),
        false => Err(format!(
            "{} bytes: expected {}",
            bytes.len(),
            archive.n_bytes
        )),
    }
}
