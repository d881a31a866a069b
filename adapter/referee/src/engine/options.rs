//! Selects the options that are sent to an engine.

use kit::Options;
use kit::session::{SEED, errs_at_random};
use protocol::{OptionDecl, OptionKind};
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
        "option.{name}: an option of the board: write it with the game, {game}:{name}={value}"
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
                "it has no option {name} and plays only games with {name}={default}"
            ));
        }
    }
    Ok(chosen)
}

/// Sets an option in a list, in place of an earlier value.
pub(super) fn replace_option(options: &mut Vec<SetOption>, option: SetOption) {
    options.retain(|(known, _)| !known.eq_ignore_ascii_case(&option.0));
    options.push(option);
}

/// The option `Seed` for the game that begins; its default if only an earlier game needed a seed (`is_seeded`).
pub(super) fn seed_option(
    seed: u64,
    set: &[SetOption],
    declared: &[OptionDecl],
    is_seeded: &mut bool,
) -> Option<SetOption> {
    if set.iter().any(|(name, _)| name.eq_ignore_ascii_case(SEED)) {
        return None;
    }
    let mut options = Options::new(declared.to_vec());
    for (name, value) in set {
        // The engine's handshake has accepted them, or reported them.
        let _ = options.set(name, value.as_deref());
    }
    let mut known = declared.iter();
    let decl = known.find(|decl| decl.name.eq_ignore_ascii_case(SEED))?;
    let OptionKind::Spin { default, min, max } = decl.kind else {
        return None;
    };
    let value = match errs_at_random(&options) {
        true => in_range(seed, min.max(1), max)?,
        false if *is_seeded => default,
        false => return None,
    };
    *is_seeded = value != default;
    Some((decl.name.clone(), Some(value.to_string())))
}

/// A number of this range that depends on the seed; `None` if the range is empty.
fn in_range(seed: u64, min: i64, max: i64) -> Option<i64> {
    let n_others = u64::try_from(max.checked_sub(min)?).ok()?;
    let above = seed % n_others.checked_add(1)?;
    min.checked_add(i64::try_from(above).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record_testing::{rules, spec};

    #[test]
    fn a_board_option_for_one_engine_is_refused() {
        let mut bad = spec("A");
        bad.options = vec![("Heaps".to_owned(), Some("3".to_owned()))];
        let why = choose_options(Some(&rules()), &bad, &[]).expect_err("it is the board's");
        assert!(
            why.ends_with("write it with the game, nim:Heaps=3"),
            "{why}"
        );
    }
}
