//! The state that all connections share.

use std::convert::Infallible;
use std::path::Path;
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crossbeam_channel::Receiver;
use parking_lot::Mutex;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::assets::Assets;
use crate::door::{Access, Door, Invitation};
use crate::games::{GameInfo, recorded_games};
use crate::limits::Limits;
use crate::lobby::{HostedTable, Lobby};
use crate::{Host, Settings, Wish};

/// Least time between two searches for the ledger of a guest's link.
const SEARCH_PAUSE: Duration = Duration::from_secs(60);

/// State shared by all connections.
pub(crate) struct ServerState {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) access: Arc<Access>,
    /// Held while the guests' links are stored.
    pub(crate) keeping: Mutex<()>,
    pub(crate) lobby: Arc<Lobby>,
    pub(crate) settings: Settings,
    pub(crate) limits: Limits,
    /// Address at which guests reach the server.
    pub(crate) guest_door: Arc<Door>,
    pub(crate) assets: Assets,
    pub(crate) games: OnceLock<Box<RawValue>>,
    pub(crate) recorded: OnceLock<Value>,
    /// Game for the first page, which takes it.
    pub(crate) start: Mutex<Option<Wish>>,
    /// Result of the match, set at its end.
    pub(crate) match_end: OnceLock<String>,
    /// Disconnected when the server ends.
    pub(crate) end: Receiver<Infallible>,
    /// Free places for pages: of the host, and of guests.
    pub(crate) host_tabs: Arc<Semaphore>,
    pub(crate) guest_tabs: Arc<Semaphore>,
}

impl ServerState {
    /// Returns the descriptions of the games as JSON. They contain drawn boards, so they are made in the background and
    /// formatted once for all pages.
    pub(crate) fn games(&self) -> &RawValue {
        let all = || to_raw_value(&GameInfo::all(self.host.as_ref())).expect("it is plain data");
        self.games.get_or_init(all)
    }

    /// Returns a table, which is opened again from its ledger if it is closed; `None` if this folder has none. The
    /// page of a match opens no table.
    ///
    /// # Errors
    /// The table cannot be opened; the text is for the host.
    pub(crate) fn table(&self, id: &str) -> Result<Option<Arc<HostedTable>>, String> {
        let open = self.lobby.find(|hosted| hosted.id == id);
        if open.is_some() || self.settings.source.is_some() {
            return Ok(open);
        }
        let ledger = self.host.ledger(id);
        ledger.map(|ledger| self.resume(&ledger, false)).transpose()
    }

    /// Returns the table of a guest's link as [`table`](ServerState::table) does. A search reads all ledgers, so one that
    /// found nothing is not repeated at once.
    ///
    /// # Errors
    /// The table cannot be opened; the text is for the host.
    pub(crate) fn table_of(&self, link: &Invitation) -> Result<Option<Arc<HostedTable>>, String> {
        let missed = *link.missed.lock();
        if missed.is_some_and(|at| at.elapsed() < SEARCH_PAUSE) {
            return Ok(self.lobby.find(|hosted| hosted.id == link.table));
        }
        let found = self.table(&link.table)?;
        *link.missed.lock() = found.is_none().then(Instant::now);
        Ok(found)
    }

    /// Returns the table of a ledger, which is opened if it is closed.
    ///
    /// # Errors
    /// The table cannot be opened; the text is for the host.
    pub(crate) fn resume(
        &self,
        ledger: &Path,
        is_trusted: bool,
    ) -> Result<Arc<HostedTable>, String> {
        self.lobby.one_at_a_time(ledger, || {
            if let Some(hosted) = self.lobby.of_ledger(ledger) {
                return Ok(hosted);
            }
            self.lobby.make_room()?;
            let paused = self.host.resume(ledger, is_trusted)?;
            let plan = &paused.setup.plan;
            let plan = (plan.id.clone(), plan.game.clone());
            let table = table::resume(paused).map_err(|error| error.to_string())?;
            self.lobby.add(plan, Some(ledger), table)
        })
    }

    /// Stores the guests' links.
    pub(crate) fn keep_links(&self) {
        let _in_order = self.keeping.lock();
        self.host.keep_links(&self.access.links());
    }

    /// Returns the recorded games of the lobby, which are replayed once for all pages.
    pub(crate) fn recorded(&self) -> &Value {
        let all = || json!({ "games": recorded_games(self.host.registry()) });
        self.recorded.get_or_init(all)
    }
}
