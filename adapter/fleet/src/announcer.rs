//! Publishes the announcement of a match for its coordinator, and restores it if another client overwrites it.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use futures_util::StreamExt;
use record::plan::Plan;

use crate::content::Content;
use crate::coordinator::has_coordinator;
use crate::link::{FleetError, Link};
use crate::settings::ControlSettings;
use crate::wire::{self, Announcement, FORMAT, MatchState, WireEngine, WireProgram, WorkerState};
use crate::{names, platform};

/// Minimum age of an announcement before an overwritten one is published again.
const REPLACE_AFTER: Duration = Duration::from_millis(500);

/// Announces one match.
#[derive(Debug)]
pub(crate) struct Announcer {
    announcement: Announcement,
    /// Time of the last publication.
    announced: Instant,
    /// Set when another client has overwritten the announcement.
    is_overwritten: Arc<AtomicBool>,
}

impl Announcer {
    /// Creates the announcer of a match whose engines have their names. Publishes nothing yet.
    pub(crate) fn new(plan: &Plan, settings: &ControlSettings) -> Announcer {
        Announcer {
            announcement: announcement(plan, settings),
            announced: Instant::now(),
            is_overwritten: Arc::default(),
        }
    }

    /// The id of the match.
    pub(crate) fn id(&self) -> &str {
        &self.announcement.id
    }

    /// Returns the silence after which a worker counts as lost and its pair is redelivered.
    pub(crate) fn lost_after(&self) -> Duration {
        Duration::from_millis(self.announcement.lost_after_ms)
    }

    /// Returns `true` if this worker or its machine was set aside.
    pub(crate) fn sets_aside(&self, state: &WorkerState) -> bool {
        self.announcement.sets_aside(&state.worker, &state.machine)
    }

    /// `true` if a worker with this name was set aside, or another one with its key.
    pub(crate) fn sets_aside_name(&self, worker: &str) -> bool {
        self.announcement.sets_aside(worker, worker)
    }

    /// `true` if the results of workers with this public key are accepted.
    pub(crate) fn trusts(&self, key: &str) -> bool {
        self.announcement.trusts(key)
    }

    /// Sets the public keys of the workers whose results are accepted.
    pub(crate) fn set_trusted(&mut self, keys: &[String]) {
        self.announcement.trusted = keys.to_vec();
    }

    /// Names of the workers or machines that were set aside.
    pub(crate) fn set_aside(&mut self) -> &mut Vec<String> {
        &mut self.announcement.set_aside
    }

    /// Sets the state for the next announcements.
    pub(crate) fn set_state(&mut self, state: MatchState) {
        self.announcement.state = state;
    }

    /// Announces the match for the first time, if the sequence number of the last announcement is still `last`. Of two
    /// coordinators that start at the same time, only one succeeds. Returns the sequence number of this announcement.
    ///
    /// # Errors
    /// Another coordinator has announced the match, or the server rejects the message.
    pub(crate) fn announce_first(&mut self, link: &Link, last: u64) -> Result<u64, FleetError> {
        let message = self.message().expected_last_subject_sequence(last);
        self.announced = Instant::now();
        let announced = link.try_store(names::announcement(self.id()), message);
        announced
            .map(|ack| ack.sequence)
            .map_err(|error| match error.kind() {
                PublishErrorKind::WrongLastSequence => {
                    has_coordinator(link, self.id(), "one at a time")
                }
                _ => FleetError::Server(format!("{}: {error}", link.server())),
            })
    }

    /// Announces the match.
    ///
    /// # Errors
    /// The server does not store the message.
    pub(crate) fn announce(&mut self, link: &Link) -> Result<(), String> {
        self.announced = Instant::now();
        let subject = names::announcement(self.id());
        link.store(subject, self.message()).map(drop)
    }

    fn message(&self) -> PublishMessage {
        PublishMessage::build().payload(wire::format(&self.announcement).into())
    }

    /// Starts watching for announcements of this match by other clients.
    ///
    /// # Errors
    /// The server does not answer.
    pub(crate) fn guard(&self, link: &Link) -> Result<(), String> {
        let subscribed = link.wait(link.client.subscribe(names::announcement(self.id())));
        let mut messages = subscribed.map_err(|error| error.to_string())?;
        let is_overwritten = Arc::clone(&self.is_overwritten);
        // This coordinator's own announcements differ only in these fields.
        let opened = |found: Announcement| Announcement {
            state: MatchState::Open,
            set_aside: Vec::new(),
            trusted: Vec::new(),
            ..found
        };
        let own = opened(self.announcement.clone());
        link.spawn(async move {
            while let Some(message) = messages.next().await {
                let found = wire::parse::<Announcement>(&message.payload).ok();
                let is_foreign = found.map(opened).as_ref() != Some(&own);
                is_overwritten.fetch_or(is_foreign, Ordering::Relaxed);
            }
        });
        Ok(())
    }

    /// Publishes the announcement again if another client has overwritten it. Returns `true` if it did.
    pub(crate) fn replace_foreign(&mut self, link: &Link) -> bool {
        let is_due = self.announced.elapsed() > REPLACE_AFTER;
        if !is_due || !self.is_overwritten.swap(false, Ordering::Relaxed) {
            return false;
        }
        // If this fails, it is repeated after the reconnection.
        let _ = self.announce(link);
        true
    }
}

fn announcement(plan: &Plan, settings: &ControlSettings) -> Announcement {
    let mut contents = settings.contents.iter();
    let engine = |spec| {
        let content = contents.next().and_then(Option::as_ref);
        WireEngine::new(spec, content.map_or(WireProgram::Builtin, Content::wired))
    };
    let engines = plan.engines.iter().map(engine).collect();
    Announcement {
        format: FORMAT,
        id: plan.id.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        host: platform::host_name(),
        state: MatchState::Open,
        game: plan.game.clone(),
        rules: settings.rules.as_ref().map(Content::wired),
        engines,
        adjudication: plan.adjudication,
        startup_ms: plan.startup_ms,
        ping_ms: plan.ping_ms,
        search_timeout_ms: plan.search_timeout_ms,
        memory: plan.memory,
        keeps_pv: plan.outputs.pgn_comments.pv,
        lost_after_ms: u64::try_from(settings.lost_after.as_millis()).unwrap_or(u64::MAX),
        bench: settings.bench.clone(),
        set_aside: Vec::new(),
        program: settings.program.as_ref().map(|sent| sent.wired.clone()),
        priority: settings.priority,
        share: settings.share,
        trusted: settings
            .trusted
            .as_ref()
            .map_or_else(Vec::new, |file| file.keys().to_vec()),
    }
}
