//! The workers that were heard of lately.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use parking_lot::Mutex;

use crate::link::Link;
use crate::names;
use crate::wire::{self, WorkerState};

/// How often a worker tells how it is. It also does when it begins or ends a pair.
pub(crate) const TELL_EVERY: Duration = Duration::from_secs(2);

/// A worker that was not heard of for so long is gone.
pub(crate) const GONE_AFTER: Duration = Duration::from_secs(10);

/// A worker of a match that is gone is told of for so long.
const TOLD_FOR: Duration = Duration::from_secs(600);

/// The most workers that are kept.
const MAX_WORKERS: usize = 100_000;

/// The workers of all matches. Clones are the same.
#[derive(Debug, Clone, Default)]
pub(crate) struct Crew(Arc<Mutex<State>>);

#[derive(Debug, Default)]
struct State {
    workers: BTreeMap<String, (WorkerState, Instant)>,
    /// Messages that were none.
    n_rejected: u64,
}

/// The workers of one match. Clones are the same.
#[derive(Debug, Clone)]
pub struct CrewView {
    crew: Crew,
    match_id: String,
}

/// A worker, and when it was heard of last.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenWorker {
    /// What it said.
    pub state: WorkerState,
    /// How long ago.
    pub silence: Duration,
    /// Whether it was silent for so long that it is gone, without a word.
    pub is_gone: bool,
}

impl CrewView {
    /// The workers that play the match or are refused, by their names, and for ten minutes those that are gone.
    pub fn workers(&self) -> Vec<SeenWorker> {
        let state = self.crew.0.lock();
        let own = state
            .workers
            .values()
            .filter(|(state, heard)| state.match_id == self.match_id && heard.elapsed() < TOLD_FOR);
        let seen = own.map(|(state, heard)| SeenWorker {
            state: state.clone(),
            silence: heard.elapsed(),
            is_gone: heard.elapsed() >= GONE_AFTER,
        });
        seen.collect()
    }
}

impl Crew {
    /// Listens to all workers from now on, and asks them to tell how they are.
    pub(crate) fn listen(link: &Link) -> Result<Crew, String> {
        let subscribed = link.wait(link.client.subscribe(names::ALL_WORKERS));
        let mut messages = subscribed.map_err(|error| error.to_string())?;
        let crew = Crew::default();
        let heard = crew.clone();
        link.spawn(async move {
            while let Some(message) = messages.next().await {
                heard.hear(&message.payload);
            }
        });
        // The server knows of the subscription before it gets the question.
        let flushed = link.wait(link.client.flush());
        flushed.map_err(|error| error.to_string())?;
        link.tell(names::PING.to_owned(), Vec::new());
        Ok(crew)
    }

    fn hear(&self, message: &[u8]) {
        let state = wire::parse::<WorkerState>(message).ok();
        let state = state.filter(|state| state.worker.len() <= 100 && state.concurrency <= 10_000);
        let mut crew = self.0.lock();
        let Some(state) = state else {
            crew.n_rejected += 1;
            return;
        };
        if crew.workers.len() >= MAX_WORKERS && !crew.workers.contains_key(&state.worker) {
            crew.workers
                .retain(|_, (_, heard)| heard.elapsed() < GONE_AFTER);
        }
        if crew.workers.len() < MAX_WORKERS {
            let name = state.worker.clone();
            crew.workers.insert(name, (state, Instant::now()));
        }
    }

    /// How many messages were none since it was asked last.
    pub(crate) fn take_rejected(&self) -> u64 {
        std::mem::take(&mut self.0.lock().n_rejected)
    }

    /// The workers that are there, and how long ago each was heard of.
    pub(crate) fn present(&self) -> Vec<(WorkerState, Duration)> {
        let crew = self.0.lock();
        let all = crew.workers.values();
        let all = all.map(|(state, heard)| (state.clone(), heard.elapsed()));
        all.filter(|(_, silence)| *silence < GONE_AFTER).collect()
    }

    /// The workers of one match, as others may look at them.
    pub(crate) fn view(&self, match_id: &str) -> CrewView {
        CrewView {
            crew: self.clone(),
            match_id: match_id.to_owned(),
        }
    }

    /// The workers that do not play this match, and why.
    pub(crate) fn refusals(&self, match_id: &str) -> Vec<(String, String)> {
        let crew = self.0.lock();
        let refused = crew
            .workers
            .values()
            .filter(|(state, _)| state.match_id == match_id);
        let refused = refused.filter_map(|(state, _)| {
            let why = state.refused.as_ref()?;
            Some((state.worker.clone(), why.clone()))
        });
        refused.collect()
    }

    /// Sums up the workers that play this match.
    pub(crate) fn sum(&self, match_id: &str, value: impl Fn(&WorkerState) -> usize) -> usize {
        let crew = self.0.lock();
        let present = crew
            .workers
            .values()
            .filter(|(state, heard)| state.match_id == match_id && heard.elapsed() < GONE_AFTER);
        present.map(|(state, _)| value(state)).sum()
    }
}
