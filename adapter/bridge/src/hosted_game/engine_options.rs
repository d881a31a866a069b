//! Options of a bridge's engine.

use protocol::{OptionDecl, OptionKind};
use referee::player::{EngineConfig, EnginePlayer};

use super::table_setup::table_setup;
use crate::{BridgeError, BridgeSetup};

/// Options that are not the user's: a bridge does not ponder, and sets the number of lines itself.
const OWN: [&str; 2] = ["Ponder", "MultiPV"];

/// Starts the engine of a setup once, and returns the options with a value that it declares, except those of the board.
/// The default of an option that the user has set is the user's value.
///
/// # Errors
/// The engine does not start.
pub(crate) fn engine_options(setup: &BridgeSetup) -> Result<Vec<OptionDecl>, BridgeError> {
    let rules = setup.rules()?;
    let plan = table_setup(setup).plan;
    let config = EngineConfig::new(&setup.engine, &plan, Some(&rules), &setup.host);
    let declared = EnginePlayer::declarations(config);
    let declared = declared.map_err(|fault| BridgeError::Engine(fault.to_string()))?;
    let of_board = rules.options();
    let is_offered = |option: &OptionDecl| {
        option.kind != OptionKind::Button
            && !of_board.has(&option.name)
            && !OWN.iter().any(|own| option.name.eq_ignore_ascii_case(own))
    };
    let chosen = &setup.engine.options;
    let options = declared.into_iter().filter(is_offered).map(|mut option| {
        let own = chosen.iter().rev();
        let mut own = own.filter(|(name, _)| name.eq_ignore_ascii_case(&option.name));
        if let Some((_, Some(value))) = own.next() {
            set_default(&mut option.kind, value);
        }
        option
    });
    Ok(options.collect())
}

/// Replaces the default by a value that the engine accepts.
fn set_default(kind: &mut OptionKind, value: &str) {
    match kind {
        OptionKind::Check { default } => *default = value.eq_ignore_ascii_case("true"),
        OptionKind::Spin { default, .. } => *default = value.parse().unwrap_or(*default),
        OptionKind::Combo { default, .. } | OptionKind::String { default } => {
            value.clone_into(default);
        }
        OptionKind::Button => {}
    }
}
