//! `linesman pupil`: the record of an engine that learns by playing, and its training.

mod history;
mod plot;
mod train;

use std::path::Path;
use std::process::ExitCode;

use history::Record;
use kit::learn::{OnlineLearner, Pupil};
use kit::{DynEngine, OptionKind};
use record::game_spec::GameSpec;
use record::opening::Opening;
use record::registry::{Registry, Rules};

use crate::args::{PupilArgs, PupilCommand};
use crate::game_name;
use crate::usage::{Failure, trouble, usage};

/// Shows a record, or trains.
pub(crate) fn run(args: &PupilArgs, registry: Registry) -> Result<ExitCode, Failure> {
    match &args.command {
        Some(PupilCommand::Train(args)) => train::run(args, registry),
        None => history::run(&args.record, registry),
    }
}

/// Checks that an engine of this game can learn in this file. Returns a message about what the file knows.
pub(crate) fn check(rules: &Rules, registry: Registry, path: &Path) -> Result<String, Failure> {
    let engine = engine_of(rules)?;
    let Some(engine) = engine else {
        return Err(usage("--learn", cannot_learn(rules, registry)));
    };
    let told = match path.exists() {
        false => format!("{} is new: the engine knows nothing yet", path.display()),
        true => {
            // The engine opens the file too; the lock is free again until then.
            let opened = OnlineLearner::open(path, engine.n_inputs());
            drop(opened.map_err(|why| trouble("--learn", why))?);
            let pupil = Pupil::read(path).map_err(|why| trouble("--learn", why))?;
            format!("{}: {}", path.display(), Record::of(&pupil, None).summary())
        }
    };
    let counts = "The engine learns from each game that ends by the rules, by resignation or by an agreed draw.";
    Ok(format!("{told}\n{counts}"))
}

/// The engine of a board if it can learn by playing.
fn engine_of(rules: &Rules) -> Result<Option<Box<dyn DynEngine>>, Failure> {
    let engine = rules.engine(&Opening::default());
    let engine = engine.map_err(|why| usage("GAME", why))?;
    Ok(Some(engine).filter(|engine| engine.network().is_some()))
}

fn cannot_learn(rules: &Rules, registry: Registry) -> String {
    let able: Vec<String> = learning_games(registry)
        .iter()
        .map(GameSpec::to_string)
        .collect();
    let board = rules.spec();
    format!(
        "the engine of {board} cannot learn by playing: expected {}",
        able.join(", ")
    )
}

/// A board of each game whose engine can learn by playing.
fn learning_games(registry: Registry) -> Vec<GameSpec> {
    let can_learn = |spec: &GameSpec| {
        let rules = registry.rules(spec).ok().flatten();
        rules.is_some_and(|rules| matches!(engine_of(&rules), Ok(Some(_))))
    };
    let boards = |name: &str| {
        let default = GameSpec {
            name: name.to_owned(),
            options: Vec::new(),
        };
        let entry = registry.find(name).ok()?;
        let mut boards = vec![default.clone()];
        for decl in entry.source.options() {
            if let OptionKind::Spin { min, max, .. } = decl.kind {
                boards.extend((min..=max).map(|value| GameSpec {
                    options: vec![(decl.name.clone(), value.to_string())],
                    ..default.clone()
                }));
            }
        }
        boards.into_iter().find(can_learn)
    };
    let names = registry.games().iter().map(|entry| entry.name);
    names.filter_map(boards).collect()
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
    let n_inputs = pupil.n_inputs();
    for spec in learning_games(registry) {
        let rules = game_name::rules(registry, &spec)?;
        if engine_of(&rules)?.is_some_and(|engine| engine.n_inputs() == n_inputs) {
            return Ok(rules);
        }
    }
    Err(usage("FILE", "weights of no known game"))
}

fn rules(text: &str, registry: Registry) -> Result<Rules, Failure> {
    let spec = game_name::parse_game(text, registry)?;
    game_name::rules(registry, &spec)
}

/// The engine of a board that must be able to learn.
fn learning_engine(rules: &Rules, registry: Registry) -> Result<Box<dyn DynEngine>, Failure> {
    engine_of(rules)?.ok_or_else(|| usage("--game", cannot_learn(rules, registry)))
}
