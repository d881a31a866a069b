//! Settings of a new table.

use std::sync::Arc;
use std::time::Duration;

use crate::model::{SeatId, SideAuto};
use crate::token::Secret;
use record::engine_spec::EngineSpec;
use record::ledger::{BegunHere, SyncPolicy};
use record::plan::Plan;
use referee::host::Host;

use crate::adaptive::Ratings;
use crate::journal::Journal;

/// Settings that [`open`](super::open) needs.
#[derive(Debug, Clone)]
pub struct TableSetup {
    /// The game, the players of both sides, the opening, and the path of the ledger.
    pub plan: Plan,
    /// The built-in engine that moves for a person on request, and serves hints, analyses and reviews.
    pub helper: EngineSpec,
    /// The game so far; if `None`, the game starts from the plan's first opening.
    pub game: Option<Journal>,
    /// The seats that are kept for guests. Persons' other seats belong to the host.
    pub guests: Vec<SeatId>,
    /// Store the guests' seats in the journal, for [`resume`](super::resume).
    pub keeps_guests: bool,
    /// The seats whose tokens were replaced, once for each time. Tokens are derived from the secret, so that they remain
    /// valid for [`resume`](super::resume).
    pub renewed_tokens: Vec<SeatId>,
    /// The seats that engines play initially, indexed by side; if `None`, those that the plan gives to engines.
    pub auto: Option<[SideAuto; 2]>,
    /// Write a ledger. If `false`, the table writes only the plan's PGN file, if there is one.
    pub keeps_ledger: bool,
    /// Choose another name for the ledger if the plan's file exists. If `false`, that is an error.
    pub may_rename_ledger: bool,
    /// Restart an engine that crashes in its turn, instead of letting it lose the game.
    pub restarts_engines: bool,
    /// Begin with a level that follows the person's results.
    pub is_adaptive: bool,
    /// The store of the person's ratings; without it, no level follows them.
    pub ratings: Option<Arc<dyn Ratings>>,
    /// Time in each game for which the absence of a guest stops the clocks.
    pub reconnect: Duration,
    /// Sync policy of the ledger.
    pub sync: SyncPolicy,
    /// The user's secret, from which the tokens of guests' seats are derived; if `None`, they are random.
    pub secret: Option<Secret>,
    /// The list to which the ledgers are added; `None` if they are not listed.
    pub begun_here: Option<BegunHere>,
    /// The services that the program provides.
    pub host: Host,
}

impl TableSetup {
    /// A table of this plan, with a new game and the usual settings.
    pub fn new(plan: Plan, helper: EngineSpec, host: Host) -> TableSetup {
        TableSetup {
            plan,
            helper,
            game: None,
            guests: Vec::new(),
            keeps_guests: false,
            renewed_tokens: Vec::new(),
            auto: None,
            keeps_ledger: true,
            may_rename_ledger: false,
            restarts_engines: false,
            is_adaptive: false,
            ratings: None,
            reconnect: Duration::ZERO,
            sync: SyncPolicy::default(),
            secret: None,
            begun_here: None,
            host,
        }
    }
}
