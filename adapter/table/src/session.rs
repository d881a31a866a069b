//! A client at a table: the channels to it, the requests that they carry, and a client that waits for its answers, with
//! its copy of the game.

use std::collections::BTreeMap;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use kit::Rejection;
use record::registry::Registry;
use referee::process::{Alarm, Waker, waker};

use crate::client_game::ClientGame;
use crate::model::{
    ClientId, Refusal, RequestId, Role, SeatId, TableCommand, TableEvent, Turn, Voice,
};

/// A request with its sender and time of arrival.
#[derive(Debug)]
pub struct Request {
    /// The sender.
    pub client: ClientId,
    /// The number of the request.
    pub id: RequestId,
    /// What the sender wants.
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

/// What the sender of a request wants.
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
    /// Receives a message when [`TableHandle::stop`] is called.
    pub stop: Receiver<()>,
    /// Rings at a request and at a stop.
    pub(crate) alarm: Alarm,
    closed: Arc<OnceLock<SessionError>>,
}

impl Inbox {
    /// Closes the table for requests: every [`TableHandle::send`] that is not finished fails with this reason. Those
    /// finished before are in the queue.
    pub(crate) fn close(&self, why: &str) {
        // A table closes once.
        let _ = self.closed.set(SessionError::Closed(why.to_owned()));
    }
}

/// The clients' end of the request channel. Clones send to the same table.
#[derive(Debug, Clone)]
pub struct TableHandle {
    requests: Sender<Request>,
    stop: Sender<()>,
    waker: Waker,
    n_clients: Arc<AtomicU64>,
    closed: Arc<OnceLock<SessionError>>,
}

impl TableHandle {
    /// A handle, and the table's end of its channels. Usable without a table in unit tests of clients.
    ///
    /// # Errors
    /// The system has no more descriptors.
    pub fn pair() -> io::Result<(TableHandle, Inbox)> {
        let (waker, alarm) = waker()?;
        let (requests, inbox) = bounded(MAX_WAITING);
        let (stop, stopped) = bounded(1);
        let handle = TableHandle {
            requests,
            stop,
            waker,
            n_clients: Arc::default(),
            closed: Arc::default(),
        };
        let inbox = Inbox {
            requests: inbox,
            stop: stopped,
            alarm,
            closed: Arc::clone(&handle.closed),
        };
        Ok((handle, inbox))
    }

    /// Creates a client and sends its request to join.
    pub fn join(&self, wish: JoinWish) -> Result<TableClient, SessionError> {
        let (sender, events) = bounded(wish.n_events);
        let client = TableClient {
            id: ClientId(self.n_clients.fetch_add(1, Ordering::Relaxed) + 1),
            table: self.clone(),
            events,
            n_requests: AtomicU64::new(0),
        };
        client.ask(Wanted::Join(wish, sender), Instant::now())?;
        Ok(client)
    }

    /// Sends a request. Blocks while the queue is full, which slows down a client that floods the table.
    pub fn send(&self, request: Request) -> Result<(), SessionError> {
        self.requests.send(request).map_err(|_| self.closed())?;
        // A channel keeps what is sent between its last read and its end, so its client would wait for an answer.
        if let Some(closed) = self.closed.get() {
            return Err(closed.clone());
        }
        self.waker.wake();
        Ok(())
    }

    /// The error of a request to this table once it is closed.
    fn closed(&self) -> SessionError {
        let closed = self.closed.get().cloned();
        closed.unwrap_or_else(|| SessionError::Closed("the table was closed".to_owned()))
    }

    /// Closes the table without waiting for queued requests. Never blocks.
    pub fn stop(&self) {
        // If the channel is full, a stop is already queued.
        let _ = self.stop.try_send(());
        self.waker.wake();
    }
}

/// A client's end of the channels.
#[derive(Debug)]
pub struct TableClient {
    id: ClientId,
    table: TableHandle,
    events: Receiver<TableEvent>,
    n_requests: AtomicU64,
}

impl TableClient {
    /// The number of the request to join, which each client sends first.
    pub const JOIN: RequestId = RequestId(1);

    /// The client's number.
    pub fn id(&self) -> ClientId {
        self.id
    }

    /// The error of a disconnected [`events`](TableClient::events).
    pub fn closed(&self) -> SessionError {
        self.table.closed()
    }

    /// The client's events. Disconnected after `TableEvent::Closed`.
    pub fn events(&self) -> &Receiver<TableEvent> {
        &self.events
    }

    /// Sends a command that arrived now. Its answer has the returned number.
    pub fn send(&self, command: TableCommand) -> Result<RequestId, SessionError> {
        self.send_at(command, Instant::now())
    }

    /// Sends a command that arrived at `at`, which is where a move's clock time ends.
    pub fn send_at(&self, command: TableCommand, at: Instant) -> Result<RequestId, SessionError> {
        self.ask(Wanted::Command(command), at)
    }

    fn ask(&self, what: Wanted, at: Instant) -> Result<RequestId, SessionError> {
        let id = RequestId(self.n_requests.fetch_add(1, Ordering::Relaxed) + 1);
        self.table.send(Request {
            client: self.id,
            id,
            what,
            at,
        })?;
        Ok(id)
    }
}

impl Drop for TableClient {
    fn drop(&mut self) {
        let _ = self.send(TableCommand::Leave);
    }
}

/// Timeout of an answer. A table never blocks, so only a stuck machine reaches it.
const TIMEOUT: Duration = Duration::from_secs(60);

/// Result of a request.
pub type Answer = Result<(), Refusal>;

/// A client that has joined a table.
pub struct TableSession {
    client: TableClient,
    game: ClientGame,
    /// The token that reclaims a guest's seat.
    token: Option<String>,
    /// Answers that were received and not fetched yet.
    answers: BTreeMap<u64, Answer>,
}

impl TableSession {
    /// Joins a table and waits for its first snapshot.
    ///
    /// # Errors
    /// The table refuses the client, has ended or does not answer, or its game has no rules.
    pub fn join(
        table: &TableHandle,
        registry: Registry,
        wish: JoinWish,
    ) -> Result<TableSession, SessionError> {
        let client = table.join(wish)?;
        let mut reclaims = None;
        let deadline = Instant::now() + TIMEOUT;
        let snapshot = loop {
            match receive(&client, Some(deadline))? {
                TableEvent::Snapshot(snapshot) => break *snapshot,
                TableEvent::Welcome { token, .. } => reclaims = token,
                TableEvent::Refused { why, .. } => return Err(SessionError::Refused(why)),
                TableEvent::Closed { why, .. } => return Err(SessionError::Closed(why)),
                _ => {}
            }
        };
        let rules = registry.rules(&snapshot.game);
        let rules = rules.map_err(|error| SessionError::Broken(error.to_string()))?;
        let no_rules = || SessionError::Broken(format!("{} has no rules", snapshot.game));
        let game = ClientGame::new(rules.ok_or_else(no_rules)?, snapshot)?;
        Ok(TableSession {
            client,
            game,
            token: reclaims,
            answers: BTreeMap::new(),
        })
    }

    /// The token that reclaims a guest's seat.
    pub fn token(&self) -> Option<&String> {
        self.token.as_ref()
    }

    /// The client's copy of the game.
    pub fn game(&self) -> &ClientGame {
        &self.game
    }

    /// The table's events. Each must be passed to [`apply`](TableSession::apply).
    pub fn events(&self) -> &Receiver<TableEvent> {
        self.client.events()
    }

    /// The error of disconnected [`events`](TableSession::events).
    pub fn closed(&self) -> SessionError {
        self.client.closed()
    }

    /// The client and its copy of the game, for a client that handles its events without waiting.
    pub fn into_parts(self) -> (TableClient, ClientGame) {
        (self.client, self.game)
    }

    /// Updates the game by an event, and keeps the answers in it. Returns `true` if the position changed.
    ///
    /// # Errors
    /// The rules reject the table's game.
    pub fn apply(&mut self, event: &TableEvent) -> Result<bool, SessionError> {
        let is_changed = self.game.update(event)?;
        match event {
            TableEvent::Done { request } => self.answers.insert(request.0, Ok(())),
            TableEvent::Refused { request, why } => {
                self.answers.insert(request.0, Err(why.clone()))
            }
            _ => None,
        };
        Ok(is_changed)
    }

    /// Waits for the next event and [applies](TableSession::apply) it; without a deadline, for any time.
    ///
    /// # Errors
    /// The table has ended or does not answer.
    pub fn next_event(&mut self, deadline: Option<Instant>) -> Result<TableEvent, SessionError> {
        let event = receive(&self.client, deadline)?;
        self.apply(&event)?;
        Ok(event)
    }

    /// Sends a command without waiting.
    ///
    /// # Errors
    /// The table has ended.
    pub fn send_at(
        &mut self,
        command: TableCommand,
        at: Instant,
    ) -> Result<RequestId, SessionError> {
        self.client.send_at(command, at)
    }

    /// The answer to a request, once it is there; it is returned once.
    pub fn answer(&mut self, request: RequestId) -> Option<Answer> {
        self.answers.remove(&request.0)
    }

    /// Sends a command and waits for its answer. Returns the events received until then.
    ///
    /// # Errors
    /// The table refuses the command, has ended or does not answer.
    pub fn request(&mut self, command: TableCommand) -> Result<Vec<TableEvent>, SessionError> {
        let id = self.send_at(command, Instant::now())?;
        let deadline = Instant::now() + TIMEOUT;
        let mut events = Vec::new();
        loop {
            let event = self.next_event(Some(deadline))?;
            if let Some(answer) = self.answer(id) {
                return answer.map(|()| events).map_err(SessionError::Refused);
            }
            if let TableEvent::Closed { why, .. } = event {
                return Err(SessionError::Closed(why));
            }
            events.push(event);
        }
    }

    /// Waits until the table's engines run; without a deadline, for any time.
    ///
    /// # Errors
    /// The table has ended, or the engines take too long.
    pub fn await_start(&mut self, deadline: Option<Instant>) -> Result<(), SessionError> {
        while self.game.turn() == Turn::Starting {
            if let TableEvent::Closed { why, .. } = self.next_event(deadline)? {
                return Err(SessionError::Closed(why));
            }
        }
        Ok(())
    }
}

fn receive(client: &TableClient, deadline: Option<Instant>) -> Result<TableEvent, SessionError> {
    let events = client.events();
    let event = match deadline {
        Some(deadline) => events.recv_deadline(deadline),
        None => events.recv().map_err(RecvTimeoutError::from),
    };
    event.map_err(|error| match error {
        RecvTimeoutError::Timeout => SessionError::Timeout,
        RecvTimeoutError::Disconnected => client.closed(),
    })
}
