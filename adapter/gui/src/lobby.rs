//! The tables of a server. A table without a page is kept for a short time, so that a page can be reloaded; then its
//! engines end. The game remains in its ledger, from which the table is opened again with the same id.

use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use parking_lot::{Condvar, Mutex};
use record::game_spec::GameSpec;
use serde::Serialize;
use table::{OpenTable, TableHandle, new_id};

use crate::door::Access;

/// Timeout for another page that opens a table.
const OPEN_TIMEOUT: Duration = Duration::from_secs(60);

/// The open tables.
pub(crate) struct Lobby {
    pub(crate) access: Arc<Access>,
    pub(crate) grace: Duration,
    /// With the keeper of each, the oldest first.
    pub(crate) tables: Mutex<Vec<(Arc<HostedTable>, JoinHandle<()>)>>,
    pub(crate) max_tables: usize,
    pub(crate) is_stopped: AtomicBool,
    /// Ledgers whose tables are being opened.
    pub(crate) opening: Mutex<HashSet<PathBuf>>,
    /// Notified when one of them is open.
    pub(crate) opened: Condvar,
}

/// A table of this server.
pub(crate) struct HostedTable {
    /// The id of its plan, which is also in its ledger.
    pub(crate) id: String,
    pub(crate) game: GameSpec,
    pub(crate) handle: TableHandle,
    /// Path of the ledger, once it exists.
    pub(crate) ledger: OnceLock<PathBuf>,
    presence: Mutex<Presence>,
    /// Notified of each change of the presence.
    changed: Condvar,
}

/// The pages of a table, which closes without any.
#[derive(Default)]
struct Presence {
    /// Number of pages at the table.
    n_pages: usize,
    is_ended: bool,
}

/// Description of a table for the lobby.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct TableInfo {
    table: String,
    title: String,
    game: GameSpec,
}

impl Lobby {
    /// Makes room for a table by ending the oldest one without pages, if necessary.
    ///
    /// # Errors
    /// All tables have pages, or too many are still ending.
    pub(crate) fn make_room(&self) -> Result<(), String> {
        let max = self.max_tables;
        if self.tables.lock().len() >= 2 * max {
            return Err("too many tables are being closed: wait a moment".to_owned());
        }
        let open = self.open();
        if open.len() < max {
            return Ok(());
        }
        let unseen = open.iter().find(|table| table.presence.lock().n_pages == 0);
        let too_many = || match max {
            1 => "a table is open: close its page first".to_owned(),
            n => format!("{n} tables are open: close the page of one first"),
        };
        unseen.map(|table| table.end()).ok_or_else(too_many)
    }

    /// The open tables, the oldest first.
    fn open(&self) -> Vec<Arc<HostedTable>> {
        let tables = self.tables.lock();
        let open = tables.iter().filter(|(table, _)| table.is_open());
        open.map(|(table, _)| Arc::clone(table)).collect()
    }

    /// Runs `open`, which opens the table of a ledger. Waits while another page opens that one.
    ///
    /// # Errors
    /// The other page takes too long.
    pub(crate) fn one_at_a_time<T>(
        &self,
        ledger: &Path,
        open: impl FnOnce() -> Result<T, String>,
    ) -> Result<T, String> {
        let ledger = canonical(ledger);
        let mut opening = self.opening.lock();
        let is_opening = |opening: &mut HashSet<PathBuf>| opening.contains(&ledger);
        let waited = (self.opened).wait_while_for(&mut opening, is_opening, OPEN_TIMEOUT);
        if waited.timed_out() {
            return Err("Another page is opening this game. Wait a moment.".to_owned());
        }
        opening.insert(ledger.clone());
        drop(opening);
        let _opening = Opening {
            lobby: self,
            ledger,
        };
        open()
    }

    /// Adds an open table with the id of its plan, and starts its keeper thread. A table gets another id if a copy of its
    /// ledger is in use.
    ///
    /// # Errors
    /// The thread cannot be started, or the server is stopping.
    pub(crate) fn add(
        self: &Arc<Lobby>,
        (plan_id, game): (String, GameSpec),
        ledger: Option<&Path>,
        table: OpenTable,
    ) -> Result<Arc<HostedTable>, String> {
        let is_free = !plan_id.is_empty() && self.find(|other| other.id == plan_id).is_none();
        let hosted = Arc::new(HostedTable {
            id: if is_free { plan_id } else { new_id() },
            game,
            handle: table.handle.clone(),
            ledger: ledger.map_or_else(OnceLock::new, |path| path.to_owned().into()),
            presence: Mutex::default(),
            changed: Condvar::new(),
        });
        // The lock is held until the table is inserted, so that its keeper cannot remove it before.
        let mut tables = self.tables.lock();
        if self.is_stopped.load(Ordering::Acquire) {
            return Err("the program is shutting down".to_owned());
        }
        let thread = thread::Builder::new().name("keeper".to_owned());
        let (lobby, kept) = (Arc::clone(self), Arc::clone(&hosted));
        let keeper = thread.spawn(move || lobby.keep(&kept, table));
        let keeper = keeper.map_err(|error| format!("cannot start a thread: {error}"))?;
        tables.push((Arc::clone(&hosted), keeper));
        Ok(hosted)
    }

    /// Ends a table on request, or after some time without a page. Its links lead to its ledger, if there is one.
    fn keep(&self, hosted: &Arc<HostedTable>, table: OpenTable) {
        let mut presence = hosted.presence.lock();
        while !presence.is_ended {
            if presence.n_pages > 0 {
                hosted.changed.wait(&mut presence);
            } else {
                let waited = hosted.changed.wait_for(&mut presence, self.grace);
                presence.is_ended |= waited.timed_out() && presence.n_pages == 0;
            }
        }
        drop(presence);
        table.handle.stop();
        // The clients have received the reason of a failure.
        let _ = table.join();
        if hosted.ledger.get().is_none() {
            self.access.revoke(|link| link.table == hosted.id);
        }
        let mut tables = self.tables.lock();
        tables.retain(|(table, _)| !Arc::ptr_eq(table, hosted));
    }

    /// Returns an open table.
    pub(crate) fn find(&self, is_it: impl Fn(&HostedTable) -> bool) -> Option<Arc<HostedTable>> {
        self.open().into_iter().find(|table| is_it(table))
    }

    /// Returns the open table that writes this ledger.
    pub(crate) fn of_ledger(&self, ledger: &Path) -> Option<Arc<HostedTable>> {
        let same = |path: &PathBuf| canonical(path) == canonical(ledger);
        self.find(|table| table.ledger.get().is_some_and(same))
    }

    /// Lists open tables.
    pub(crate) fn list(&self, is_wanted: impl Fn(&HostedTable) -> bool) -> Vec<TableInfo> {
        let open = self.open().into_iter().filter(|table| is_wanted(table));
        open.map(|table| TableInfo {
            table: table.id.clone(),
            title: table.game.to_string(),
            game: table.game.clone(),
        })
        .collect()
    }

    /// Ends all tables, and waits until their engines have ended or are killed.
    pub(crate) fn stop(&self) {
        let kept = {
            let mut tables = self.tables.lock();
            self.is_stopped.store(true, Ordering::Release);
            std::mem::take(&mut *tables)
        };
        kept.iter().for_each(|(table, _)| table.end());
        for (_, keeper) in kept {
            // Nothing is left to do for a keeper that panicked.
            let _ = keeper.join();
        }
    }
}

/// A ledger whose table is being opened, until this is dropped: also by a panic.
struct Opening<'a> {
    lobby: &'a Lobby,
    ledger: PathBuf,
}

impl Drop for Opening<'_> {
    fn drop(&mut self) {
        self.lobby.opening.lock().remove(&self.ledger);
        self.lobby.opened.notify_all();
    }
}

/// The path of a ledger that is the same by all names.
fn canonical(ledger: &Path) -> PathBuf {
    ledger.canonicalize().unwrap_or_else(|_| ledger.to_owned())
}

impl HostedTable {
    /// Counts a page at the table until the returned guard is dropped.
    pub(crate) fn visit(self: &Arc<HostedTable>) -> ViewerGuard {
        self.change(|presence| presence.n_pages += 1);
        ViewerGuard(Arc::clone(self))
    }

    fn change(&self, change: impl FnOnce(&mut Presence)) {
        change(&mut self.presence.lock());
        self.changed.notify_one();
    }

    fn is_open(&self) -> bool {
        !self.presence.lock().is_ended
    }

    /// Ends the table.
    pub(crate) fn end(&self) {
        self.change(|presence| presence.is_ended = true);
    }
}

/// Guard that counts a page at a table.
pub(crate) struct ViewerGuard(pub(crate) Arc<HostedTable>);

impl Drop for ViewerGuard {
    fn drop(&mut self) {
        self.0.change(|presence| presence.n_pages -= 1);
    }
}
