//! The streams of a fleet, and what they hold.

use std::ops::Range;
use std::time::Duration;

use async_nats::jetstream::Context;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::message::StreamMessage;
use async_nats::jetstream::stream::{
    Config, DirectGetErrorKind, RetentionPolicy, StorageType, Stream,
};
use futures_util::StreamExt;
use referee::queue::MAX_WINDOW;

use crate::link::Link;
use crate::names;
use crate::wire::{self, Announcement, MAX_MESSAGE, MatchState};

/// How long the server remembers ids of messages. Doubled messages after that are found by the ledger.
const DUPLICATE_WINDOW: Duration = Duration::from_secs(120);

/// How long a coordinator may take to record a result before it is delivered again.
const RECORD_WAIT: Duration = Duration::from_secs(30);

/// The most results that are delivered and not recorded.
const MAX_UNRECORDED: i64 = 2048;

/// The most matches that are announced at once.
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

/// Makes the stream of announcements if it is not there.
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

/// Makes the streams of a match if they are not there, and returns the consumer of its results.
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
        // Whoever writes to the stream can put more there than a window.
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
    // The results' stream comes first: it also keeps what the server tells of lost pairs.
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

/// The streams that a match may have.
pub(crate) fn match_streams(id: &str) -> [String; 3] {
    [
        names::work_stream(id),
        names::result_stream(id),
        names::engine_stream(id),
    ]
}

/// Deletes the streams of a match and its announcement.
pub(crate) async fn delete_match(jetstream: &Context, id: &str) {
    // What is not deleted is of no use to anyone, and its match is over.
    for stream in match_streams(id) {
        let _ = jetstream.delete_stream(stream).await;
    }
    if let Ok(matches) = jetstream.get_stream_no_info(names::MATCHES).await {
        let _ = matches.purge().filter(names::announcement(id)).await;
    }
}

/// All messages of a stream under these subjects, the oldest first; as many as `max` or a few more.
///
/// The server gives one message an answer, so many are asked for at the same time.
pub(crate) async fn scan(
    stream: &Stream<()>,
    subject: &str,
    max: usize,
) -> Result<Vec<StreamMessage>, String> {
    let info = stream.get_info().await.map_err(|error| error.to_string())?;
    let (first, end) = (info.state.first_sequence, info.state.last_sequence + 1);
    let step = end.saturating_sub(first).div_ceil(SCANS).max(1);
    let begins = (0..SCANS).map(|part| first + part * step);
    let parts = begins.filter(|begin| *begin < end);
    let scans = parts.map(|begin| scan_part(stream, subject, begin..end.min(begin + step), max));
    let parts: Vec<_> = futures_util::stream::iter(scans)
        .buffered(usize::try_from(SCANS).unwrap_or(1))
        .collect()
        .await;
    let parts = parts.into_iter().collect::<Result<Vec<_>, _>>()?;
    Ok(parts.concat())
}

/// How many parts of a stream are scanned at the same time.
const SCANS: u64 = 32;

async fn scan_part(
    stream: &Stream<()>,
    subject: &str,
    sequences: Range<u64>,
    max: usize,
) -> Result<Vec<StreamMessage>, String> {
    let mut messages = Vec::new();
    let mut next = sequences.start;
    while messages.len() < max {
        match stream
            .direct_get_next_for_subject(subject, Some(next))
            .await
        {
            Ok(message) if sequences.contains(&message.sequence) => {
                next = message.sequence + 1;
                messages.push(message);
            }
            Ok(_) => break,
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => break,
            Err(error) => return Err(error.to_string()),
        }
    }
    Ok(messages)
}

/// The number of the last announcement under a subject; 0 for none.
pub(crate) async fn last_sequence(link: &Link, subject: String) -> Result<u64, String> {
    let stream = link.stream(names::MATCHES).await?;
    match stream.direct_get_last_for_subject(subject).await {
        Ok(message) => Ok(message.sequence),
        Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(0),
        Err(error) => Err(error.to_string()),
    }
}

/// All announcements that can be read; none while the server is away.
pub(crate) async fn announcements(link: &Link) -> Vec<Announcement> {
    let Ok(stream) = link.stream(names::MATCHES).await else {
        return Vec::new();
    };
    let messages = scan(&stream, names::ALL_MATCHES, usize::from(MAX_MATCHES)).await;
    let read = |message: &StreamMessage| {
        let id = message.subject.rsplit('.').next()?;
        let found = wire::parse::<Announcement>(&message.payload).ok()?;
        (found.id == id && names::is_match_id(id)).then_some(found)
    };
    messages
        .unwrap_or_default()
        .iter()
        .filter_map(read)
        .collect()
}

/// The matches that workers may play.
pub(crate) async fn open_matches(link: &Link) -> Vec<Announcement> {
    let mut all = announcements(link).await;
    all.retain(|found| found.state == MatchState::Open);
    all
}
