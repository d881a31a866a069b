//! Selects the options that are sent to an engine.

use kit::Options;
use protocol::OptionDecl;
use record::engine_spec::{EngineSpec, Program, SetOption};
use record::registry::Rules;

/// The option of the built-in engines that names a file or a folder of tables. The user's folder is set for all games.
pub const TABLE_PATH: &str = "TablePath";

/// Returns the options to send: those of the game that the engine declares, then those of the user.
///
/// # Errors
/// If the engine rejects an option. The text names it and what was expected.
pub fn choose_options(
    rules: Option<&Rules>,
    spec: &EngineSpec,
    declared: &[OptionDecl],
) -> Result<Vec<SetOption>, String> {
    let mut known = Options::new(declared.to_vec());
    let mut chosen = Vec::new();
    if let Some(rules) = rules {
        refuse_board_options(rules, &spec.options)?;
        chosen = game_options(rules, &mut known)?;
    }
    if spec.ponder && known.has("Ponder") {
        chosen.push(("Ponder".to_owned(), Some("true".to_owned())));
    }
    for (name, value) in spec
        .options
        .iter()
        .filter(|option| !is_spare(rules, spec, option))
    {
        known
            .set(name, value.as_deref())
            .map_err(|error| format!("option.{name}: {error}"))?;
        chosen.push((name.clone(), value.clone()));
    }
    Ok(chosen)
}

/// `true` for the folder of tables of a built-in engine that plays by the rules of a program: it has none to read.
fn is_spare(rules: Option<&Rules>, spec: &EngineSpec, (name, _): &SetOption) -> bool {
    spec.program == Program::Builtin
        && rules.is_some_and(Rules::are_of_program)
        && name.eq_ignore_ascii_case(TABLE_PATH)
}

/// Rejects user options that belong to the board. They are set with the game, for all engines, because otherwise one
/// engine would play by different rules.
fn refuse_board_options(rules: &Rules, options: &[SetOption]) -> Result<(), String> {
    let board = Options::new(rules.entry().source.options());
    let Some((name, value)) = options.iter().find(|(name, _)| board.has(name)) else {
        return Ok(());
    };
    let (game, value) = (rules.entry().name, value.as_deref().unwrap_or_default());
    Err(format!(
        "option.{name}: an option of the board: expected it with the game, {game}:{name}={value}"
    ))
}

fn game_options(rules: &Rules, known: &mut Options) -> Result<Vec<SetOption>, String> {
    let defaults = Options::new(rules.entry().source.options());
    let mut chosen = Vec::new();
    for (name, value) in rules.options().values() {
        let default = defaults.text(name);
        if known.has(name) {
            known
                .set(name, Some(value))
                .map_err(|error| error.to_string())?;
            chosen.push((name.to_owned(), Some(value.to_owned())));
        } else if default != value {
            return Err(format!(
                "it has no option {name}: expected a game with {name}={default}"
            ));
        }
    }
    Ok(chosen)
}
