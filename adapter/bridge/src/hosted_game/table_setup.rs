//! Setup of a bridge's table.

use std::path::PathBuf;

use record::date::today;
use record::engine_spec::{EngineSpec, Program};
use record::ledger::SyncPolicy;
use record::outputs::{Outputs, PgnComments};
use record::plan::{Plan, new_plan_id};
use table::TableSetup;

use crate::BridgeSetup;

/// Two seats for people, without a ledger. The engine moves for them on request.
pub(super) fn table_setup(setup: &BridgeSetup) -> TableSetup {
    // The seats have no clock, because the GUI keeps its own.
    let seats = [(); 2].map(|()| vec![EngineSpec::new(Program::Person)]);
    let plan = Plan {
        id: new_plan_id(),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: today(),
        search_timeout_ms: setup.search_timeout_ms,
        outputs: Outputs {
            // The line of each move is sent to the GUI.
            pgn_comments: PgnComments {
                pv: true,
                ..PgnComments::default()
            },
            ..Outputs::default()
        },
        ..Plan::one_game(setup.game.clone(), seats, PathBuf::new())
    };
    TableSetup {
        keeps_ledger: false,
        sync: SyncPolicy::Off,
        ..TableSetup::new(plan, setup.engine.clone(), setup.host.clone())
    }
}
