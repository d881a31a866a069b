//! The coordinator's end of the queue.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::time::{Duration, Instant};

use async_nats::jetstream::{AckKind, Message};
use record::plan::Plan;
use referee::feed::Watcher;
use referee::queue::{
    Ending, Incoming, MAX_WINDOW, PairOrder, PairReport, QueueControl, Unreachable, key_of,
};
use tokio::task::JoinHandle;

use crate::announcer::Announcer;
use crate::coordinator::{Coordinator, has_coordinator, refuse_second};
use crate::fence::Fence;
use crate::inbox::{Inbox, InboxMessage};
use crate::link::{FleetError, Link};
use crate::results::Results;
use crate::settings::ControlSettings;
use crate::signing::is_name_of;
use crate::wire::{self, Announcement, CoordinatorCommand, MatchState, WorkerState};
use crate::work::{self, Offers};
use crate::worker_registry::{MatchWorkers, WorkerRegistry};
use crate::{names, store, streams};

/// Minimum number of pairs in the queue, so that new workers find some.
const MIN_WINDOW: usize = 128;

/// Delay before the notice of a lost pair is delivered again, if a worker reports that it is playing the pair.
const ASK_AGAIN: Duration = Duration::from_secs(3);

/// Maximum time for which an ending coordinator waits until its queries are not answered any more.
const END_TIME: Duration = Duration::from_secs(5);

/// Pause between two checks of that.
const PAUSE: Duration = Duration::from_millis(10);

/// Maximum number of workers whose refusal is reported.
const MAX_REFUSED: usize = 1000;

/// The coordinator's end of the queue of one match.
pub struct FleetControl {
    link: Link,
    announcer: Announcer,
    settings: ControlSettings,
    results: Results,
    inbox: Inbox,
    workers: WorkerRegistry,
    incoming: VecDeque<Incoming>,
    /// Received and not yet recorded.
    receipts: BTreeMap<u64, Receipt>,
    last_receipt: u64,
    offers: Offers,
    connections: u64,
    stopped: Option<Instant>,
    /// Workers whose refusal was reported.
    refused: HashSet<String>,
    /// Keys whose results are not accepted, which was reported.
    untrusted: HashSet<String>,
    /// `None` before the match is announced.
    fence: Option<Fence>,
    coordinator: Coordinator,
    /// Answers queries.
    answering: Option<JoinHandle<()>>,
}

/// Another coordinator of this match, also in this process, may then begin.
impl Drop for FleetControl {
    fn drop(&mut self) {
        if let Some(answering) = self.answering.take() {
            answering.abort();
            // The subscription ends a moment later.
            let deadline = Instant::now() + END_TIME;
            let id = self.announcer.id();
            while self.coordinator.is_answering(&self.link, id) && Instant::now() < deadline {
                std::thread::sleep(PAUSE);
            }
        }
        self.results.drop_batch();
        self.link.close();
    }
}

#[derive(Debug)]
struct Receipt {
    messages: Vec<Message>,
    /// Number of its reports that are not recorded yet.
    n_open: usize,
    /// Sequence number of a lost pair, to be deleted from the stream of pairs.
    lost: Option<u64>,
}

impl FleetControl {
    /// Announces a match whose engines have their names, or resumes one that was announced before.
    ///
    /// # Errors
    /// The match already has a coordinator, the ledger has no id for a fleet, or the server fails.
    pub fn open(
        link: Link,
        plan: &Plan,
        settings: ControlSettings,
    ) -> Result<FleetControl, FleetError> {
        if !names::is_match_id(&plan.id) {
            let why =
                "this ledger was created by a version without fleets: expected a newer ledger";
            return Err(FleetError::Usage(format!("--fleet: {why}")));
        }
        refuse_second(&link, &plan.id, "one at a time")?;
        let announcer = Announcer::new(plan, &settings);
        let results =
            make_streams(&link, &announcer, &settings).map_err(|why| no_streams(&link, &why))?;
        let mut control = FleetControl {
            announcer,
            settings,
            results,
            inbox: Inbox::new(&plan.id),
            workers: WorkerRegistry::listen(&link).map_err(FleetError::Server)?,
            incoming: VecDeque::new(),
            receipts: BTreeMap::new(),
            last_receipt: 0,
            offers: Offers::default(),
            connections: link.connections(),
            stopped: None,
            refused: HashSet::new(),
            untrusted: HashSet::new(),
            fence: None,
            coordinator: Coordinator::new(),
            answering: None,
            link,
        };
        control.announce()?;
        Ok(control)
    }

    /// Answers queries before it announces the match, so of two coordinators that start at the same time, at least one
    /// detects the other.
    fn announce(&mut self) -> Result<(), FleetError> {
        let (link, id) = (&self.link, self.announcer.id());
        let last = link.wait(streams::last_announced(link, id));
        let last = last.map_err(FleetError::Server)?;
        let sequence = last.as_ref().map_or(0, |last| last.sequence);
        let before = last.and_then(|last| wire::parse::<Announcement>(&last.payload).ok());
        refuse_second(link, id, "one at a time")?;
        let answering = self.coordinator.answer(link, id);
        self.answering = Some(answering.map_err(FleetError::Server)?);
        // Workers that an earlier coordinator has set aside remain so.
        let set_aside = before.map_or_else(Vec::new, |before| before.set_aside);
        for worker in &set_aside {
            let why = "it was before the match was resumed";
            self.incoming.push_back(banned(worker.clone(), why, false));
        }
        *self.announcer.set_aside() = set_aside;
        let sequence = self.announcer.announce_first(link, sequence)?;
        self.announcer.guard(link).map_err(FleetError::Server)?;
        let fence = Fence::enter(link, self.announcer.id(), sequence);
        self.fence = Some(fence.map_err(FleetError::Server)?);
        Ok(())
    }

    /// Keeps the state that is sent on request up to date, from the events of this watcher.
    pub fn follow(&self, watcher: Watcher) {
        self.coordinator.follow(watcher);
    }

    /// Returns a live view of the workers of this match.
    pub fn workers(&self) -> MatchWorkers {
        self.workers.view(self.announcer.id())
    }

    fn unreachable(&self, why: &str) -> Unreachable {
        Unreachable(format!("{}: {why}", self.link.server()))
    }

    fn take(&mut self, message: Message) -> Incoming {
        match self.inbox.take(message) {
            InboxMessage::Results(key, results, messages) => self.results(&key, results, messages),
            InboxMessage::Lost(sequence, deliveries, messages) => {
                self.lost(sequence, deliveries, messages)
            }
            InboxMessage::Rejected(why, messages) => self.reject(&why, &messages),
            InboxMessage::Part => Incoming::Changed,
        }
    }

    /// Queues the reports of a worker with this public key.
    fn results(&mut self, key: &str, results: Vec<PairReport>, messages: Vec<Message>) -> Incoming {
        if !self.announcer.trusts(key) {
            self.ack(&messages);
            let is_new =
                self.untrusted.len() < MAX_REFUSED && self.untrusted.insert(key.to_owned());
            let text = "rejected the results of a worker with the key";
            return match is_new {
                true => note(format!("{text} {key}, which is not trusted")),
                false => Incoming::Changed,
            };
        }
        let results = results.into_iter();
        let reports = results.map(|result| self.report_of(key, result));
        match reports.collect() {
            Ok(reports) => self.report(reports, messages, None),
            Err(why) => self.reject(&why, &messages),
        }
    }

    /// Checks the name of the worker in a result that is signed with this key. A worker that was set aside has no
    /// results, whatever its name.
    fn report_of(&self, key: &str, report: PairReport) -> Result<PairReport, String> {
        let (worker, is_named) = match &report {
            PairReport::Played(played) => (played.worker(), true),
            PairReport::HandedBack { why, worker, .. } => (worker.as_str(), why.is_some()),
            PairReport::Failed { .. } => return Ok(report),
        };
        if is_named && !is_name_of(worker, key) {
            return Err(format!("worker {worker:?} is not one with the key {key}"));
        }
        let is_set_aside = self.announcer.sets_aside_name(worker);
        Ok(match report {
            PairReport::Played(played) if is_set_aside => {
                PairReport::without_result(played.pair, played.attempt)
            }
            report => report,
        })
    }

    /// Queues reports that arrived together, and returns the first one.
    fn report(
        &mut self,
        reports: Vec<PairReport>,
        messages: Vec<Message>,
        lost: Option<u64>,
    ) -> Incoming {
        self.last_receipt += 1;
        let receipt = self.last_receipt;
        let n_open = reports.len();
        let reports = reports.into_iter();
        self.incoming
            .extend(reports.map(|report| Incoming::Report { receipt, report }));
        match n_open {
            0 => self.ack(&messages),
            n_open => drop(self.receipts.insert(
                receipt,
                Receipt {
                    messages,
                    lost,
                    n_open,
                },
            )),
        }
        self.incoming.pop_front().unwrap_or(Incoming::Changed)
    }

    /// Handles the server's notice that a pair has reached its delivery limit.
    fn lost(&mut self, sequence: u64, deliveries: u64, messages: Vec<Message>) -> Incoming {
        let found = work::given_up(&self.link, self.announcer.id(), sequence);
        let Some(order) = self.link.wait(found) else {
            self.ack(&messages);
            return Incoming::Changed;
        };
        let plays = |state: &WorkerState| {
            let mut playing = state.playing.iter();
            usize::from(playing.any(|playing| playing.pair == order.pair))
        };
        if self.workers.sum(self.announcer.id(), plays) > 0 {
            // The worker may have failed, which shows after a timeout; or the notice is forged.
            for message in &messages {
                let later = message.ack_with(AckKind::Nak(Some(ASK_AGAIN)));
                let _ = self.link.wait(later);
            }
            return Incoming::Changed;
        }
        let report = PairReport::Failed {
            pair: order.pair,
            reason: match deliveries {
                1 => "lost: 1 worker was given this pair, and sent no result".to_owned(),
                n => format!("lost: {n} workers were given this pair, and none sent a result"),
            },
        };
        self.report(vec![report], messages, Some(sequence))
    }

    fn reject(&self, why: &str, messages: &[Message]) -> Incoming {
        self.ack(messages);
        note(format!("rejected a message: {why}"))
    }

    fn ack(&self, messages: &[Message]) {
        for message in messages {
            // An unacknowledged message is delivered again.
            let _ = self.link.wait(message.ack());
        }
    }

    fn poll_status(&mut self) {
        if self.announcer.replace_foreign(&self.link) {
            let text = "rejected a message in place of the announcement";
            self.incoming.push_back(note(text.to_owned()));
        }
        for (worker, why) in self.workers.refusals(self.announcer.id()) {
            if self.refused.len() < MAX_REFUSED && self.refused.insert(worker.clone()) {
                let text = format!("worker {worker} was rejected: {why}");
                self.incoming.push_back(note(text));
            }
        }
        let rejected = self.workers.drain_rejected();
        if rejected > 0 {
            let text = format!("rejected {rejected} messages to linesman.worker");
            self.incoming.push_back(note(text));
        }
        for command in self.coordinator.drain_commands() {
            let (worker, is_purged) = match command {
                CoordinatorCommand::Ban { worker } => (worker, false),
                CoordinatorCommand::Purge { worker } => (worker, true),
            };
            self.incoming
                .push_back(banned(worker, "banned by the user", is_purged));
        }
        self.poll_trusted();
        if let Some(problem) = self.link.new_problem("") {
            self.incoming.push_back(note(problem));
        }
        let connections = self.link.connections();
        if connections != self.connections {
            self.connections = connections;
            self.results.drop_batch();
            self.incoming
                .push_back(note(format!("{} is connected again", self.link.server())));
            self.incoming.push_back(Incoming::Reconnected);
        }
    }
}

impl FleetControl {
    /// Announces the trusted keys again after a change of their file.
    fn poll_trusted(&mut self) {
        let Some(file) = &mut self.settings.trusted else {
            return;
        };
        match file.update() {
            Ok(true) => {
                self.announcer.set_trusted(file.keys());
                self.untrusted.clear();
                // If this fails, it is repeated after the reconnection.
                let _ = self.announcer.announce(&self.link);
            }
            Ok(false) => {}
            Err(why) => self.incoming.push_back(note(why)),
        }
    }
}

fn banned(worker: String, why: &str, is_purged: bool) -> Incoming {
    Incoming::Banned {
        worker,
        why: why.to_owned(),
        is_purged,
    }
}

fn note(text: String) -> Incoming {
    Incoming::Note {
        about: "fleet".to_owned(),
        text,
    }
}

fn no_streams(link: &Link, why: &str) -> FleetError {
    // A missing permission is only reported by the connection; the request is not answered.
    let problem = link.new_problem(why);
    FleetError::Server(problem.unwrap_or_else(|| format!("{}: {why}", link.server())))
}

/// Creates what the match needs on the server and does not exist yet: its streams, and the engines it sends.
fn make_streams(
    link: &Link,
    announcer: &Announcer,
    settings: &ControlSettings,
) -> Result<Results, String> {
    let made = link.wait(async {
        streams::make_matches(&link.jetstream).await?;
        streams::make_match(
            &link.jetstream,
            announcer.id(),
            announcer.lost_after(),
            settings.max_deliver,
        )
        .await
    });
    let contents = settings.contents.iter().flatten().chain(&settings.rules);
    let packed = contents.filter_map(|content| content.packed.as_ref());
    let packed = packed.chain(settings.program.as_ref().map(|sent| &sent.packed));
    store::put(link, announcer.id(), packed)?;
    Ok(Results::new(link.clone(), made?))
}

impl QueueControl for FleetControl {
    fn offer(&mut self, orders: &[PairOrder]) -> Vec<Result<(), Unreachable>> {
        let stored = self.offers.store(&self.link, self.announcer.id(), orders);
        self.coordinator
            .add_offered(stored.iter().filter(|stored| stored.is_ok()).count());
        stored
            .into_iter()
            .map(|stored| stored.map_err(Unreachable))
            .collect()
    }

    fn receive(&mut self, timeout: Duration) -> Option<Incoming> {
        self.poll_status();
        if let Some(incoming) = self.incoming.pop_front() {
            return Some(incoming);
        }
        let message = self.results.next(timeout)?;
        Some(self.take(message))
    }

    fn settle(&mut self, receipt: u64) {
        let Some(open) = self.receipts.get_mut(&receipt) else {
            return;
        };
        open.n_open -= 1;
        if open.n_open > 0 {
            return;
        }
        let Some(receipt) = self.receipts.remove(&receipt) else {
            return;
        };
        self.ack(&receipt.messages);
        if let Some(sequence) = receipt.lost {
            self.link
                .wait(work::delete(&self.link, self.announcer.id(), sequence));
        }
    }

    fn held(&mut self) -> Result<BTreeSet<usize>, Unreachable> {
        if !self.link.is_connected() {
            return Err(self.unreachable("no connection"));
        }
        // The streams are missing if the server has lost its files.
        let made = make_streams(&self.link, &self.announcer, &self.settings);
        self.results = made.map_err(|why| self.unreachable(&why))?;
        let checked = self
            .fence
            .iter()
            .try_for_each(|fence| fence.check(&self.link));
        checked.map_err(|why| self.unreachable(&why))?;
        if self.replaced().is_some() {
            return Err(self.unreachable("another coordinator has begun"));
        }
        let held = work::held(&self.link, self.announcer.id());
        let pairs = self.link.wait(held);
        let pairs = pairs.map_err(|why| self.unreachable(&why))?;
        self.announcer.announce(&self.link).map_err(Unreachable)?;
        self.coordinator.set_offered(pairs.len());
        Ok(pairs)
    }

    fn window(&self) -> usize {
        let id = self.announcer.id();
        let places = self.workers.sum(id, |state| state.concurrency);
        (2 * places).clamp(MIN_WINDOW, MAX_WINDOW)
    }

    fn stop(&mut self, ending: Ending) -> Result<(), Unreachable> {
        self.announcer.set_state(match ending {
            Ending::Over => MatchState::Over,
            Ending::Paused => MatchState::Paused,
        });
        self.announcer.announce(&self.link).map_err(Unreachable)?;
        self.stopped = Some(Instant::now());
        Ok(())
    }

    fn is_playing(&mut self) -> bool {
        let id = self.announcer.id();
        // A worker may have taken a pair and not reported it yet, or may have failed and not be detected yet.
        let lost_after = self.announcer.lost_after();
        let is_recent = self.stopped.is_none_or(|at| at.elapsed() < lost_after);
        let is_reported = self.workers.sum(id, |state| state.playing.len()) > 0;
        // A report alone may be false.
        (is_recent || is_reported) && self.link.wait(work::is_leased(&self.link, id))
    }

    fn n_workers(&self) -> usize {
        // Workers with the same key do not verify each other.
        let present = self.workers.present().into_iter();
        let id = self.announcer.id();
        let own = present.filter(|state| {
            state.match_id == id && state.concurrency > 0 && !self.announcer.sets_aside(state)
        });
        let keys: HashSet<String> = own.map(|state| key_of(&state.worker).to_owned()).collect();
        keys.len()
    }

    fn set_aside(&mut self, worker: &str) {
        if self.announcer.set_aside().iter().any(|name| name == worker) {
            return;
        }
        self.announcer.set_aside().push(worker.to_owned());
        // If this fails, it is repeated after the reconnection.
        let _ = self.announcer.announce(&self.link);
    }

    fn replaced(&self) -> Option<String> {
        let expected = "this one, but another has begun";
        let is_taken = self.fence.as_ref().is_some_and(Fence::is_taken);
        is_taken.then(|| has_coordinator(&self.link, self.announcer.id(), expected).to_string())
    }

    fn close(&mut self) {
        let id = self.announcer.id();
        self.link
            .wait(streams::delete_match(&self.link.jetstream, id));
    }
}
