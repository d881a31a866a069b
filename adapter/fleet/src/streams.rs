//! The JetStream streams of a fleet, and their subjects; the announcements of matches; and the object store of a match,
//! whose objects are named by their SHA-256, which is checked when they are read.

use std::collections::BTreeSet;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, pull};
use async_nats::jetstream::context::PublishError;
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::object_store::{self, ObjectMetadata, ObjectStore};
use async_nats::jetstream::stream::{
    Config, DirectGetErrorKind, DiscardPolicy, RetentionPolicy, Stream,
};
use futures_util::TryStreamExt;
use record::digest::hash_of;
use referee::stop::Stop;

use crate::link::{Link, text};
use crate::wire::{self, Announcement, MAX_MESSAGE};

/// Stream with the last announcement of each match.
const MATCHES: &str = "LINESMAN_MATCHES";

/// Consumer of a match's pairs, shared by its workers.
pub(crate) const WORKERS: &str = "workers";

/// Maximum number of pairs in a queue at a time.
pub(crate) const WINDOW: usize = 4096;

/// Maximum number of announced matches.
const MAX_MATCHES: i64 = 1000;

/// Time in which a coordinator must record a result before it is delivered again.
const RECORD_WAIT: Duration = Duration::from_secs(30);

/// Maximum number of results that are delivered and not yet recorded.
const MAX_UNRECORDED: i64 = 2048;

/// Maximum number of results that the server sends ahead.
const BATCH: usize = 64;

/// Interval at which the server shows that it has no results.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Subject of a match's announcement (`match`), its pair (`work`, with the pair's number), its results (`result`) or
/// questions to its coordinator (`coordinator`); or of a worker's reports (`worker`).
pub(crate) fn subject(kind: &str, id: &str) -> String {
    format!("linesman.{kind}.{id}")
}

/// Stream of a match's pairs.
pub(crate) fn work_stream(id: &str) -> String {
    format!("LINESMAN_WORK_{id}")
}

/// Stream of a match's results.
pub(crate) fn result_stream(id: &str) -> String {
    format!("LINESMAN_RESULTS_{id}")
}

/// Object store bucket with what a match sends in pieces: its engines, and results that are too long for a message.
pub(crate) fn bucket(id: &str) -> String {
    format!("linesman-{id}")
}

/// Returns `true` if the text is a valid match id, and so a valid part of a subject.
pub(crate) fn is_match_id(id: &str) -> bool {
    (1..=32).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Creates what a match needs on the server and does not exist yet: its streams, the consumer of its pairs, and the
/// programs that it sends.
pub(crate) async fn make(link: &Link, announcement: &Announcement) -> Result<(), String> {
    let (id, settings) = (&announcement.plan.id, &announcement.settings);
    let max_message_size = i32::try_from(MAX_MESSAGE).unwrap_or(i32::MAX);
    let matches = Config {
        name: MATCHES.to_owned(),
        subjects: vec![subject("match", "*")],
        max_messages_per_subject: 1,
        max_messages: MAX_MATCHES,
        max_message_size,
        allow_direct: true,
        ..Config::default()
    };
    // Each pair has its subject, so the server holds a pair at most once.
    let work = Config {
        name: work_stream(id),
        subjects: vec![format!("linesman.work.{id}.*")],
        retention: RetentionPolicy::WorkQueue,
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        discard_new_per_subject: true,
        max_message_size,
        ..Config::default()
    };
    let results = Config {
        name: result_stream(id),
        subjects: vec![subject("result", id)],
        retention: RetentionPolicy::WorkQueue,
        ..Config::default()
    };
    let workers = pull::Config {
        durable_name: Some(WORKERS.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: Duration::from_millis(settings.lost_after_ms),
        // Other clients may write to the stream too.
        max_ack_pending: 4 * WINDOW as i64,
        ..pull::Config::default()
    };
    for config in [matches, results] {
        make_stream(link, config).await?;
    }
    let work = make_stream(link, work).await?;
    work.create_consumer(workers).await.map_err(text)?;
    for content in settings.engines.iter().flatten().chain(&settings.rules) {
        if let Some(archive) = &content.archive {
            put_object(link, id, &archive.bytes).await?;
        }
    }
    Ok(())
}

async fn make_stream(link: &Link, config: Config) -> Result<Stream, String> {
    let name = config.name.clone();
    let made = link.jetstream.create_stream(config).await;
    made.map_err(|error| format!("stream {name}: {error}"))
}

/// The results of a match, for this coordinator alone. An earlier one cannot read or remove results any more, and those
/// that it has received without recording them are delivered again.
pub(crate) async fn results(
    link: &Link,
    announcement: &Announcement,
) -> Result<pull::Stream, String> {
    let (id, coordinator) = (&announcement.plan.id, &announcement.coordinator);
    let stream = link.stream(&result_stream(id)).await?;
    let names: Vec<String> = stream.consumer_names().try_collect().await.map_err(text)?;
    for name in names.iter().filter(|name| **name != *coordinator) {
        let deleted = stream.delete_consumer(name).await;
        deleted.map_err(text)?;
    }
    let config = pull::Config {
        durable_name: Some(coordinator.clone()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: RECORD_WAIT,
        max_ack_pending: MAX_UNRECORDED,
        ..pull::Config::default()
    };
    let consumer = stream.create_consumer(config).await.map_err(text)?;
    let results = consumer.stream().max_messages_per_batch(BATCH);
    // Without a sign of the server, the stream ends with an error after twice the heartbeat.
    let results = results.heartbeat(HEARTBEAT).expires(6 * HEARTBEAT);
    results.messages().await.map_err(text)
}

/// Announces a match, if the sequence number of its last announcement is still this one.
pub(crate) async fn announce(
    link: &Link,
    announcement: &Announcement,
    last: u64,
) -> Result<(), PublishError> {
    let message = PublishMessage::build()
        .payload(wire::format(announcement).into())
        .expected_last_subject_sequence(last);
    let subject = subject("match", &announcement.plan.id);
    link.store(subject, message).await.map(drop)
}

/// Deletes the streams of a match and its announcement.
pub(crate) async fn delete_match(link: &Link, id: &str) {
    // Failures do not matter: the match is over, and no program reads its streams.
    for stream in [
        work_stream(id),
        result_stream(id),
        format!("OBJ_{}", bucket(id)),
    ] {
        let _ = link.jetstream.delete_stream(stream).await;
    }
    if let Ok(stream) = link.stream(MATCHES).await {
        let _ = stream.purge().filter(subject("match", id)).await;
    }
}

/// Number of messages in a stream; `None` if it does not exist.
pub(crate) async fn n_messages(link: &Link, name: &str) -> Option<u64> {
    let stream = link.stream(name).await.ok()?;
    Some(stream.get_info().await.ok()?.state.messages)
}

/// Number of pairs in the queue of a match that no worker has taken, and that workers have taken.
pub(crate) async fn pair_counts(link: &Link, id: &str) -> Option<(u64, u64)> {
    let stream = link.stream(&work_stream(id)).await.ok()?;
    let info = stream.consumer_info(WORKERS).await.ok()?;
    Some((info.num_pending, info.num_ack_pending as u64))
}

/// Returns the pairs in the queue of a match.
pub(crate) async fn held_pairs(link: &Link, id: &str) -> Result<BTreeSet<usize>, String> {
    let stream = link.stream(&work_stream(id)).await?;
    let pairs = last_words(&stream).await?;
    Ok(pairs.iter().flat_map(|pair| pair.parse()).collect())
}

/// Returns the last words of the subjects that have messages in a stream.
async fn last_words(stream: &Stream<()>) -> Result<Vec<String>, String> {
    let found = stream.info_with_subjects(">").await;
    let subjects = found.map_err(text)?;
    let subjects: Vec<(String, usize)> = subjects.try_collect().await.map_err(text)?;
    let words = subjects.into_iter();
    let words = words.filter_map(|(name, _)| Some(name.rsplit('.').next()?.to_owned()));
    Ok(words.collect())
}

/// Returns the last message under the subject of a match's announcement, if there is one.
pub(crate) async fn last_announced(link: &Link, id: &str) -> Result<Option<StreamMessage>, String> {
    let stream = link.stream(MATCHES).await?;
    let found = stream.direct_get_last_for_subject(subject("match", id));
    match found.await {
        Ok(message) => Ok(Some(message)),
        Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.to_string()),
    }
}

/// Returns the announcement of a match, if there is one.
///
/// # Errors
/// The server does not answer, or the announcement is invalid.
pub(crate) async fn announcement(link: &Link, id: &str) -> Result<Option<Announcement>, String> {
    let message = last_announced(link, id).await?;
    let read = |message: StreamMessage| wire::parse(&message.payload);
    message.map(read).transpose()
}

/// Returns all valid announcements, sorted by id; none while the server is unreachable.
pub(crate) async fn announcements(link: &Link) -> Vec<Announcement> {
    let Ok(stream) = link.stream(MATCHES).await else {
        return Vec::new();
    };
    let mut ids = last_words(&stream).await.unwrap_or_default();
    ids.retain(|id| is_match_id(id));
    ids.sort();
    let mut found = Vec::new();
    for id in ids {
        let announced = announcement(link, &id).await.ok().flatten();
        found.extend(announced.filter(|found| found.plan.id == id));
    }
    found
}

/// Maximum size of a chunk of an object, in bytes.
const CHUNK: usize = 1 << 19;

/// Pause before a failed operation is repeated.
const PAUSE: Duration = Duration::from_millis(200);

async fn open_store(link: &Link, id: &str) -> Result<ObjectStore, String> {
    let config = object_store::Config {
        bucket: bucket(id),
        ..object_store::Config::default()
    };
    let store = link.jetstream.create_object_store(config).await;
    store.map_err(|error| format!("object store: {error}"))
}

/// Stores an object, unless it is there. Returns its hash.
///
/// # Errors
/// The server rejects it.
pub(crate) async fn put_object(link: &Link, id: &str, bytes: &[u8]) -> Result<String, String> {
    let store = open_store(link, id).await?;
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
pub(crate) async fn delete_object(link: &Link, id: &str, hash: &str) {
    if let Ok(store) = open_store(link, id).await {
        let _ = store.delete(hash).await;
    }
}

/// Fetches an object, and retries while the server is unreachable.
///
/// # Errors
/// The object is missing or has another size or hash, or this program must stop.
pub(crate) fn get_object(
    link: &Link,
    id: &str,
    hash: &str,
    n_bytes: u64,
    stop: &Stop,
) -> Result<Vec<u8>, String> {
    loop {
        let connections = link.connections();
        match link.wait(try_get_object(link, id, hash, n_bytes, stop)) {
            Err(_) if stop.is_asked() => return Err("stopped".to_owned()),
            Err(_) if !link.is_connected() || link.connections() != connections => {
                std::thread::sleep(PAUSE);
            }
            done => return done,
        }
    }
}

/// Reads the chunks of an object one by one. The crate's own reader panics if the server fails meanwhile.
async fn try_get_object(
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
