//! The announcement of a match, as its coordinator keeps it: what somebody else writes in its place is replaced.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use async_nats::jetstream::context::PublishErrorKind;
use async_nats::jetstream::message::PublishMessage;
use futures_util::StreamExt;
use referee::plan::Plan;

use crate::control::ControlSettings;
use crate::coordinator::has_coordinator;
use crate::link::{FleetError, Link};
use crate::names;
use crate::platform;
use crate::wire::{self, Announcement, FORMAT, MatchState, WireEngine};

/// How soon an announcement that somebody has overwritten is replaced.
const REPLACE_AFTER: Duration = Duration::from_millis(500);

/// Announces one match.
#[derive(Debug)]
pub(crate) struct Announcer {
    announcement: Announcement,
    /// When the match was announced last.
    announced: Instant,
    /// Raised when somebody else has announced something in its place.
    is_overwritten: Arc<AtomicBool>,
}

impl Announcer {
    /// Of a match whose engines have their names. Nothing is announced yet.
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

    /// How long a worker may be silent before its pair goes to another.
    pub(crate) fn lost_after(&self) -> Duration {
        Duration::from_millis(self.announcement.lost_after_ms)
    }

    /// What is announced from now on.
    pub(crate) fn set_state(&mut self, state: MatchState) {
        self.announcement.state = state;
    }

    /// Announces the match for the first time, if what was announced last still has this number: of two coordinators that begin
    /// at the same time, one does.
    ///
    /// # Errors
    /// Another coordinator has announced it; or the server does not take it.
    pub(crate) fn announce_first(&mut self, link: &Link, last: u64) -> Result<(), FleetError> {
        let message = self.message().expected_last_subject_sequence(last);
        self.announced = Instant::now();
        let announced = link.try_store(names::announcement(self.id()), message);
        announced.map(drop).map_err(|error| match error.kind() {
            PublishErrorKind::WrongLastSequence => {
                has_coordinator(link, self.id(), "one at a time")
            }
            _ => FleetError::Server(format!("{}: {error}", link.server())),
        })
    }

    /// Announces the match.
    ///
    /// # Errors
    /// The server does not take it.
    pub(crate) fn announce(&mut self, link: &Link) -> Result<(), String> {
        self.announced = Instant::now();
        let subject = names::announcement(self.id());
        link.store(subject, self.message()).map(drop)
    }

    fn message(&self) -> PublishMessage {
        PublishMessage::build().payload(wire::format(&self.announcement).into())
    }

    /// Watches for announcements of this match that are somebody else's, from now on.
    ///
    /// # Errors
    /// The server does not answer.
    pub(crate) fn guard(&self, link: &Link) -> Result<(), String> {
        let subscribed = link.wait(link.client.subscribe(names::announcement(self.id())));
        let mut messages = subscribed.map_err(|error| error.to_string())?;
        let is_overwritten = Arc::clone(&self.is_overwritten);
        // The coordinator's own announcements differ in their state.
        let opened = |found: Announcement| Announcement {
            state: MatchState::Open,
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

    /// Replaces an announcement that is somebody else's; whether there was one.
    pub(crate) fn replace_foreign(&mut self, link: &Link) -> bool {
        let is_due = self.announced.elapsed() > REPLACE_AFTER;
        if !is_due || !self.is_overwritten.swap(false, Ordering::Relaxed) {
            return false;
        }
        // If it fails, it is done when the server is back.
        let _ = self.announce(link);
        true
    }
}

fn announcement(plan: &Plan, settings: &ControlSettings) -> Announcement {
    let mut contents = settings.contents.iter();
    let mut engine = |spec| WireEngine::new(spec, contents.next().and_then(Option::as_ref));
    let engines = plan.engines.iter().map(&mut engine).collect();
    Announcement {
        format: FORMAT,
        id: plan.id.clone(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        host: platform::host_name(),
        state: MatchState::Open,
        game: plan.game.clone(),
        engines,
        teams: plan.teams.clone(),
        arbiter: plan.arbiter.as_ref().map(engine),
        adjudication: plan.adjudication,
        cross_check: plan.cross_check,
        startup_ms: plan.startup_ms,
        ping_ms: plan.ping_ms,
        search_timeout_ms: plan.search_timeout_ms,
        keeps_pv: plan.outputs.pgn_comments.pv,
        lost_after_ms: u64::try_from(settings.lost_after.as_millis()).unwrap_or(u64::MAX),
        bench: settings.bench.clone(),
    }
}
