//! A table whose ledger is locked and read, but which is not running yet.

use std::path::Path;

use crate::model::SeatId;
use record::ledger::{Ledger, LedgerWriter, MemoryLedger};
use referee::host::Host;

use crate::error::TableError;
use crate::journal::{Journal, SavedTable, open_table};
use crate::level::set_level;
use crate::setup::TableSetup;

/// A table that [`resume`](super::resume) can open. Until then, no engine runs and the file is unchanged.
#[derive(Debug)]
pub struct PausedTable {
    /// The settings from the ledger; players, limits and guests may be changed.
    pub setup: TableSetup,
    pub(super) ledger: Ledger,
    /// The guests' seats of the journal.
    pub(super) journal_guests: Vec<SeatId>,
    pub(super) journal: Journal,
    pub(super) writer: LedgerWriter,
}

impl PausedTable {
    /// Locks a table's ledger and reads it.
    ///
    /// # Errors
    /// The ledger cannot be read, is damaged, or is locked by another program.
    pub fn read(path: &Path, host: Host) -> Result<PausedTable, TableError> {
        let (saved, writer) = open_table(path).map_err(TableError::File)?;
        PausedTable::of(saved, writer, path, host)
    }

    /// Reads a ledger that is kept in memory. New lines are appended to `lines`; error messages name `path`.
    ///
    /// # Errors
    /// The ledger is damaged.
    pub fn of_bytes(
        ledger: &[u8],
        lines: &MemoryLedger,
        path: &Path,
        host: Host,
    ) -> Result<PausedTable, TableError> {
        let saved = SavedTable::parse(ledger).map_err(TableError::File)?;
        PausedTable::of(saved, LedgerWriter::in_memory(path, lines), path, host)
    }

    fn of(
        saved: SavedTable,
        writer: LedgerWriter,
        path: &Path,
        host: Host,
    ) -> Result<PausedTable, TableError> {
        let (Some(mut helper), Some(journal)) = (saved.helper, saved.journal) else {
            return Err(TableError::Unsuitable(
                "the ledger of a match: linesman match --resume continues it".to_owned(),
            ));
        };
        let mut plan = saved.ledger.plan.clone();
        path.clone_into(&mut plan.ledger);
        let mut sides = plan.sides();
        let mut changes = saved.seats;
        if let Some((level, n_before)) = saved.level {
            let replaced = changes.iter_mut().take(n_before);
            let replaced = replaced.map(|(_, player)| player);
            let players = sides.iter_mut().flatten().chain(replaced);
            set_level(players.chain([&mut helper]), level);
        }
        for (seat, player) in changes {
            let Some(place) = sides[seat.side.index()].get_mut(seat.partner) else {
                let why = format!("it has a player at {seat}, which is no seat of its plan");
                return Err(TableError::Unsuitable(why));
            };
            *place = player;
        }
        plan.set_sides(sides);
        let setup = TableSetup {
            guests: saved.guests.clone(),
            auto: saved.auto,
            renewed_tokens: saved.renewed_tokens,
            ..TableSetup::new(plan, helper, host)
        };
        Ok(PausedTable {
            setup,
            ledger: saved.ledger,
            journal_guests: saved.guests,
            journal,
            writer,
        })
    }

    /// The contents of the ledger. Its plan has the players that the table began with; the journal may have replaced
    /// them.
    pub fn ledger(&self) -> &Ledger {
        &self.ledger
    }
}
