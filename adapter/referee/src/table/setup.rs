//! What a table begins with.

use std::net::SocketAddr;

use super::journal::{Entrance, Journal};
use super::seat_id::{SeatId, SideAuto};
use crate::plan::{EngineSpec, Plan};
use crate::record::SyncPolicy;
use crate::tournament::Host;

/// All that a new table needs.
#[derive(Debug, Clone)]
pub struct TableSetup {
    /// The game, the players of its two sides, the opening, and where the ledger goes.
    pub plan: Plan,
    /// The engine that plays a person's seat when it is told to, and gives hints.
    pub helper: EngineSpec,
    /// The game so far; where it is missing, the plan's first opening is played.
    pub game: Option<Journal>,
    /// Person's seats that are kept for guests. The others are the host's.
    pub guests: Vec<SeatId>,
    /// The address where guests come in, if they do. The table keeps it in the journal for whoever resumes the game.
    pub listen: Option<SocketAddr>,
    /// The seats that engines play at first, in the order of the sides; the plan's engines play if not given.
    pub auto: Option<[SideAuto; 2]>,
    /// Whether a ledger is kept. Without one, nothing is written but the plan's PGN file, if it names one.
    pub keeps_ledger: bool,
    /// Whether a new ledger gets another name where a file has that of the plan; otherwise that is an error.
    pub may_rename_ledger: bool,
    /// Whether an engine that dies in its turn is started again instead of losing the game.
    pub restarts_engines: bool,
    /// When the ledger is forced to the disk.
    pub sync: SyncPolicy,
    /// What the table needs of the program.
    pub host: Host,
}

impl TableSetup {
    /// What the journal keeps of the guests.
    pub(super) fn entrance(&self) -> Option<Entrance> {
        let seats = self.guests.clone();
        self.listen.map(|listen| Entrance { seats, listen })
    }
}
