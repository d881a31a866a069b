//! The clients of a table, and their event queues.

use std::time::Instant;

use crossbeam_channel::{Sender, TrySendError};
use record::event::Event;
use record::table::{ClientId, ClientInfo, Role, SideSet};
use record::token_bucket::TokenBucket;

/// Requests of a guest: at once, and per second afterwards.
const BURST: f64 = 30.0;
const PER_SECOND: f64 = 5.0;

/// One client with its event queue.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) info: ClientInfo,
    events: Sender<Event>,
    /// Events dropped since the last `lagged`.
    n_dropped: u64,
    /// Numbers of the games whose `game-over` was dropped.
    lost_games: Vec<usize>,
    is_gone: bool,
    budget: TokenBucket,
}

/// All clients of a table.
#[derive(Debug, Default)]
pub(super) struct Clients(Vec<Client>);

impl Client {
    pub(super) fn new(info: ClientInfo, events: Sender<Event>, now: Instant) -> Client {
        Client {
            info,
            events,
            n_dropped: 0,
            lost_games: Vec::new(),
            is_gone: false,
            budget: TokenBucket::full(BURST, PER_SECOND, now),
        }
    }

    /// Queues an event without blocking. An event that does not fit is dropped and counted.
    pub(super) fn tell(&mut self, event: Event) {
        if self.n_dropped > 0 {
            return self.drop_event(&event);
        }
        match self.events.try_send(event) {
            Ok(()) => {}
            Err(TrySendError::Full(event)) => self.drop_event(&event),
            Err(TrySendError::Disconnected(_)) => self.is_gone = true,
        }
    }

    fn drop_event(&mut self, event: &Event) {
        self.n_dropped += 1;
        if let Event::GameOver { record } = event {
            self.lost_games.push(record.game);
        }
    }

    /// `true` if events were dropped and the queue now has room for `lagged` and a snapshot.
    fn can_catch_up(&self) -> bool {
        // Only the table fills the queue, so the room cannot shrink before both are sent.
        let capacity = self.events.capacity().unwrap_or(usize::MAX);
        self.n_dropped > 0 && self.events.len() + 2 <= capacity
    }

    fn catch_up(&mut self, snapshot: Event) {
        let lagged = Event::Lagged {
            dropped: std::mem::take(&mut self.n_dropped),
            games: std::mem::take(&mut self.lost_games),
        };
        self.tell(lagged);
        self.tell(snapshot);
    }
}

impl Clients {
    pub(super) fn add(&mut self, client: Client) {
        self.0.push(client);
    }

    pub(super) fn remove(&mut self, id: ClientId) -> Option<Client> {
        let at = self.0.iter().position(|client| client.info.client == id)?;
        Some(self.0.remove(at))
    }

    pub(super) fn find(&self, id: ClientId) -> Option<&Client> {
        self.0.iter().find(|client| client.info.client == id)
    }

    pub(super) fn is_host(&self, id: ClientId) -> bool {
        self.find(id)
            .is_some_and(|client| client.info.role == Role::Host)
    }

    fn find_mut(&mut self, id: ClientId) -> Option<&mut Client> {
        self.0.iter_mut().find(|client| client.info.client == id)
    }

    /// Gives each guest the other side.
    pub(super) fn swap_sides(&mut self) {
        for client in &mut self.0 {
            if let Role::Player(sides) = &mut client.info.role {
                *sides = sides
                    .iter()
                    .fold(SideSet::NONE, |others, side| others.with(side.other()));
            }
        }
    }

    pub(super) fn infos(&self) -> Vec<ClientInfo> {
        self.0.iter().map(|client| client.info.clone()).collect()
    }

    pub(super) fn ids(&self) -> Vec<ClientId> {
        self.0.iter().map(|client| client.info.client).collect()
    }

    /// Sends an event to one client.
    pub(super) fn tell(&mut self, id: ClientId, event: impl Into<Event>) {
        if let Some(client) = self.find_mut(id) {
            client.tell(event.into());
        }
    }

    /// Sends an event to all clients.
    pub(super) fn send_to_all(&mut self, event: impl Into<Event>) {
        let event = event.into();
        for client in &mut self.0 {
            client.tell(event.clone());
        }
    }

    /// Sends an event to the hosts.
    pub(super) fn send_to_hosts(&mut self, event: impl Into<Event>) {
        let event = event.into();
        let hosts = self.0.iter_mut();
        for client in hosts.filter(|client| client.info.role == Role::Host) {
            client.tell(event.clone());
        }
    }

    /// Clients that dropped events and can now receive `lagged`.
    pub(super) fn late(&self) -> Vec<ClientId> {
        let late = self.0.iter().filter(|client| client.can_catch_up());
        late.map(|client| client.info.client).collect()
    }

    /// Sends a client `lagged` and a fresh snapshot.
    pub(super) fn catch_up(&mut self, id: ClientId, snapshot: Event) {
        if let Some(client) = self.find_mut(id) {
            client.catch_up(snapshot);
        }
    }

    pub(super) fn is_any_late(&self) -> bool {
        self.0.iter().any(|client| client.n_dropped > 0)
    }

    /// Clients whose receiver was dropped.
    pub(super) fn gone(&self) -> Vec<ClientId> {
        let gone = self.0.iter().filter(|client| client.is_gone);
        gone.map(|client| client.info.client).collect()
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
