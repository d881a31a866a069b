//! Derives the layout and the engine's name from a setup.

use record::engine_spec::Program;

use super::layout::{Layout, no_cells};
use crate::{BridgeError, BridgeSetup};

/// Returns the layout of a setup's game.
///
/// # Errors
/// The game does not fit XBoard.
pub fn layout_of(setup: &BridgeSetup) -> Result<Layout, BridgeError> {
    let game = &setup.game.name;
    let rules = setup.known_rules()?;
    let rules = rules.ok_or_else(|| BridgeError::Unsuitable(no_cells(game)))?;
    Layout::new(game, &rules.start().fen()).map_err(BridgeError::Unsuitable)
}

/// Returns the engine name for the GUI. It comes from the setup, because the engine has not reported its own name yet.
pub(super) fn engine_name(setup: &BridgeSetup) -> String {
    let program = match &setup.engine.program {
        Program::Command { path, .. } => path.file_name(),
        Program::Builtin | Program::Person => None,
    };
    let program = program.map(|name| name.to_string_lossy().into_owned());
    let own = || format!("Linesman {} {}", setup.game.name, env!("CARGO_PKG_VERSION"));
    setup.engine.name.clone().or(program).unwrap_or_else(own)
}
