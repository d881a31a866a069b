//! Settings of a new table, and of one whose ledger is locked and read, but which is not running yet.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use record::engine_spec::EngineSpec;
use record::game_spec::GameSpec;
use record::ledger::{BegunHere, Ledger, LedgerWriter, MemoryLedger, SyncPolicy};
use record::plan::{Plan, new_plan_id};
use record::registry::Registry;
use referee::date::today;
use referee::host::Host;

use crate::error::TableError;
use crate::journal::{Journal, SavedTable, open_table};
use crate::level::Ratings;
use crate::model::{SeatId, SideAuto};
use crate::token::Secret;

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
    /// Pause before each move where engines play both sides.
    pub pace: Duration,
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

/// The plan of a new game at a table.
pub fn new_plan(
    game: GameSpec,
    players: [Vec<EngineSpec>; 2],
    ledger: PathBuf,
    registry: Registry,
) -> Plan {
    Plan {
        id: new_plan_id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: today(),
        rules: registry.rules_spec(&game.name),
        ..Plan::one_game(game, players, ledger)
    }
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
            pace: Duration::ZERO,
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

/// A table that [`resume`](super::resume) can open. Until then, no engine runs and the file is unchanged.
#[derive(Debug)]
pub struct PausedTable {
    /// The settings from the ledger; players, limits and guests may be changed.
    pub setup: TableSetup,
    pub(super) resumed: Resumed,
}

/// The ledger that a table continues.
#[derive(Debug)]
pub(super) struct Resumed {
    pub(super) ledger: Ledger,
    pub(super) writer: LedgerWriter,
    /// The guests' seats of the journal.
    pub(super) guests: Vec<SeatId>,
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
        let file = Box::new(lines.clone());
        let writer = LedgerWriter::new(path, file, SyncPolicy::Off);
        PausedTable::of(saved, writer, path, host)
    }

    fn of(
        saved: SavedTable,
        writer: LedgerWriter,
        path: &Path,
        host: Host,
    ) -> Result<PausedTable, TableError> {
        let (Some(helper), Some(journal)) = (saved.helper, saved.journal) else {
            return Err(TableError::Unsuitable(
                "the ledger of a match: linesman match --resume continues it".to_owned(),
            ));
        };
        let mut plan = saved.ledger.plan.clone();
        path.clone_into(&mut plan.ledger);
        plan.set_sides(saved.sides);
        let setup = TableSetup {
            game: Some(journal),
            guests: saved.guests.clone(),
            auto: saved.auto,
            renewed_tokens: saved.renewed_tokens,
            ..TableSetup::new(plan, helper, host)
        };
        let resumed = Resumed {
            ledger: saved.ledger,
            writer,
            guests: saved.guests,
        };
        Ok(PausedTable { setup, resumed })
    }

    /// The contents of the ledger. Its plan has the players that the table began with; the journal may have replaced
    /// them.
    pub fn ledger(&self) -> &Ledger {
        &self.resumed.ledger
    }
}
