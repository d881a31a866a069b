//! The state that all connections share.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use crossbeam_channel::Receiver;
use parking_lot::Mutex;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use tokio::sync::Semaphore;

use crate::assets::Assets;
use crate::door::{Access, Door};
use crate::games::{GameInfo, recorded_games};
use crate::limits::Limits;
use crate::lobby::Lobby;
use crate::{Host, Settings, Wish};

/// State shared by all connections.
pub(crate) struct ServerState {
    pub(crate) host: Arc<dyn Host>,
    pub(crate) access: Arc<Access>,
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

    /// Returns the recorded games of the lobby, which are replayed once for all pages.
    pub(crate) fn recorded(&self) -> &Value {
        let all = || json!({ "games": recorded_games(self.host.registry()) });
        self.recorded.get_or_init(all)
    }
}
