//! Games whose rules are programs: of `--rules`, of the engines file, and of ledgers.

use std::path::Path;

use kit::GameEntry;
use record::engine_spec::Program;
use record::game_spec::RulesSpec;
use record::plan::Plan;
use record::registry::Registry;
use referee::engine::Timeouts;
use referee::rules_program::{self, FLAG};

use crate::args::RulesContext;
use crate::config::EnginesFile;
use crate::engines::words::{OF_FIRST_ENGINE, Words};
use crate::records::source::{self, Opened};
use crate::records::trust;
use crate::usage::{Done, refuse, trouble, usage, warn};

/// Adds the games of the engines file at the end of the registry, and that of `--rules` at its beginning. Either replaces
/// another game of its name.
///
/// # Errors
/// A word is wrong, or the program of `--rules` does not start.
pub fn extend(
    registry: Registry,
    words: Option<&[String]>,
    command: RulesContext<'_>,
) -> Done<Registry> {
    let timeouts = command.timeouts.into();
    let file = EnginesFile::new(command.engines_file);
    let registry = registry.with(file.games(|words| entry("[[game]]", words, timeouts))?);
    let Some(words) = words else {
        return match command.records {
            Some(path) => of_records(registry, path),
            None => Ok(registry),
        };
    };
    let words = match words {
        [word] if word == OF_FIRST_ENGINE => command_of_engine(command)?,
        words => words.to_vec(),
    };
    Ok(registry.led_by(entry(FLAG, read(FLAG, &words)?, timeouts)?))
}

/// The words of the program of the first engine that is one.
fn command_of_engine(command: RulesContext<'_>) -> Done<Vec<String>> {
    let has = |word: &str, keys: &[&str]| keys.iter().any(|key| word.starts_with(key));
    let mut engines = command.engines.iter().map(|engine| &engine.0);
    let words = engines.find(|words| words.iter().any(|word| has(word, &["cmd="])));
    let why = "engine: no engine of the match is a program: name one with cmd=PATH";
    let words = words.ok_or_else(|| usage(FLAG, why))?.iter();
    let of_program = words.filter(|word| has(word, &["cmd=", "arg=", "dir="]));
    Ok(of_program.cloned().collect())
}

/// Reads the words of `--rules`.
fn read(flag: &str, words: &[String]) -> Done<Words> {
    for word in words {
        let key = word.split('=').next().unwrap_or_default();
        if !["cmd", "arg", "dir", "name"].contains(&key) && !key.starts_with("option.") {
            let expected = "cmd=PATH, arg=WORD, dir=PATH, name=GAME, option.NAME=VALUE or engine";
            return refuse!("{flag}: {word}: the words are {expected}");
        }
    }
    Words::read_plain(flag, words)
}

/// The entry of a game by the words of its program. Without `name=`, the program is started and names its game.
fn entry(flag: &'static str, words: Words, timeouts: Timeouts) -> Done<GameEntry> {
    let spec = words.spec(flag, &Words::default())?;
    let entry = rules_program::entry(spec.name.as_deref(), &spec.program, &spec.options, timeouts);
    entry.map_err(|why| match spec.program {
        Program::Command { .. } => trouble(flag, why),
        _ => usage(flag, why),
    })
}

/// The registry with its first game, whose rules are a program, by new processes.
pub(crate) fn again(registry: Registry) -> Done<Registry> {
    let words = registry.games().first().map_or(&[][..], |entry| entry.args);
    let words = words.strip_prefix(&[FLAG.to_owned()]).unwrap_or(words);
    Ok(registry.led_by(entry(
        FLAG,
        read(FLAG, words)?,
        Timeouts::of_ms(10_000, 5_000),
    )?))
}

/// The program of a plan's rules, unless the registry has one of this game. A compiled game of the same name has other rules
/// and another built-in engine.
fn unknown_rules(registry: Registry, plan: &Plan) -> Option<&RulesSpec> {
    let known = registry.find(&plan.game.name);
    let is_known = known.is_ok_and(GameEntry::is_of_program);
    plan.rules.as_ref().filter(|_| !is_known)
}

/// Adds the game of a ledger that was begun on this machine. For another one, a note says how its rules are run.
fn of_records(registry: Registry, path: &Path) -> Done<Registry> {
    let Ok(Opened::Ledger(reader)) = source::open(path) else {
        return Ok(registry);
    };
    let ledger = &reader.ledger;
    let plan = &ledger.plan;
    let Some(rules) = unknown_rules(registry, plan) else {
        return Ok(registry);
    };
    if trust::is_begun_here(&ledger.plan_line) {
        return of_plan(registry, plan, path, false);
    }
    let (file, words) = (path.display(), rules.words.join(" "));
    warn(&format!(
        "note: {file} was not begun on this machine: --rules {words:?} would run its rules"
    ));
    Ok(registry)
}

/// Adds the game of a ledger to the registry, unless `--rules` or the engines file gives its rules. The program is not
/// started yet.
///
/// # Errors
/// The program has changed since the match began, and is not trusted.
pub(crate) fn of_plan(
    registry: Registry,
    plan: &Plan,
    ledger: &Path,
    is_trusted: bool,
) -> Done<Registry> {
    let Some(rules) = unknown_rules(registry, plan) else {
        return Ok(registry);
    };
    if rules.has_changed() && !is_trusted {
        let (ledger, words) = (ledger.display(), rules.words.join(" "));
        return refuse!(
            "{ledger}: {words} has changed since the match began: restore its files, or give --trust"
        );
    }
    let flag = "the rules of the ledger";
    let mut words = read(flag, &rules.words)?;
    words.name.get_or_insert_with(|| plan.game.name.clone());
    let timeouts = Timeouts::of_ms(plan.startup_ms, plan.ping_ms);
    Ok(registry.with([entry(flag, words, timeouts)?]))
}
