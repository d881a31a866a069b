//! Answers queries about a coordinator's match, and ensures that it is the only coordinator.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Request;
use async_nats::client::RequestErrorKind;
use futures_util::StreamExt;
use parking_lot::Mutex;
use record::event::Event;
use record::stats::Standing;
use referee::feed::Watcher;
use tokio::task::JoinHandle;

use crate::link::{FleetError, Link};
use crate::wire::{self, CoordinatorCommand, CoordinatorState};
use crate::{names, platform};

/// Time in which a coordinator answers. Another subscriber may receive the question and be silent.
const ANSWER_TIME: Duration = Duration::from_secs(2);

/// Maximum number of commands that were not carried out yet.
const MAX_COMMANDS: usize = 1000;

/// Published state of a match's coordinator, and commands to it. Clones share the state.
#[derive(Debug, Clone)]
pub(crate) struct Coordinator(Arc<Mutex<CoordinatorState>>, Commands);

type Commands = Arc<Mutex<Vec<CoordinatorCommand>>>;

impl Coordinator {
    pub(crate) fn new() -> Coordinator {
        let state = CoordinatorState {
            coordinator: format!("{:016x}", fastrand::u64(..)),
            host: platform::host_name(),
            ..CoordinatorState::default()
        };
        Coordinator(Arc::new(Mutex::new(state)), Arc::default())
    }

    /// Returns `true` if queries about the match are still answered with this state.
    pub(crate) fn is_answering(&self, link: &Link, id: &str) -> bool {
        let own = self.0.lock().coordinator.clone();
        let asked = ask(link, id).ok().flatten();
        asked.is_some_and(|state| state.coordinator == own)
    }

    /// Removes the commands received since the last call.
    pub(crate) fn drain_commands(&self) -> Vec<CoordinatorCommand> {
        std::mem::take(&mut *self.1.lock())
    }

    /// Starts answering queries about the coordinator of this match. Aborting the task ends it.
    ///
    /// # Errors
    /// The server does not answer.
    pub(crate) fn answer(&self, link: &Link, id: &str) -> Result<JoinHandle<()>, String> {
        let subscribed = link.wait(link.client.subscribe(names::coordinator(id)));
        let mut questions = subscribed.map_err(|error| error.to_string())?;
        // The subscription is active on the server before the match is announced.
        let flushed = link.wait(link.client.flush());
        flushed.map_err(|error| error.to_string())?;
        let (client, state) = (link.client.clone(), self.clone());
        Ok(link.spawn(async move {
            while let Some(question) = questions.next().await {
                if let Ok(command) = wire::parse::<CoordinatorCommand>(&question.payload) {
                    let mut commands = state.1.lock();
                    if commands.len() < MAX_COMMANDS {
                        commands.push(command);
                    }
                }
                if let Some(reply) = question.reply {
                    let answer = wire::format(&*state.0.lock());
                    let _ = client.publish(reply, answer.into()).await;
                }
            }
        }))
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

    /// Adds to the number of pairs in the queue.
    pub(crate) fn add_offered(&self, n_pairs: usize) {
        self.0.lock().offered += n_pairs;
    }
}

/// Asks the coordinator of a match for its state; `None` if the match has no coordinator.
///
/// # Errors
/// The server does not answer.
pub(crate) fn ask(link: &Link, id: &str) -> Result<Option<CoordinatorState>, FleetError> {
    send(link, id, Vec::new())
}

/// Sends a message to the coordinator of a match. Returns its state; `None` if the match has no coordinator.
///
/// # Errors
/// The server does not answer.
pub(crate) fn send(
    link: &Link,
    id: &str,
    message: Vec<u8>,
) -> Result<Option<CoordinatorState>, FleetError> {
    let request = Request::new()
        .payload(message.into())
        .timeout(Some(ANSWER_TIME));
    let asked = link.client.send_request(names::coordinator(id), request);
    match link.wait(asked) {
        // A subscriber to all subjects, or a coordinator that is stopped. The latter notices a second one.
        Err(error) if error.kind() == RequestErrorKind::TimedOut && link.is_connected() => Ok(None),
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
