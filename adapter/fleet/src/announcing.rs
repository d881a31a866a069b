//! A match on the server: its announcement, its streams, and the results that have arrived.

use std::time::Duration;

use async_nats::jetstream::consumer::pull;
use async_nats::jetstream::context::PublishError;
use async_nats::jetstream::message::PublishMessage;
use linesman::usage::Failure;
use referee::stop::Stop;

use crate::link::{Link, text};
use crate::questions::has_coordinator;
use crate::store;
use crate::streams::{self, subject};
use crate::wire::{self, Announcement, MAX_RESULT, MatchSettings, Outcome, PairResult};

/// Maximum number of results that the server sends ahead.
const BATCH: usize = 64;

/// Interval at which the server shows that it has no results.
const HEARTBEAT: Duration = Duration::from_secs(5);

/// Creates what the match needs on the server and does not exist yet: its streams, and the programs it sends.
pub(crate) fn make(link: &Link, announcement: &Announcement) -> Result<(), String> {
    let id = &announcement.plan.id;
    let lost_after = Duration::from_millis(announcement.settings.lost_after_ms);
    link.wait(async {
        streams::make(link, id, lost_after).await?;
        let MatchSettings { engines, rules, .. } = &announcement.settings;
        for content in engines.iter().flatten().chain(rules) {
            if let Some(archive) = &content.archive {
                store::put(link, id, &archive.bytes).await?;
            }
        }
        Ok(())
    })
}

/// The results of a match, for this coordinator alone.
pub(crate) fn results(link: &Link, announcement: &Announcement) -> Result<pull::Stream, String> {
    let Announcement {
        plan, coordinator, ..
    } = announcement;
    link.wait(async {
        let consumer = streams::results(link, &plan.id, coordinator).await?;
        let results = consumer.stream().max_messages_per_batch(BATCH);
        // Without a sign of the server, the stream ends with an error after twice the heartbeat.
        let results = results.heartbeat(HEARTBEAT).expires(6 * HEARTBEAT);
        results.messages().await.map_err(text)
    })
}

/// Reads the outcome that an object holds.
pub(crate) fn load(
    link: &Link,
    id: &str,
    hash: &str,
    n_bytes: u64,
    stop: &Stop,
) -> Result<Outcome, String> {
    if n_bytes > MAX_RESULT {
        return Err(format!(
            "a result of {n_bytes} bytes, more than {MAX_RESULT}"
        ));
    }
    let bytes = store::get(link, id, hash, n_bytes, stop)?;
    let result = serde_json::from_slice::<PairResult>(&bytes);
    result
        .map(|result| result.outcome)
        .map_err(|error| format!("not a result: {error}"))
}

/// Announces a match, if the sequence number of its last announcement is still this one.
pub(crate) fn announce(
    link: &Link,
    announcement: &Announcement,
    last: u64,
) -> Result<(), PublishError> {
    let message = PublishMessage::build()
        .payload(wire::format(announcement).into())
        .expected_last_subject_sequence(last);
    let subject = subject("match", &announcement.plan.id);
    link.wait(link.store(subject, message)).map(drop)
}

/// Announces the match if its last announcement differs. One of another coordinator stops this one.
///
/// # Errors
/// The server does not store the message.
pub(crate) fn announce_again(
    link: &Link,
    announcement: &Announcement,
    stop: &Stop,
) -> Result<(), String> {
    let id = &announcement.plan.id;
    let last = link.wait(streams::last_announced(link, id))?;
    let sequence = last.as_ref().map_or(0, |last| last.sequence);
    let message = wire::format(announcement);
    if last.as_ref().is_some_and(|last| last.payload == message) {
        return Ok(());
    }
    let last = last.and_then(|last| wire::parse::<Announcement>(&last.payload).ok());
    let own = &announcement.coordinator;
    if last.is_some_and(|last| last.coordinator != *own) {
        stop.fail(has_coordinator(link, id, " that began later, so this one ends").text());
        return Ok(());
    }
    let announced = announce(link, announcement, sequence);
    announced.map_err(text)
}

/// The error of a server on which the match cannot be stored.
pub(crate) fn no_streams(link: &Link, why: &str) -> Failure {
    // A missing permission is only reported by the connection; the request is not answered.
    let problem = link.new_problem(why);
    problem.map_or_else(|| link.failed(why), Failure::Trouble)
}
