//! `linesman pupil`: the record of an engine that learns by playing, and its training.

mod history;
mod train;

use std::fmt::Display;
use std::path::Path;
use std::process::ExitCode;

use history::Record;
use kit::DynEngine;
use kit::learn::{OnlineLearner, Pupil};
use record::opening::Opening;
use record::registry::{Registry, Rules};

use crate::args::{PupilArgs, PupilCommand};
use crate::game_name;
use crate::usage::{Failure, OrFail, refuse, usage};

/// Shows a record, or trains.
pub(crate) fn run(args: &PupilArgs, registry: Registry) -> Result<ExitCode, Failure> {
    match &args.command {
        Some(PupilCommand::Train(args)) => train::run(args, registry),
        None => history::run(&args.record, registry),
    }
}

/// Checks that an engine of this board can learn in this file. Returns a message about what the file knows.
pub(crate) fn check(rules: &Rules, path: &Path, registry: Registry) -> Result<String, Failure> {
    let engine = learner(rules, registry, "--learn")?;
    let told = match path.exists() {
        false => format!("{} is new: the engine knows nothing yet", path.display()),
        true => {
            // The engine opens the file too; the lock is free again until then.
            let opened = OnlineLearner::open(path, engine.n_inputs());
            drop(opened.or_trouble("--learn")?);
            let pupil = Pupil::read(path).or_trouble("--learn")?;
            format!("{}: {}", path.display(), Record::of(&pupil, None).summary())
        }
    };
    let counts = "The engine learns from each game that ends by the rules, by resignation or by an agreed draw.";
    Ok(format!("{told}\n{counts}"))
}

/// The engine of a board, if it can learn. Otherwise the failure begins with the file or the flag that names the board.
fn learner(
    rules: &Rules,
    registry: Registry,
    named_by: impl Display,
) -> Result<Box<dyn DynEngine>, Failure> {
    let engine = engine_of(rules)?;
    if engine.n_inputs() > 0 {
        return Ok(engine);
    }
    let name = rules.entry().name;
    let learns = |name: &&str| {
        let rules = self::rules(name, registry);
        rules.is_ok_and(|rules| engine_of(&rules).is_ok_and(|engine| engine.n_inputs() > 0))
    };
    let games = registry.games().iter().map(|entry| entry.name);
    let games: Vec<&str> = games.filter(learns).collect();
    refuse!(
        "{named_by}: {name} is played without a network, so its engine does not learn: expected one of {}",
        games.join(", ")
    )
}

/// The engine of a board.
fn engine_of(rules: &Rules) -> Result<Box<dyn DynEngine>, Failure> {
    rules.engine(&Opening::default()).or_usage("GAME")
}

/// The boards for which files without the name of a board were written: those with a built-in network.
fn boards_of_old_files(registry: Registry) -> impl Iterator<Item = Rules> {
    let names = registry.games().iter().map(|entry| entry.name);
    let boards = names.flat_map(|name| [name.to_owned(), format!("{name}:Size=4")]);
    let boards = boards.filter_map(move |name| rules(&name, registry).ok());
    boards.filter(|rules| engine_of(rules).is_ok_and(|engine| engine.network().is_some()))
}

/// The board of an existing file: the named one, that of its last game, or one whose network has the same number of inputs.
fn board(named: Option<&str>, pupil: &Pupil, registry: Registry) -> Result<Rules, Failure> {
    let recorded = &pupil.biography.board;
    if let Some(text) = named {
        return rules(text, registry);
    }
    if !recorded.is_empty() {
        return rules(&recorded.replacen(' ', ":", 1).replace(' ', ","), registry);
    }
    let n_inputs = pupil.n_inputs;
    let fits = |rules: &Rules| engine_of(rules).is_ok_and(|engine| engine.n_inputs() == n_inputs);
    let found = boards_of_old_files(registry).find(fits);
    found.ok_or_else(|| usage("FILE", "weights of no known game"))
}

fn rules(text: &str, registry: Registry) -> Result<Rules, Failure> {
    let spec = game_name::parse_game(text, registry)?;
    game_name::rules(registry, &spec)
}
