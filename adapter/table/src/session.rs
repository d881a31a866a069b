//! The channels between a table and its clients: requests and the handle that sends them, and the queue of events of each
//! client, which never blocks the table.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Instant;

use crossbeam_channel::{Receiver, Sender, TrySendError, bounded};
use kit::Rejection;
use referee::process::{Alarm, Waker, waker};
use referee::token_bucket::TokenBucket;

use crate::model::{
    ClientId, ClientInfo, Refusal, RequestId, Role, SeatId, TableCommand, TableEvent, TableView,
    Voice,
};

/// A request with its sender and time of arrival.
#[derive(Debug)]
pub struct Request {
    /// The sender.
    pub client: ClientId,
    /// The number of the request.
    pub id: RequestId,
    /// The request itself.
    pub what: Wanted,
    /// The time when the line or message arrived; a move's clock time ends here.
    pub at: Instant,
}

/// The wishes of a client that joins.
#[derive(Debug, Clone)]
pub struct JoinWish {
    /// The display name, for example in chat. By default, it is that of the seat, or `host`, `guest` or `watcher`.
    pub name: String,
    /// `true` if the client's seats without a name get this name.
    pub names_seats: bool,
    /// Requested role.
    pub role: Role,
    /// Requested seat; by default, any free one of the role.
    pub seat: Option<SeatId>,
    /// The token from `TableEvent::Welcome`, to reclaim a seat.
    pub token: Option<String>,
    /// `true` if a seat that a guest has left is free for the client, without its token or with one that is no longer
    /// valid.
    pub takes_left_seats: bool,
    /// Capacity of the client's queue of events; excess ones are dropped.
    pub n_events: usize,
    /// Names the commands in what the table refuses.
    pub voice: Voice,
}

impl JoinWish {
    /// The wish for a role, with a display name.
    pub fn new(name: &str, role: Role) -> JoinWish {
        JoinWish {
            name: name.to_owned(),
            names_seats: false,
            role,
            seat: None,
            token: None,
            takes_left_seats: false,
            n_events: 1024,
            voice: Voice::Json,
        }
    }
}

/// The content of a request.
#[derive(Debug, Clone)]
pub enum Wanted {
    /// To join the table, first of all. The sender is that of the client's events; its channel must be bounded, and the
    /// table never blocks on it. `welcome` and `snapshot` follow.
    Join(JoinWish, Sender<TableEvent>),
    /// To use a command.
    Command(TableCommand),
}

/// Reason for which a request or a session fails.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SessionError {
    /// The table refuses the request. The session continues.
    #[error("{0}")]
    Refused(Refusal),
    /// The table has closed.
    #[error("{0}")]
    Closed(String),
    /// The table does not answer.
    #[error("the table does not answer")]
    Timeout,
    /// The rules reject the game of the table.
    #[error("{0}")]
    Broken(String),
}

impl From<Rejection> for SessionError {
    fn from(Rejection(why): Rejection) -> SessionError {
        SessionError::Broken(why)
    }
}

/// Capacity of the request queue.
const MAX_WAITING: usize = 256;

/// The table's end of the channels.
#[derive(Debug)]
pub struct Inbox {
    /// The clients' requests, in order of arrival.
    pub requests: Receiver<Request>,
    /// Rings at a request and at a stop.
    pub(crate) alarm: Alarm,
    shared: Arc<Shared>,
}

/// The state that both ends of the channels share.
#[derive(Debug, Default)]
struct Shared {
    n_clients: AtomicU64,
    is_stopped: AtomicBool,
    closed: OnceLock<SessionError>,
}

impl Inbox {
    /// `true` after [`TableHandle::stop`].
    pub(crate) fn is_stopped(&self) -> bool {
        self.shared.is_stopped.load(Ordering::Acquire)
    }

    /// Closes the table for requests: every [`TableClient::send`] that is not finished fails with this reason. Those
    /// finished before are in the queue.
    pub(crate) fn close(&self, why: &str) {
        // A table closes once.
        let _ = self.shared.closed.set(SessionError::Closed(why.to_owned()));
    }
}

/// The clients' end of the request channel. Clones send to the same table.
#[derive(Debug, Clone)]
pub struct TableHandle {
    requests: Sender<Request>,
    waker: Waker,
    shared: Arc<Shared>,
}

impl TableHandle {
    /// A handle, and the table's end of its channels. Usable without a table in unit tests of clients.
    ///
    /// # Errors
    /// The system has no more descriptors.
    pub fn pair() -> io::Result<(TableHandle, Inbox)> {
        let (waker, alarm) = waker()?;
        let (sender, requests) = bounded(MAX_WAITING);
        let handle = TableHandle {
            requests: sender,
            waker,
            shared: Arc::default(),
        };
        let shared = Arc::clone(&handle.shared);
        Ok((
            handle,
            Inbox {
                requests,
                alarm,
                shared,
            },
        ))
    }

    /// Creates a client and sends its request to join.
    pub fn join(&self, wish: JoinWish) -> Result<TableClient, SessionError> {
        let (sender, events) = bounded(wish.n_events);
        let client = TableClient {
            id: ClientId(self.shared.n_clients.fetch_add(1, Ordering::Relaxed) + 1),
            table: self.clone(),
            events,
            n_requests: AtomicU64::new(0),
        };
        client.ask(Wanted::Join(wish, sender), Instant::now())?;
        Ok(client)
    }

    /// The error of a request to this table once it is closed.
    fn closed(&self) -> SessionError {
        let closed = self.shared.closed.get().cloned();
        closed.unwrap_or_else(|| SessionError::Closed("the table was closed".to_owned()))
    }

    /// Closes the table without waiting for queued requests. Never blocks.
    pub fn stop(&self) {
        self.shared.is_stopped.store(true, Ordering::Release);
        self.waker.wake();
    }
}

/// A client's end of the channels.
#[derive(Debug)]
pub struct TableClient {
    id: ClientId,
    table: TableHandle,
    /// The client's events. Disconnected after `TableEvent::Closed`.
    pub events: Receiver<TableEvent>,
    n_requests: AtomicU64,
}

impl TableClient {
    /// The number of the request to join, which each client sends first.
    pub const JOIN: RequestId = RequestId(1);

    /// The client's number.
    pub fn id(&self) -> ClientId {
        self.id
    }

    /// The error of disconnected [`events`](TableClient::events).
    pub fn closed(&self) -> SessionError {
        self.table.closed()
    }

    /// Sends a command that arrived now. Its answer has the returned number.
    pub fn send(&self, command: TableCommand) -> Result<RequestId, SessionError> {
        self.send_at(command, Instant::now())
    }

    /// Sends a command that arrived at `at`, which is where a move's clock time ends.
    pub fn send_at(&self, command: TableCommand, at: Instant) -> Result<RequestId, SessionError> {
        self.ask(Wanted::Command(command), at)
    }

    /// Sends a request. Blocks while the queue is full, which slows down a client that floods the table.
    fn ask(&self, what: Wanted, at: Instant) -> Result<RequestId, SessionError> {
        let id = RequestId(self.n_requests.fetch_add(1, Ordering::Relaxed) + 1);
        let (table, client) = (&self.table, self.id);
        let request = Request {
            client,
            id,
            what,
            at,
        };
        table.requests.send(request).map_err(|_| table.closed())?;
        // A channel keeps what is sent between its last read and its end, so its client would wait for an answer.
        if table.shared.closed.get().is_some() {
            return Err(table.closed());
        }
        table.waker.wake();
        Ok(id)
    }
}

impl Drop for TableClient {
    fn drop(&mut self) {
        let _ = self.send(TableCommand::Leave);
    }
}

/// Requests of a guest: at once, and per second afterwards.
const BURST: f64 = 30.0;
const PER_SECOND: f64 = 5.0;

/// Most answers kept for a client that does not read. A client with more has left.
const MAX_ANSWERS: usize = 1000;

/// One client with its event queue.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) info: ClientInfo,
    pub(super) voice: Voice,
    events: Sender<TableEvent>,
    /// Events dropped since the last `lagged`.
    n_dropped: u64,
    /// Numbers of the games whose `game-over` was dropped.
    lost_games: Vec<usize>,
    /// Answers to requests that found the queue full, sent as soon as there is room.
    answers: Vec<TableEvent>,
    /// Its receiver was dropped, or it does not read its answers.
    pub(super) is_gone: bool,
    /// The requests that it may send now, unless it is the host.
    pub(super) budget: TokenBucket,
    /// The view sent last.
    pub(super) view: TableView,
}

/// All clients of a table.
#[derive(Debug, Default)]
pub(super) struct Clients {
    /// By number, and so in the order in which they came.
    pub(super) all: BTreeMap<ClientId, Client>,
    /// Set by an event that may change what clients show.
    pub(super) has_told: bool,
}

impl Client {
    pub(super) fn new(
        info: ClientInfo,
        voice: Voice,
        events: Sender<TableEvent>,
        now: Instant,
    ) -> Client {
        Client {
            info,
            voice,
            events,
            n_dropped: 0,
            lost_games: Vec::new(),
            answers: Vec::new(),
            is_gone: false,
            budget: TokenBucket::full(BURST, PER_SECOND, now),
            view: TableView::default(),
        }
    }

    /// Queues an event without blocking. If it does not fit, an answer is kept, and any other event dropped and
    /// counted.
    pub(super) fn tell(&mut self, event: TableEvent) {
        if let TableEvent::Snapshot(snapshot) = &event {
            self.view.clone_from(&snapshot.view);
        }
        if self.is_late() {
            return self.postpone(event);
        }
        match self.events.try_send(event) {
            Ok(()) => {}
            Err(TrySendError::Full(event)) => self.postpone(event),
            Err(TrySendError::Disconnected(_)) => self.is_gone = true,
        }
    }

    fn postpone(&mut self, event: TableEvent) {
        if is_answer(&event) {
            self.answers.push(event);
            self.is_gone |= self.answers.len() > MAX_ANSWERS;
            return;
        }
        self.n_dropped += 1;
        if let TableEvent::GameOver { record } = event {
            self.lost_games.push(record.game);
        }
    }

    pub(super) fn is_late(&self) -> bool {
        self.n_dropped > 0 || !self.answers.is_empty()
    }

    /// Sends `lagged` and a fresh snapshot if events were dropped, and the answers that were kept.
    pub(super) fn catch_up(&mut self, snapshot: TableEvent) {
        let answers = std::mem::take(&mut self.answers);
        if self.n_dropped > 0 {
            let dropped = std::mem::take(&mut self.n_dropped);
            let games = std::mem::take(&mut self.lost_games);
            self.tell(TableEvent::Lagged { dropped, games });
            self.tell(snapshot);
        }
        answers.into_iter().for_each(|answer| self.tell(answer));
    }
}

/// `true` if the event answers a request of its client alone, which would wait for it.
fn is_answer(event: &TableEvent) -> bool {
    use TableEvent::{Analysis, Clocks, Done, Refused, Saved};
    matches!(
        event,
        Done { .. } | Refused { .. } | Clocks { .. } | Analysis { .. } | Saved { .. }
    )
}

impl Clients {
    pub(super) fn role(&self, id: ClientId) -> Option<Role> {
        self.all.get(&id).map(|client| client.info.role)
    }

    pub(super) fn is_host(&self, id: ClientId) -> bool {
        self.role(id) == Some(Role::Host)
    }

    /// Late clients that can now receive `lagged`.
    pub(super) fn late(&self) -> Vec<ClientId> {
        // Only the table fills the queue, so the room cannot shrink before both are sent.
        self.ids_where(|client| {
            let capacity = client.events.capacity().unwrap_or(usize::MAX);
            client.is_late() && client.events.len() + 2 <= capacity
        })
    }

    pub(super) fn ids_where(&self, is_wanted: impl Fn(&Client) -> bool) -> Vec<ClientId> {
        let wanted = self.all.iter().filter(|(_, client)| is_wanted(client));
        wanted.map(|(id, _)| *id).collect()
    }
}
