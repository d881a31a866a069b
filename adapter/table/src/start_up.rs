//! Data for opening the game once the engines have started.

use record::ledger::{Ledger, LedgerWriter, SyncPolicy};
use record::table::SeatId;

use crate::journal::Journal;

/// Data for opening the game once the engines have started.
pub(super) struct StartUp {
    pub(super) journal: Journal,
    pub(super) records: RecordsPlan,
    /// The seats kept for guests, if the journal does not say so yet.
    pub(super) new_guests: Option<Vec<SeatId>>,
}

pub(super) enum RecordsPlan {
    New {
        sync: SyncPolicy,
        keeps_ledger: bool,
        may_rename: bool,
    },
    Resumed(Box<Ledger>, LedgerWriter),
}
