//! Setup of a bridge's table.

use std::path::PathBuf;

use record::clock::Limit;
use record::date::today;
use record::engine_spec::{EngineSpec, Program, Proto, Restart};
use record::ledger::SyncPolicy;
use record::plan::{Plan, new_plan_id};
use table::{GuestLimits, TableSetup};

use crate::BridgeSetup;

/// Two seats for people, without a ledger. The engine moves for them on request.
pub(super) fn table_setup(setup: &BridgeSetup) -> TableSetup {
    let seats = [(); 2].map(|()| vec![person()]);
    let plan = Plan {
        id: new_plan_id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: today(),
        search_timeout_ms: setup.search_timeout_ms,
        ..Plan::one_game(setup.game.clone(), seats, PathBuf::new())
    };
    TableSetup {
        plan,
        helper: setup.engine.clone(),
        game: None,
        guests: Vec::new(),
        listen: None,
        auto: None,
        keeps_ledger: false,
        may_rename_ledger: false,
        restarts_engines: false,
        guest_limits: GuestLimits::default(),
        sync: SyncPolicy::Off,
        key: None,
        host: setup.host.clone(),
    }
}

/// The GUI's seat. It has no clock, because the GUI keeps its own.
fn person() -> EngineSpec {
    EngineSpec {
        name: None,
        program: Program::Person,
        proto: Proto::default(),
        limit: Limit::Unlimited,
        margin_ms: 0,
        ponder: false,
        options: Vec::new(),
        restart: Restart::default(),
        stderr: None,
    }
}
