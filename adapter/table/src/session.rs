//! A client at a table that waits for its answers, with its copy of the game.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use crate::model::{Refusal, RequestId, TableCommand, TableEvent, Turn};
use crossbeam_channel::{Receiver, RecvTimeoutError};
use record::registry::Registry;

use crate::client_game::ClientGame;
use crate::handle::{JoinWish, SessionError, TableClient, TableHandle};

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
