//! Bans a worker from all matches of a server, on a user's command.

use crate::coordinator::send;
use crate::link::{FleetError, Link};
use crate::streams;
use crate::wire::{self, CoordinatorCommand};

/// Ids of the matches whose coordinators were asked.
pub type Banned = Vec<String>;

/// Asks the coordinators of all matches to accept no further result of a worker, named by itself or by its machine. With
/// `is_purged`, its recorded pairs are played again.
///
/// # Errors
/// The server does not answer, or no match has a coordinator.
pub fn ban(link: &Link, worker: &str, is_purged: bool) -> Result<Banned, FleetError> {
    let worker = worker.to_owned();
    let command = wire::format(&match is_purged {
        true => CoordinatorCommand::Purge { worker },
        false => CoordinatorCommand::Ban { worker },
    });
    let mut asked = Vec::new();
    for found in link.wait(streams::announcements(link)) {
        if send(link, &found.id, command.clone())?.is_some() {
            asked.push(found.id);
        }
    }
    match asked.is_empty() {
        false => Ok(asked),
        true => Err(FleetError::Server(format!(
            "{}: no match with a coordinator: expected one that linesman fleet status shows",
            link.server()
        ))),
    }
}
