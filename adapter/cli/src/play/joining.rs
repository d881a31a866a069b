//! Joining a table as a client.

use std::time::{Duration, Instant};

use record::event::Event;
use record::registry::Registry;
use record::table::{Role, Snapshot, TableEvent};
use table::{ClientGame, TableClient, TableHandle};

use crate::usage::{Failure, plain_trouble};

/// Maximum number of queued events of a client. A slower client loses events and gets a snapshot.
const CAPACITY: usize = 1024;

/// Timeout of a table's answer. A table never blocks, so only a stuck machine reaches it.
const TIMEOUT: Duration = Duration::from_secs(30);

/// A client that has joined a table.
pub(crate) struct Joined {
    pub(crate) table: TableClient,
    pub(crate) game: ClientGame,
    /// The token with which a guest can return to the seat.
    pub(crate) token: Option<String>,
}

/// Joins a table.
///
/// # Errors
/// The reason that the table rejects the client.
pub(crate) fn join(
    table: &TableHandle,
    registry: Registry,
    name: &str,
    role: Role,
    token: Option<String>,
) -> Result<Joined, String> {
    let joined = table.join(name, role, token, CAPACITY);
    let table = joined.map_err(|error| error.to_string())?;
    let (snapshot, token) = await_snapshot(&table)?;
    let rules = registry
        .rules(&snapshot.game)
        .map_err(|error| error.to_string())?;
    let rules = rules.ok_or_else(|| format!("{} has no rules", snapshot.game))?;
    let game = ClientGame::new(rules, snapshot).map_err(|why| why.to_string())?;
    Ok(Joined { table, game, token })
}

fn await_snapshot(table: &TableClient) -> Result<(Snapshot, Option<String>), String> {
    let deadline = Instant::now() + TIMEOUT;
    let mut token = None;
    loop {
        let event = table.events().recv_deadline(deadline);
        match event.map_err(|_| "the table does not answer".to_owned())? {
            Event::Table(TableEvent::Welcome { token: own, .. }) => token = own,
            Event::Table(TableEvent::Snapshot(snapshot)) => return Ok((*snapshot, token)),
            Event::Table(TableEvent::Refused { why, .. } | TableEvent::Closed { why, .. }) => {
                return Err(why);
            }
            _ => {}
        }
    }
}

/// Updates a game by an event of its table.
pub(super) fn update(game: &mut ClientGame, event: &Event) -> Result<(), Failure> {
    game.update(event).map(drop).map_err(plain_trouble)
}
