//! The reports of workers about themselves: how a worker sends them, and who has reported recently. A coordinator is asked:
//! it answers with the progress of its match, and a second one does not begin.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::Request;
use async_nats::client::RequestErrorKind;
use futures_util::StreamExt;
use linesman::usage::Failure;
use parking_lot::Mutex;
use tokio::time::{sleep, timeout};

use crate::link::{Link, text};
use crate::platform;
use crate::streams::{ServerMatch, subject};
use crate::wire::{self, CoordinatorState, WorkerState};

/// Interval of a worker's reports.
pub(crate) const REPORT_INTERVAL: Duration = Duration::from_secs(1);

/// Silence after which a worker counts as gone.
const GONE_AFTER: Duration = Duration::from_secs(10);

/// Maximum number of workers kept.
const MAX_WORKERS: usize = 100_000;

/// Starts the reports of this worker, with the returned state.
pub(crate) fn begin(link: &Link) -> Arc<Mutex<WorkerState>> {
    let machine = platform::host_name();
    let is_plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let part: String = machine.chars().filter(is_plain).take(40).collect();
    let (process, number) = (std::process::id(), fastrand::u16(..));
    let state = Arc::new(Mutex::new(WorkerState {
        worker: format!("{part}-{process}-{number:04x}"),
        machine,
        cores: platform::cores(),
        scale: 1.0,
        ..WorkerState::default()
    }));
    let (regular, shared) = (link.clone(), Arc::clone(&state));
    link.spawn(async move {
        loop {
            send(&regular, &shared).await;
            sleep(REPORT_INTERVAL).await;
        }
    });
    state
}

/// Sends a report. It is lost while the server is unreachable.
async fn send(link: &Link, state: &Mutex<WorkerState>) {
    let state = state.lock().clone();
    let (subject, report) = (subject("worker", &state.worker), wire::format(&state));
    let _ = link.client.publish(subject, report.into()).await;
}

/// Sends a report and waits until the server has it. A worker whose reports fail counts as lost after a while.
pub(crate) fn send_now(link: &Link, state: &Mutex<WorkerState>) {
    link.wait(async {
        send(link, state).await;
        let _ = timeout(REPORT_INTERVAL, link.client.flush()).await;
    });
}

/// The last report of each worker, by name. One that has gone with a pair in play stays: it was lost. Clones share the
/// state.
#[derive(Debug, Clone, Default)]
pub(crate) struct Workers(Arc<Mutex<BTreeMap<String, (WorkerState, Instant)>>>);

impl Workers {
    /// Subscribes to the reports of all workers.
    pub(crate) fn listen(link: &Link) -> Result<Workers, String> {
        let subscribed = link.wait(link.client.subscribe(subject("worker", "*")));
        let mut messages = subscribed.map_err(text)?;
        let workers = Workers::default();
        let heard = workers.clone();
        link.spawn(async move {
            while let Some(message) = messages.next().await {
                if let Ok(state) = wire::parse::<WorkerState>(&message.payload) {
                    heard.hear(state);
                }
            }
        });
        Ok(workers)
    }

    /// Takes a report. Its cost does not depend on the number of workers: each reports every second.
    fn hear(&self, state: WorkerState) {
        let mut workers = self.0.lock();
        if workers.len() < MAX_WORKERS || workers.contains_key(&state.worker) {
            workers.insert(state.worker.clone(), (state, Instant::now()));
        }
    }

    /// Returns the pairs of a match that this many workers were lost with, and their names: each says in its last report
    /// that it plays the pair, which another one has got since. How often the server has delivered a pair does not tell: a
    /// delivery may have reached no worker.
    pub(crate) fn lost(&self, id: &str, n_lost: usize) -> Vec<(usize, Vec<String>)> {
        let workers = self.0.lock();
        let mut players: BTreeMap<usize, Vec<(Instant, String)>> = BTreeMap::new();
        for (state, at) in workers.values().filter(|(state, _)| state.match_id == id) {
            for pair in &state.playing {
                let players = players.entry(*pair).or_default();
                players.push((*at, state.worker.clone()));
            }
        }
        let lost = players.into_iter().map(|(pair, mut players)| {
            players.sort_unstable();
            // The last one plays it now.
            players.pop();
            let names = players.into_iter().map(|(_, name)| name);
            (pair, names.collect::<Vec<_>>())
        });
        lost.filter(|(_, names)| names.len() >= n_lost).collect()
    }

    /// Returns the last reports of the workers that are present, and forgets those that have gone without a pair.
    pub(crate) fn present(&self) -> Vec<WorkerState> {
        let workers = &mut self.0.lock();
        let is_present = |at: &Instant| at.elapsed() < GONE_AFTER;
        workers.retain(|_, (state, at)| is_present(at) || !state.playing.is_empty());
        let present = workers.values().filter(|(_, at)| is_present(at));
        present.map(|(state, _)| state.clone()).collect()
    }
}

/// Time in which a coordinator answers. Another subscriber may receive the question and be silent.
const ANSWER_TIME: Duration = Duration::from_secs(2);

impl ServerMatch {
    /// Starts to answer queries about the match, with the returned state.
    ///
    /// # Errors
    /// The server does not answer.
    pub(crate) fn answer(&self) -> Result<Arc<Mutex<CoordinatorState>>, String> {
        let state = Arc::new(Mutex::new(CoordinatorState {
            host: platform::host_name(),
            ..CoordinatorState::default()
        }));
        let (client, shared) = (self.link.client.clone(), Arc::clone(&state));
        let questions = client.subscribe(self.subject("coordinator"));
        let questions = self.link.wait(questions);
        self.link.wait(client.flush()).map_err(text)?;
        let mut questions = questions.map_err(text)?;
        self.link.spawn(async move {
            while let Some(question) = questions.next().await {
                if let Some(reply) = question.reply {
                    let answer = wire::format(&*shared.lock());
                    let _ = client.publish(reply, answer.into()).await;
                }
            }
        });
        Ok(state)
    }

    /// Asks the coordinator of the match for its state; `None` if it has no coordinator.
    ///
    /// # Errors
    /// The server does not answer.
    pub(crate) fn ask(&self) -> Result<Option<CoordinatorState>, Failure> {
        let request = Request::new().timeout(Some(ANSWER_TIME));
        let (link, subject) = (&self.link, self.subject("coordinator"));
        let answer = link.wait(link.client.send_request(subject, request));
        match answer.map_err(|error| (error.kind(), error)) {
            Ok(answer) => Ok(Some(wire::parse(&answer.payload).unwrap_or_default())),
            Err((RequestErrorKind::NoResponders, _)) => Ok(None),
            // A subscriber to all subjects, or a coordinator that is stopped. The latter notices a second one.
            Err((RequestErrorKind::TimedOut, _)) if self.link.is_connected() => Ok(None),
            Err((_, error)) => Err(self.link.failed(error)),
        }
    }

    /// Fails if the match already has a coordinator, because it has one ledger. `advice` ends the error text.
    ///
    /// # Errors
    /// There is one, or the server does not answer.
    pub(crate) fn refuse_second(&self, advice: &str) -> Result<(), Failure> {
        self.ask()?.map_or(Ok(()), |state| {
            Err(self.has_coordinator(&format!(" on {}", state.host), advice))
        })
    }

    pub(crate) fn has_coordinator(&self, place: &str, advice: &str) -> Failure {
        let why = format!("match {}{place} has a coordinator{advice}", self.id);
        self.link.failed(why)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(workers: &Workers, worker: &str, id: &str, playing: &[usize]) {
        workers.hear(WorkerState {
            worker: worker.to_owned(),
            match_id: id.to_owned(),
            playing: playing.to_vec(),
            ..WorkerState::default()
        });
    }

    #[test]
    fn a_worker_is_lost_if_another_one_plays_its_pair() {
        let workers = Workers::default();
        report(&workers, "a", "1", &[7, 8]);
        report(&workers, "a", "1", &[7]);
        report(&workers, "other", "2", &[7]);
        report(&workers, "b", "1", &[8]);
        assert_eq!(workers.lost("1", 1), [], "8 was handed back");
        report(&workers, "b", "1", &[7]);
        report(&workers, "b", "1", &[7]);
        assert_eq!(workers.lost("1", 1), [(7, vec!["a".to_owned()])]);
        assert_eq!(workers.lost("1", 2), []);
        report(&workers, "c", "1", &[7]);
        let both = vec!["a".to_owned(), "b".to_owned()];
        assert_eq!(workers.lost("1", 2), [(7, both)]);
        report(&workers, "b", "1", &[]);
        assert_eq!(workers.lost("1", 2), [], "7 was handed back");
        assert_eq!(workers.lost("2", 1), []);
    }

    /// A round of reports of ten thousand workers must not keep a coordinator busy.
    #[test]
    fn a_report_costs_no_more_among_many_workers() {
        let time_of_reports = |n_workers: usize| {
            let workers = Workers::default();
            let names: Vec<String> = (0..n_workers).map(|number| number.to_string()).collect();
            let round = |pair: usize| {
                for (at, name) in names.iter().enumerate() {
                    report(&workers, name, "1", &[at + pair * n_workers]);
                }
            };
            (0..3).for_each(round);
            let begun = Instant::now();
            let n_rounds = 10_000 / n_workers;
            (3..3 + n_rounds).for_each(round);
            begun.elapsed()
        };
        let best = |n_workers| (0..3).map(|_| time_of_reports(n_workers)).min();
        let (few, many) = (best(10).expect("three"), best(10_000).expect("three"));
        assert!(many < 20 * few, "{few:?} {many:?}");
    }
}
