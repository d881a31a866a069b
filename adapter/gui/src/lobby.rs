//! The tables of a server. A table without a page is kept for a short time, so that a page can be reloaded; then its
//! engines end. The game remains in its ledger.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use kit::Side;
use parking_lot::Mutex;
use record::game_spec::GameSpec;
use serde::Serialize;
use table::{OpenTable, TableHandle, new_id};

use crate::door::Access;

/// The open tables.
pub(crate) struct Lobby {
    access: Arc<Access>,
    grace: Duration,
    /// The oldest first.
    tables: Mutex<Vec<Kept>>,
    max_tables: usize,
    is_stopped: AtomicBool,
}

struct Kept {
    table: Arc<HostedTable>,
    keeper: JoinHandle<()>,
}

/// A table of this server.
pub(crate) struct HostedTable {
    pub(crate) id: String,
    pub(crate) game: GameSpec,
    pub(crate) handle: TableHandle,
    /// Names that the seats give to the players, by side.
    pub(crate) names: Mutex<[Option<String>; 2]>,
    /// Path of the ledger, once it exists.
    pub(crate) ledger: OnceLock<PathBuf>,
    n_visits: AtomicUsize,
    is_ended: AtomicBool,
    /// Wakes the keeper thread after a change of the two fields above.
    wake: Sender<()>,
}

/// Description of a table for the lobby.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TableInfo {
    table: String,
    title: String,
    game: GameSpec,
}

impl Lobby {
    pub(crate) fn new(access: Arc<Access>, grace: Duration, max_tables: usize) -> Lobby {
        Lobby {
            access,
            grace,
            max_tables,
            tables: Mutex::default(),
            is_stopped: AtomicBool::new(false),
        }
    }

    /// Makes room for a table by ending the oldest one without pages, if necessary.
    ///
    /// # Errors
    /// All tables have pages, or too many are still ending.
    pub(crate) fn make_room(&self) -> Result<(), String> {
        let tables = self.tables.lock();
        let open: Vec<&Arc<HostedTable>> = tables
            .iter()
            .map(|kept| &kept.table)
            .filter(|table| table.is_open())
            .collect();
        if tables.len() >= 2 * self.max_tables {
            return Err("too many tables are being closed: wait a moment".to_owned());
        }
        if open.len() < self.max_tables {
            return Ok(());
        }
        let unseen = open.into_iter().find(|table| !table.is_visited());
        let max = self.max_tables;
        let too_many = || match max {
            1 => "a table is open: close its page first".to_owned(),
            n => format!("{n} tables are open: close the page of one first"),
        };
        unseen.map(|table| table.end()).ok_or_else(too_many)
    }

    /// Adds an open table, and starts its keeper thread.
    ///
    /// # Errors
    /// The thread cannot be started, or the server is stopping.
    pub(crate) fn add(
        self: &Arc<Lobby>,
        game: GameSpec,
        names: [Option<String>; 2],
        table: OpenTable,
    ) -> Result<Arc<HostedTable>, String> {
        let (wake, woken) = bounded(1);
        let hosted = Arc::new(HostedTable {
            id: new_id(),
            game,
            handle: table.handle.clone(),
            names: Mutex::new(names),
            ledger: OnceLock::new(),
            n_visits: AtomicUsize::new(0),
            is_ended: AtomicBool::new(false),
            wake,
        });
        // The lock is held until the table is inserted, so that its keeper cannot remove it before.
        let mut tables = self.tables.lock();
        if self.is_stopped.load(Ordering::Acquire) {
            return Err("the program is shutting down".to_owned());
        }
        let thread = thread::Builder::new().name("keeper".to_owned());
        let (lobby, kept) = (Arc::clone(self), Arc::clone(&hosted));
        let keeper = thread.spawn(move || lobby.keep(&kept, &woken, table));
        let keeper = keeper.map_err(|error| format!("cannot start a thread: {error}"))?;
        let table = Arc::clone(&hosted);
        tables.push(Kept { table, keeper });
        Ok(hosted)
    }

    /// Ends a table on request, or after some time without a page.
    fn keep(&self, hosted: &HostedTable, woken: &Receiver<()>, table: OpenTable) {
        while hosted.is_open() {
            if hosted.is_visited() {
                // Blocks until woken: `hosted` keeps the sender alive.
                let _ = woken.recv();
            } else if woken.recv_timeout(self.grace) == Err(RecvTimeoutError::Timeout)
                && !hosted.is_visited()
            {
                hosted.is_ended.store(true, Ordering::Release);
            }
        }
        table.handle.stop();
        // The clients have received the reason of a failure.
        let _ = table.join();
        self.access.revoke(|link| link.table == hosted.id);
        let mut tables = self.tables.lock();
        tables.retain(|kept| kept.table.id != hosted.id);
    }

    /// Returns the open table with this id.
    pub(crate) fn find(&self, id: &str) -> Option<Arc<HostedTable>> {
        let tables = self.tables.lock();
        let mut open = tables.iter().map(|kept| &kept.table);
        let found = open.find(|table| table.id == id && table.is_open());
        found.cloned()
    }

    /// `true` if an open table writes this ledger.
    pub(crate) fn has_open(&self, ledger: &Path) -> bool {
        let same = |path: &PathBuf| path.canonicalize().ok() == ledger.canonicalize().ok();
        let tables = self.tables.lock();
        let mut open = tables.iter().map(|kept| &kept.table);
        open.any(|table| table.is_open() && table.ledger.get().is_some_and(same))
    }

    /// Lists the open tables.
    pub(crate) fn list(&self) -> Vec<TableInfo> {
        let tables = self.tables.lock();
        let open = tables.iter().map(|kept| &kept.table);
        open.filter(|table| table.is_open())
            .map(|table| table.info())
            .collect()
    }

    /// Ends all tables, and waits until their engines have ended or are killed.
    pub(crate) fn stop(&self) {
        let kept = {
            let mut tables = self.tables.lock();
            self.is_stopped.store(true, Ordering::Release);
            std::mem::take(&mut *tables)
        };
        kept.iter().for_each(|kept| kept.table.end());
        for kept in kept {
            // Nothing is left to do for a keeper that panicked.
            let _ = kept.keeper.join();
        }
    }
}

impl HostedTable {
    /// Counts a page at the table until the returned guard is dropped.
    pub(crate) fn visit(self: &Arc<HostedTable>) -> ViewerGuard {
        self.n_visits.fetch_add(1, Ordering::AcqRel);
        self.wake();
        ViewerGuard(Arc::clone(self))
    }

    fn is_open(&self) -> bool {
        !self.is_ended.load(Ordering::Acquire)
    }

    fn is_visited(&self) -> bool {
        self.n_visits.load(Ordering::Acquire) > 0
    }

    /// Ends the table.
    pub(crate) fn end(&self) {
        self.is_ended.store(true, Ordering::Release);
        self.wake();
    }

    pub(crate) fn info(&self) -> TableInfo {
        TableInfo {
            table: self.id.clone(),
            title: self.game.to_string(),
            game: self.game.clone(),
        }
    }

    /// Returns the name that the seat gives to the player of a side.
    pub(crate) fn name(&self, side: Side) -> Option<String> {
        self.names.lock()[side.index()].clone()
    }

    fn wake(&self) {
        // If the channel is full, the keeper is being woken already.
        let _ = self.wake.try_send(());
    }
}

/// Guard that counts a page at a table.
pub(crate) struct ViewerGuard(Arc<HostedTable>);

impl ViewerGuard {
    pub(crate) fn table(&self) -> &Arc<HostedTable> {
        &self.0
    }
}

impl Drop for ViewerGuard {
    fn drop(&mut self) {
        self.0.n_visits.fetch_sub(1, Ordering::AcqRel);
        self.0.wake();
    }
}
