//! Data for opening the game once the engines have started.

use record::ledger::{Ledger, LedgerWriter, SyncPolicy};

use crate::journal::{Entrance, Journal};

/// Data for opening the game once the engines have started.
pub(super) struct StartUp {
    pub(super) journal: Journal,
    pub(super) records: RecordsPlan,
    /// Settings for guests that the journal does not contain yet.
    pub(super) entrance: Option<Entrance>,
}

pub(super) enum RecordsPlan {
    New {
        sync: SyncPolicy,
        keeps_ledger: bool,
        may_rename: bool,
    },
    Resumed(Box<Ledger>, LedgerWriter),
}
