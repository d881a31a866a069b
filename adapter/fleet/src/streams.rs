//! The JetStream streams of a fleet, and their messages.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::kv::Store;
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::{
    Config, DirectGetErrorKind, DiscardPolicy, RetentionPolicy, StorageType, Stream,
};
use futures_util::StreamExt;
use referee::queue::MAX_WINDOW;
use serde::de::DeserializeOwned;

use crate::inbox::MAX_HELD;
use crate::link::Link;
use crate::names;
use crate::wire::{self, Announcement, MAX_MESSAGE, MatchState, UpdateAnnouncement, WireUpdate};

/// Time for which the server detects repeated message ids. The ledger detects later duplicates.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);

/// Time in which a coordinator must record a result before it is delivered again.
const RECORD_WAIT: Duration = Duration::from_secs(30);

/// Maximum number of results, or parts of them, delivered and not yet recorded.
const MAX_UNRECORDED: i64 = MAX_HELD as i64 + 2048;

/// Maximum number of announced matches.
const MAX_MATCHES: u16 = 1000;

fn stored(name: String, subjects: Vec<String>) -> Config {
    Config {
        name,
        subjects,
        storage: StorageType::File,
        allow_direct: true,
        duplicate_window: DUPLICATE_WINDOW,
        ..Config::default()
    }
}

/// Creates the stream of announcements if it does not exist.
pub(crate) async fn make_matches(jetstream: &Context) -> Result<(), String> {
    let config = Config {
        max_messages_per_subject: 1,
        max_messages: i64::from(MAX_MATCHES),
        max_message_size: i32::try_from(MAX_MESSAGE).unwrap_or(i32::MAX),
        ..stored(
            names::MATCHES.to_owned(),
            vec![names::ALL_MATCHES.to_owned()],
        )
    };
    make(jetstream, config).await.map(drop)
}

/// Creates the streams of a match if they do not exist, and returns the consumer of its results.
pub(crate) async fn make_match(
    jetstream: &Context,
    id: &str,
    lost_after: Duration,
    max_deliver: u32,
) -> Result<PullConsumer, String> {
    let work = Config {
        retention: RetentionPolicy::WorkQueue,
        max_message_size: i32::try_from(MAX_MESSAGE).unwrap_or(i32::MAX),
        ..stored(names::work_stream(id), vec![names::work(id)])
    };
    let workers = pull::Config {
        durable_name: Some(names::WORKERS.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: lost_after,
        max_deliver: i64::from(max_deliver),
        // More pairs than a window, because other clients may write to the stream too.
        max_ack_pending: 4 * MAX_WINDOW as i64,
        ..pull::Config::default()
    };
    let results = Config {
        retention: RetentionPolicy::WorkQueue,
        ..stored(
            names::result_stream(id),
            vec![names::results(id), names::lost_pairs(id)],
        )
    };
    let coordinator = pull::Config {
        durable_name: Some(names::COORDINATOR.to_owned()),
        ack_policy: AckPolicy::Explicit,
        ack_wait: RECORD_WAIT,
        max_ack_pending: MAX_UNRECORDED,
        ..pull::Config::default()
    };
    // The stream of results must exist first, because it also receives the server's notices of lost pairs.
    let results = make(jetstream, results).await?;
    let consumer = results.create_consumer(coordinator).await;
    let consumer = consumer.map_err(|error| error.to_string())?;
    let work = make(jetstream, work).await?;
    let made = work.create_consumer(workers).await;
    made.map_err(|error| error.to_string())?;
    Ok(consumer)
}

async fn make(jetstream: &Context, config: Config) -> Result<Stream, String> {
    let name = config.name.clone();
    let made = jetstream.get_or_create_stream(config).await;
    made.map_err(|error| format!("stream {name}: {error}"))
}

/// Makes a key-value bucket. `create_key_value` asks for the account, whose description by servers before 2.10 it does
/// not understand.
pub(crate) async fn make_bucket(jetstream: &Context, bucket: &str) -> Result<Store, String> {
    let config = Config {
        max_messages_per_subject: 1,
        discard: DiscardPolicy::New,
        allow_rollup: true,
        deny_delete: true,
        ..stored(format!("KV_{bucket}"), vec![format!("$KV.{bucket}.>")])
    };
    make(jetstream, config).await?;
    let bucket = jetstream.get_key_value(bucket).await;
    bucket.map_err(|error| format!("key-value store: {error}"))
}

/// Names of the streams that a match may have.
pub(crate) fn match_streams(id: &str) -> [String; 3] {
    [
        names::work_stream(id),
        names::result_stream(id),
        names::engine_stream(id),
    ]
}

/// Deletes the streams of a match and its announcement.
pub(crate) async fn delete_match(jetstream: &Context, id: &str) {
    // Failures do not matter: the match is over, and no program reads its streams.
    for stream in match_streams(id) {
        let _ = jetstream.delete_stream(stream).await;
    }
    for (stream, subject) in [
        (names::MATCHES.to_owned(), names::announcement(id)),
        (
            format!("KV_{}", names::FENCES),
            format!("$KV.{}.{id}", names::FENCES),
        ),
    ] {
        if let Ok(stream) = jetstream.get_stream_no_info(stream).await {
            let _ = stream.purge().filter(subject).await;
        }
    }
}

/// Returns the messages of a stream under these subjects, the oldest first, and at most `max` of them.
///
/// The server returns one message per request, so the stream is scanned in 32 parts concurrently.
pub(crate) async fn scan(
    stream: &Stream<()>,
    subject: &str,
    max: usize,
) -> Result<Vec<StreamMessage>, String> {
    let info = stream.get_info().await.map_err(|error| error.to_string())?;
    let (first, end) = (info.state.first_sequence, info.state.last_sequence + 1);
    // All parts together take at most `max` messages.
    let n_left = &AtomicUsize::new(max);
    let next = async |sequence| match stream
        .direct_get_next_for_subject(subject, Some(sequence))
        .await
    {
        Ok(message) => Ok(Some((message.sequence, message))),
        Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(None),
        Err(error) => Err(error.to_string()),
    };
    let scans = parts(first..end).map(|part| scan_part(next, part, n_left));
    let parts: Vec<_> = futures_util::stream::iter(scans)
        .buffered(usize::try_from(SCANS).unwrap_or(1))
        .collect()
        .await;
    let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(parts.concat())
}

/// Divides sequence numbers into at most [`SCANS`] parts.
fn parts(sequences: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let Range { start, end } = sequences;
    let step = end.saturating_sub(start).div_ceil(SCANS).max(1);
    let begins = (0..SCANS).map(move |part| start + part * step);
    let begins = begins.filter(move |begin| *begin < end);
    begins.map(move |begin| begin..end.min(begin + step))
}

/// Number of parts of a stream that are scanned concurrently.
const SCANS: u64 = 32;

/// Returns the messages with these sequence numbers, while `n_left` allows more. `next` returns the first message from a
/// sequence number on, with its own number.
async fn scan_part<M>(
    next: impl AsyncFn(u64) -> Result<Option<(u64, M)>, String>,
    sequences: Range<u64>,
    n_left: &AtomicUsize,
) -> Result<Vec<M>, String> {
    let mut messages = Vec::new();
    let mut from = sequences.start;
    let take = |n_left: usize| n_left.checked_sub(1);
    while let Some((sequence, message)) = next(from).await?
        && sequences.contains(&sequence)
        && n_left
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, take)
            .is_ok()
    {
        from = sequence + 1;
        messages.push(message);
    }
    Ok(messages)
}

/// Returns the last message under the subject of a match's announcement, if there is one.
pub(crate) async fn last_announced(link: &Link, id: &str) -> Result<Option<StreamMessage>, String> {
    let stream = link.stream(names::MATCHES).await?;
    match stream
        .direct_get_last_for_subject(names::announcement(id))
        .await
    {
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

/// Returns all valid announcements; none while the server is unreachable.
pub(crate) async fn announcements(link: &Link) -> Vec<Announcement> {
    let all = read_announced(link).await;
    let all = all.into_iter();
    all.filter_map(|(id, found): (String, Announcement)| (found.id == id).then_some(found))
        .collect()
}

/// Returns the programs that matches send, with the ids of the matches, also of those with another message format.
pub(crate) async fn updates(link: &Link) -> Vec<(String, WireUpdate)> {
    let all = read_announced(link).await;
    let all = all.into_iter();
    all.filter_map(|(id, found): (String, UpdateAnnouncement)| Some((id, found.program?)))
        .collect()
}

/// The readable announcements, with the ids of their matches.
async fn read_announced<T: DeserializeOwned>(link: &Link) -> Vec<(String, T)> {
    let Ok(stream) = link.stream(names::MATCHES).await else {
        return Vec::new();
    };
    let messages = scan(&stream, names::ALL_MATCHES, usize::from(MAX_MATCHES)).await;
    let read = |message: &StreamMessage| {
        let id = message.subject.rsplit('.').next()?;
        let found = wire::parse(&message.payload).ok()?;
        names::is_match_id(id).then(|| (id.to_owned(), found))
    };
    messages
        .unwrap_or_default()
        .iter()
        .filter_map(read)
        .collect()
}

/// Returns the announcements of open matches.
pub(crate) async fn open_matches(link: &Link) -> Vec<Announcement> {
    let mut all = announcements(link).await;
    all.retain(|found| found.state == MatchState::Open);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stream without every third message.
    async fn next(from: u64) -> Result<Option<(u64, u64)>, String> {
        let sequence = (from..=100_000).find(|sequence| !sequence.is_multiple_of(3));
        Ok(sequence.map(|sequence| (sequence, sequence)))
    }

    fn scan(sequences: Range<u64>, max: usize) -> Vec<u64> {
        let runtime = tokio::runtime::Builder::new_current_thread().build();
        let runtime = runtime.expect("a runtime");
        let n_left = AtomicUsize::new(max);
        let scans = parts(sequences).map(|part| scan_part(next, part, &n_left));
        let parts = runtime.block_on(futures_util::future::try_join_all(scans));
        parts.expect("messages").concat()
    }

    #[test]
    fn a_scan_returns_at_most_its_maximum() {
        let all: Vec<u64> = (10..=100_000)
            .filter(|n: &u64| !n.is_multiple_of(3))
            .collect();
        assert_eq!(scan(10..100_001, 1 << 20), all);
        for max in [0, 1, 100, 10_000] {
            assert_eq!(scan(10..100_001, max).len(), max);
        }
        assert_eq!(scan(7..8, 5), [7]);
        assert!(scan(8..8, 5).is_empty());
    }
}
