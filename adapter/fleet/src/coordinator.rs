//! Answers queries about a coordinator's match, and ensures that it is the only coordinator.

use std::sync::Arc;
use std::time::Instant;

use async_nats::client::RequestErrorKind;
use futures_util::StreamExt;
use parking_lot::Mutex;
use record::event::Event;
use record::stats::Standing;
use referee::feed::Watcher;

use crate::link::{FleetError, Link};
use crate::wire::{self, CoordinatorState};
use crate::{names, platform};

/// Published state of a match's coordinator. Clones share the state.
#[derive(Debug, Clone)]
pub(crate) struct Coordinator(Arc<Mutex<CoordinatorState>>);

impl Coordinator {
    pub(crate) fn new() -> Coordinator {
        Coordinator(Arc::new(Mutex::new(CoordinatorState {
            coordinator: format!("{:016x}", fastrand::u64(..)),
            host: platform::host_name(),
            ..CoordinatorState::default()
        })))
    }

    /// Starts answering queries about the coordinator of this match.
    ///
    /// # Errors
    /// The server does not answer.
    pub(crate) fn answer(&self, link: &Link, id: &str) -> Result<(), String> {
        let subscribed = link.wait(link.client.subscribe(names::coordinator(id)));
        let mut questions = subscribed.map_err(|error| error.to_string())?;
        // The subscription is active on the server before the match is announced.
        let flushed = link.wait(link.client.flush());
        flushed.map_err(|error| error.to_string())?;
        let (client, state) = (link.client.clone(), self.clone());
        link.spawn(async move {
            while let Some(question) = questions.next().await {
                if let Some(reply) = question.reply {
                    let answer = wire::format(&*state.0.lock());
                    let _ = client.publish(reply, answer.into()).await;
                }
            }
        });
        Ok(())
    }

    /// Updates the state from the events of this watcher, in a thread.
    pub(crate) fn follow(&self, watcher: Watcher) {
        let coordinator = self.clone();
        let began = Instant::now();
        std::thread::spawn(move || {
            let mut first = None;
            for event in watcher {
                if let Event::MatchStarted { standing, .. } | Event::Standing { standing } = &*event
                {
                    let before = *first.get_or_insert(standing.games);
                    coordinator.take(standing, before, began);
                }
            }
        });
    }

    fn take(&self, standing: &Standing, games_before: usize, began: Instant) {
        let mut state = self.0.lock();
        state.recent = standing.games - games_before;
        (state.games, state.total) = (standing.games, standing.total);
        state.seconds = began.elapsed().as_secs_f64();
        state.score = score(standing);
    }

    /// Sets the number of pairs in the queue.
    pub(crate) fn set_offered(&self, n_pairs: usize) {
        self.0.lock().offered = n_pairs;
    }

    /// Adds one to the number of pairs in the queue.
    pub(crate) fn add_offered(&self) {
        self.0.lock().offered += 1;
    }
}

/// Asks the coordinator of a match for its state; `None` if the match has no coordinator.
///
/// # Errors
/// The server does not answer.
pub(crate) fn ask(link: &Link, id: &str) -> Result<Option<CoordinatorState>, FleetError> {
    let asked = link.client.request(names::coordinator(id), "".into());
    match link.wait(asked) {
        Ok(answer) => Ok(Some(
            wire::parse::<CoordinatorState>(&answer.payload).unwrap_or_default(),
        )),
        Err(error) if error.kind() == RequestErrorKind::NoResponders => Ok(None),
        Err(error) => Err(FleetError::Server(format!("{}: {error}", link.server()))),
    }
}

/// Fails if a match already has a coordinator, because it has one ledger. `expected` ends the error text.
///
/// # Errors
/// There is one, or the server does not answer.
pub(crate) fn refuse_second(link: &Link, id: &str, expected: &str) -> Result<(), FleetError> {
    match ask(link, id)? {
        None => Ok(()),
        Some(state) => {
            let id = format!("{id} on {}", state.host);
            Err(has_coordinator(link, &id, expected))
        }
    }
}

/// Returns the error for a match that already has a coordinator.
pub(crate) fn has_coordinator(link: &Link, id: &str, expected: &str) -> FleetError {
    FleetError::Server(format!(
        "{}: match {id} has a coordinator: expected {expected}",
        link.server()
    ))
}

fn score(standing: &Standing) -> String {
    let rows = standing.tally.rows.iter();
    let rows = rows.map(|row| format!("{} {}", row.name, row.total().score()));
    rows.collect::<Vec<_>>().join(", ")
}
