//! The clients of a table, and their event queues.

use std::collections::BTreeMap;
use std::time::Instant;

use crate::model::{ClientId, ClientInfo, Role, TableEvent, TableView, Voice};
use crossbeam_channel::{Sender, TrySendError};
use kit::Side;
use referee::token_bucket::TokenBucket;

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
    is_gone: bool,
    budget: TokenBucket,
    /// The view sent last.
    view: TableView,
}

/// All clients of a table.
#[derive(Debug, Default)]
pub(super) struct Clients {
    /// By number, and so in the order in which they came.
    all: BTreeMap<ClientId, Client>,
    /// Set by an event that may change what clients show.
    has_told: bool,
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

    fn is_late(&self) -> bool {
        self.n_dropped > 0 || !self.answers.is_empty()
    }

    /// Sends `lagged` and a fresh snapshot if events were dropped, and the answers that were kept.
    pub(super) fn catch_up(&mut self, snapshot: TableEvent) {
        let answers = std::mem::take(&mut self.answers);
        if self.n_dropped > 0 {
            let lagged = TableEvent::Lagged {
                dropped: std::mem::take(&mut self.n_dropped),
                games: std::mem::take(&mut self.lost_games),
            };
            self.tell(lagged);
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
    pub(super) fn add(&mut self, client: Client) {
        self.all.insert(client.info.client, client);
    }

    pub(super) fn remove(&mut self, id: ClientId) -> Option<Client> {
        self.all.remove(&id)
    }

    pub(super) fn find(&self, id: ClientId) -> Option<&Client> {
        self.all.get(&id)
    }

    pub(super) fn role(&self, id: ClientId) -> Option<Role> {
        self.find(id).map(|client| client.info.role)
    }

    pub(super) fn is_host(&self, id: ClientId) -> bool {
        self.role(id) == Some(Role::Host)
    }

    pub(super) fn find_mut(&mut self, id: ClientId) -> Option<&mut Client> {
        self.all.get_mut(&id)
    }

    /// Gives each guest the other side.
    pub(super) fn swap_sides(&mut self) {
        for client in self.all.values_mut() {
            if let Role::Player(sides) = &mut client.info.role {
                *sides = sides.iter().map(Side::other).collect();
            }
        }
    }

    pub(super) fn infos(&self) -> Vec<ClientInfo> {
        let clients = self.all.values();
        clients.map(|client| client.info.clone()).collect()
    }

    pub(super) fn ids(&self) -> Vec<ClientId> {
        self.all.keys().copied().collect()
    }

    /// Sends an event to all clients.
    pub(super) fn send_to_all(&mut self, event: TableEvent) {
        let is_output = matches!(
            event,
            TableEvent::EngineLine { .. } | TableEvent::Analysed(_) | TableEvent::Reviewed { .. }
        );
        self.has_told |= !is_output;
        for client in self.all.values_mut() {
            client.tell(event.clone());
        }
    }

    /// `true` if an event was sent since the last call that may change what clients show.
    pub(super) fn has_told(&mut self) -> bool {
        std::mem::take(&mut self.has_told)
    }

    /// Sends a client its view if it differs from the last one.
    pub(super) fn show(&mut self, id: ClientId, view: TableView) {
        if let Some(client) = self.find_mut(id).filter(|client| client.view != view) {
            client.view = view.clone();
            client.tell(TableEvent::TableView(Box::new(view)));
        }
    }

    /// Sends an event to the hosts.
    pub(super) fn send_to_hosts(&mut self, event: TableEvent) {
        let hosts = self.all.values_mut();
        for client in hosts.filter(|client| client.info.role == Role::Host) {
            client.tell(event.clone());
        }
    }

    /// Late clients that can now receive `lagged`.
    pub(super) fn late(&self) -> Vec<ClientId> {
        // Only the table fills the queue, so the room cannot shrink before both are sent.
        self.ids_where(|client| {
            let capacity = client.events.capacity().unwrap_or(usize::MAX);
            client.is_late() && client.events.len() + 2 <= capacity
        })
    }

    fn ids_where(&self, is_wanted: impl Fn(&Client) -> bool) -> Vec<ClientId> {
        let wanted = self.all.iter().filter(|(_, client)| is_wanted(client));
        wanted.map(|(id, _)| *id).collect()
    }

    pub(super) fn is_any_late(&self) -> bool {
        self.all.values().any(Client::is_late)
    }

    /// Clients whose receiver was dropped.
    pub(super) fn gone(&self) -> Vec<ClientId> {
        self.ids_where(|client| client.is_gone)
    }

    /// Counts a request against the client's rate limit. Returns `false` if the limit is exceeded; the host has none.
    pub(super) fn may_ask(&mut self, id: ClientId, now: Instant) -> bool {
        match self.find_mut(id) {
            Some(client) if client.info.role == Role::Host => true,
            Some(client) => client.budget.take(1.0, now),
            None => true,
        }
    }
}
