//! A table whose ledger is read and locked, before it is opened again.

use std::path::Path;

use kit::Side;

use super::TableError;
use super::journal::{Entrance, Journal, SavedTable, open_table};
use super::request::SideSet;
use super::setup::TableSetup;
use crate::plan::EngineSpec;
use crate::record::{Ledger, LedgerWriter, SyncPolicy};
use crate::tournament::Host;

/// A table that can be opened again by [`resume`](super::resume). Until then nothing runs and the file stays as it is.
#[derive(Debug)]
pub struct PausedTable {
    /// As the ledger has it. Players, limits and guests may be changed.
    pub setup: TableSetup,
    pub(super) ledger: Ledger,
    unplanned: Vec<EngineSpec>,
    /// Where guests came in last.
    pub(super) entrance: Option<Entrance>,
    pub(super) journal: Journal,
    pub(super) writer: LedgerWriter,
}

impl PausedTable {
    /// Locks the ledger of a table and reads it.
    ///
    /// # Errors
    /// What is wrong with the ledger, or that another program writes to it.
    pub fn read(path: &Path, host: Host) -> Result<PausedTable, TableError> {
        let (saved, writer) = open_table(path).map_err(TableError::File)?;
        let SavedTable {
            ledger,
            helper,
            auto,
            seats,
            entrance,
            journal,
        } = saved;
        let (Some(helper), Some(journal)) = (helper, journal) else {
            return Err(TableError::refused(
                "the ledger of a match: expected one of linesman play; match --resume goes on with it",
            ));
        };
        let mut plan = ledger.plan.clone();
        path.clone_into(&mut plan.ledger);
        let mut guests = entrance.map_or(SideSet::NONE, |entrance| entrance.seats);
        let mut unplanned = vec![helper.clone()];
        for (side, changed) in Side::BOTH.into_iter().zip(seats) {
            let Some((player, is_guest)) = changed else {
                continue;
            };
            guests = guests.without(side);
            if is_guest {
                guests = guests.with(side);
            }
            unplanned.push(player.clone());
            plan.engines[side.index()] = player;
        }
        let setup = TableSetup {
            plan,
            helper,
            game: None,
            guests,
            listen: entrance.map(|entrance| entrance.listen),
            auto,
            may_rename_ledger: false,
            restarts_engines: false,
            sync: SyncPolicy::default(),
            host,
        };
        Ok(PausedTable {
            setup,
            ledger,
            unplanned,
            entrance,
            journal,
            writer,
        })
    }

    /// Players that the plan does not name: the helper, and those who took a seat later.
    pub fn unplanned(&self) -> &[EngineSpec] {
        &self.unplanned
    }

    /// The line of the ledger that holds the plan.
    pub fn plan_line(&self) -> &[u8] {
        &self.ledger.plan_line
    }
}
