//! A match on the server: its announcement, its streams and their subjects, and its objects, which are named by their
//! SHA-256. It is checked when they are read.

use std::collections::BTreeSet;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::PublishError;
use async_nats::jetstream::message::{PublishMessage, StreamMessage};
use async_nats::jetstream::stream::{
    Config, DirectGetErrorKind, DiscardPolicy, RetentionPolicy, Stream,
};
use futures_util::TryStreamExt;
use record::digest::hash_of;
use referee::stop::Stop;

use crate::archive::check_hash;
use crate::link::{Link, text};
use crate::wire::{self, Announcement, MAX_MESSAGE, MatchSettings, Outcome, PairResult};

/// Stream with the last announcement of each match.
const MATCHES: &str = "LINESMAN_MATCHES";

/// Consumer of a match's pairs, shared by its workers.
const WORKERS: &str = "workers";

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

/// Maximum size of a piece of an object, in bytes.
const PIECE: usize = 1 << 19;

/// Pause before a failed operation is repeated.
const PAUSE: Duration = Duration::from_millis(200);

/// Subject of a match's announcement (`match`), its pair (`work`, with the pair's number), its results (`result`), a piece of
/// an object (`object`, with hash and number) or questions to its coordinator (`coordinator`); or of a worker's reports
/// (`worker`).
pub(crate) fn subject(kind: &str, id: &str) -> String {
    format!("linesman.{kind}.{id}")
}

/// Returns `true` if the text is a valid match id, and so a valid part of a subject.
pub(crate) fn is_match_id(id: &str) -> bool {
    (1..=32).contains(&id.len()) && id.bytes().all(|byte| byte.is_ascii_hexdigit())
}

/// Returns all valid announcements, sorted by id; none while the server is unreachable.
pub(crate) fn announcements(link: &Link) -> Vec<Announcement> {
    let mut ids = last_words(link, MATCHES).unwrap_or_default();
    ids.retain(|id| is_match_id(id));
    ids.sort();
    let announced = |id: String| {
        let announced = ServerMatch::of(link, &id).announcement().ok().flatten();
        announced.filter(|found| found.plan.id == id)
    };
    ids.into_iter().filter_map(announced).collect()
}

/// Returns the last words of the subjects that have messages in a stream.
fn last_words(link: &Link, stream: &str) -> Result<Vec<String>, String> {
    let found = link.wait(link.stream(stream).info_with_subjects(">"));
    let subjects = link.wait(found.map_err(text)?.try_collect::<Vec<(String, usize)>>());
    let word = |name: &str| name.rsplit('.').next().unwrap_or_default().to_owned();
    let subjects = subjects.map_err(text)?;
    Ok(subjects.iter().map(|(name, _)| word(name)).collect())
}

async fn make_stream(link: &Link, config: Config) -> Result<Stream, String> {
    let name = config.name.clone();
    let made = link.jetstream.create_stream(config).await;
    made.map_err(|error| format!("stream {name}: {error}"))
}

/// A match on the server.
#[derive(Clone)]
pub(crate) struct ServerMatch {
    pub(crate) link: Link,
    /// Its id, which is valid.
    pub(crate) id: String,
}

impl ServerMatch {
    pub(crate) fn of(link: &Link, id: &str) -> ServerMatch {
        ServerMatch {
            link: link.clone(),
            id: id.to_owned(),
        }
    }

    /// Its subject of this kind.
    pub(crate) fn subject(&self, kind: &str) -> String {
        subject(kind, &self.id)
    }

    /// Stream of its pairs (`WORK`), its results (`RESULTS`), or of what it sends in pieces (`OBJECTS`): its engines, and
    /// results that are too long for a message.
    fn name(&self, kind: &str) -> String {
        format!("LINESMAN_{kind}_{}", self.id)
    }

    fn stream(&self, kind: &str) -> Stream<()> {
        self.link.stream(&self.name(kind))
    }

    /// Subject of a piece of an object; pieces are numbered from 0, and the last one is empty.
    fn piece(&self, hash: &str, number: &str) -> String {
        format!("{}.{hash}.{number}", self.subject("object"))
    }

    /// Creates what it needs on the server and does not exist yet: its streams, the consumer of its pairs, and the programs
    /// that it sends.
    pub(crate) fn make(&self, settings: &MatchSettings) -> Result<(), String> {
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
            name: self.name("WORK"),
            subjects: vec![format!("{}.*", self.subject("work"))],
            retention: RetentionPolicy::WorkQueue,
            max_messages_per_subject: 1,
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            max_message_size,
            ..Config::default()
        };
        let results = Config {
            name: self.name("RESULTS"),
            subjects: vec![self.subject("result")],
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
        self.link.wait(async {
            make_stream(&self.link, matches).await?;
            make_stream(&self.link, results).await?;
            let work = make_stream(&self.link, work).await?;
            work.create_consumer(workers).await.map(drop).map_err(text)
        })?;
        let contents = settings.engines.iter().flatten().chain(&settings.rules);
        let mut archives = contents.filter_map(|content| content.archive.as_ref());
        archives.try_for_each(|archive| self.put_object(&archive.bytes).map(drop))
    }

    /// Its pairs, for a worker.
    pub(crate) fn pairs(&self) -> Result<PullConsumer, String> {
        let consumer = self.stream("WORK");
        self.link.wait(consumer.get_consumer(WORKERS)).map_err(text)
    }

    /// Its results, for this coordinator alone. An earlier one cannot read or remove results any more, and those that it
    /// has received without recording them are delivered again.
    pub(crate) fn results(&self, coordinator: &str) -> Result<pull::Stream, String> {
        let config = pull::Config {
            durable_name: Some(coordinator.to_owned()),
            ack_policy: AckPolicy::Explicit,
            ack_wait: RECORD_WAIT,
            max_ack_pending: MAX_UNRECORDED,
            ..pull::Config::default()
        };
        let stream = self.stream("RESULTS");
        self.link.wait(async {
            let names = stream.consumer_names().try_collect::<Vec<String>>().await;
            let names = names.map_err(text)?;
            for name in names.iter().filter(|name| *name != coordinator) {
                stream.delete_consumer(name).await.map_err(text)?;
            }
            let consumer = stream.create_consumer(config).await.map_err(text)?;
            let results = consumer.stream().max_messages_per_batch(BATCH);
            // Without a sign of the server, the stream ends with an error after twice the heartbeat.
            let results = results.heartbeat(HEARTBEAT).expires(6 * HEARTBEAT);
            results.messages().await.map_err(text)
        })
    }

    /// Stores the result of a pair, as an object if it is too long for a message. Results with one `message_id` are one.
    pub(crate) fn send_result(&self, result: &PairResult, message_id: &str) -> Result<(), String> {
        let mut bytes = wire::format(result);
        if bytes.len() > self.link.max_payload() {
            bytes = wire::format(&PairResult {
                outcome: Outcome::Stored(self.put_object(&bytes)?, bytes.len() as u64),
                worker: result.worker.clone(),
                ..*result
            });
        }
        let message = PublishMessage::build()
            .payload(bytes.into())
            .message_id(message_id);
        let stored = self.link.store(self.subject("result"), message);
        self.link.wait(stored).map(drop).map_err(text)
    }

    /// Announces it, if the sequence number of its last announcement is still this one.
    pub(crate) fn announce(&self, found: &Announcement, last: u64) -> Result<(), PublishError> {
        let message = PublishMessage::build()
            .payload(wire::format(found).into())
            .expected_last_subject_sequence(last);
        let stored = self.link.store(self.subject("match"), message);
        self.link.wait(stored).map(drop)
    }

    /// Returns the last message under the subject of its announcement, if there is one.
    pub(crate) fn last_announced(&self) -> Result<Option<StreamMessage>, String> {
        let matches = self.link.stream(MATCHES);
        let found = matches.direct_get_last_for_subject(self.subject("match"));
        match self.link.wait(found) {
            Ok(message) => Ok(Some(message)),
            Err(error) if error.kind() == DirectGetErrorKind::NotFound => Ok(None),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Returns its announcement, if there is one.
    ///
    /// # Errors
    /// The server does not answer, or the announcement is invalid.
    pub(crate) fn announcement(&self) -> Result<Option<Announcement>, String> {
        let parse = |message: StreamMessage| wire::parse(&message.payload);
        self.last_announced()?.map(parse).transpose()
    }

    /// Deletes its streams and its announcement.
    pub(crate) fn delete(&self) {
        // Failures do not matter: the match is over, and no program reads its streams.
        for kind in ["WORK", "RESULTS", "OBJECTS"] {
            let deleted = self.link.jetstream.delete_stream(self.name(kind));
            let _ = self.link.wait(deleted);
        }
        let matches = self.link.stream(MATCHES);
        let purged = matches.purge().filter(self.subject("match"));
        let _ = self.link.wait(purged);
    }

    /// Number of messages in its stream of this kind; `None` if that does not exist.
    pub(crate) fn n_messages(&self, kind: &str) -> Option<u64> {
        let info = self.link.wait(self.stream(kind).get_info());
        Some(info.ok()?.state.messages)
    }

    /// Number of its pairs in the queue that no worker has taken, and that workers have taken.
    pub(crate) fn pair_counts(&self) -> Option<(u64, u64)> {
        let info = self.link.wait(self.stream("WORK").consumer_info(WORKERS));
        let info = info.ok()?;
        Some((info.num_pending, info.num_ack_pending as u64))
    }

    /// Returns its pairs in the queue.
    pub(crate) fn held_pairs(&self) -> Result<BTreeSet<usize>, String> {
        let pairs = last_words(&self.link, &self.name("WORK"))?;
        Ok(pairs.iter().flat_map(|pair| pair.parse()).collect())
    }

    /// Stores an object, unless it is there. Returns its hash.
    ///
    /// # Errors
    /// The server rejects it.
    pub(crate) fn put_object(&self, bytes: &[u8]) -> Result<String, String> {
        let hash = hash_of(bytes);
        let config = Config {
            name: self.name("OBJECTS"),
            subjects: vec![self.piece("*", "*")],
            max_messages_per_subject: 1,
            allow_direct: true,
            ..Config::default()
        };
        let pieces = bytes.chunks(self.link.max_payload().min(PIECE));
        let last = self.piece(&hash, &pieces.len().to_string());
        self.link.wait(async {
            let stream = make_stream(&self.link, config).await?;
            if stream.direct_get_last_for_subject(last).await.is_err() {
                for (number, bytes) in pieces.chain([&[][..]]).enumerate() {
                    let message = PublishMessage::build().payload(bytes.to_vec().into());
                    let piece = self.piece(&hash, &number.to_string());
                    self.link.store(piece, message).await.map_err(text)?;
                }
            }
            Ok(hash)
        })
    }

    /// Deletes an object. If that fails, it is deleted with the match.
    pub(crate) fn delete_object(&self, hash: &str) {
        let stream = self.stream("OBJECTS");
        let _ = self.link.wait(stream.purge().filter(self.piece(hash, "*")));
    }

    /// Fetches an object of this hash and length, which is at most `most`, and retries while the server is unreachable.
    ///
    /// # Errors
    /// The object is missing or has another size or hash, or this program must stop.
    pub(crate) fn get_object(
        &self,
        (hash, n_bytes): (&str, u64),
        most: u64,
        stop: &Stop,
    ) -> Result<Vec<u8>, String> {
        if n_bytes > most {
            return Err(format!("{n_bytes} bytes, more than {most}"));
        }
        check_hash(hash)?;
        let bytes = loop {
            let connections = self.link.connections();
            match self.pieces(hash, n_bytes, stop) {
                _ if stop.is_asked() => return Err("stopped".to_owned()),
                Err(_) if !self.link.is_connected() || self.link.connections() != connections => {
                    std::thread::sleep(PAUSE);
                }
                done => break done?,
            }
        };
        if bytes.len() as u64 != n_bytes {
            return Err(format!("{} bytes, not {n_bytes}", bytes.len()));
        }
        match hash_of(&bytes) {
            found if found == hash => Ok(bytes),
            found => Err(format!("its content is {found}, not {hash}")),
        }
    }

    /// The pieces of an object, until there are more than `n_bytes`.
    fn pieces(&self, hash: &str, n_bytes: u64, stop: &Stop) -> Result<Vec<u8>, String> {
        let (stream, mut bytes) = (self.stream("OBJECTS"), Vec::new());
        for number in 0_u64.. {
            let piece = self.piece(hash, &number.to_string());
            let found = self.link.wait(stream.direct_get_last_for_subject(piece));
            let found = found.map_err(text)?;
            bytes.extend_from_slice(&found.payload);
            if found.payload.is_empty() || bytes.len() as u64 > n_bytes || stop.is_asked() {
                break;
            }
        }
        Ok(bytes)
    }
}
