//! `linesman-lab learner`: the record of an engine that learns by playing, and its training.

mod history;
mod train;

use std::process::ExitCode;

use kit::learn::Learner;
use linesman::game_name::rules_of;
use linesman::learner::engine_of;
use linesman::usage::{Failure, usage};
use record::registry::{Registry, Rules};

use crate::args::{LearnerArgs, LearnerCommand};

/// Shows a record, or trains.
pub(crate) fn run(args: &LearnerArgs, registry: Registry) -> Result<ExitCode, Failure> {
    match &args.command {
        Some(LearnerCommand::Train(args)) => train::run(args, registry),
        None => history::run(&args.record, registry),
    }
}

/// The boards for which files without the name of a board were written: those with a built-in network.
fn boards_of_old_files(registry: Registry) -> impl Iterator<Item = Rules> {
    let names = registry.games().iter().map(|entry| entry.name);
    let boards = names.flat_map(|name| [name.to_owned(), format!("{name}:Size=4")]);
    let boards = boards.filter_map(move |name| rules_of(&name, registry).ok());
    boards.filter(|rules| engine_of(rules).is_ok_and(|engine| engine.network().is_some()))
}

/// The board of an existing file: the named one, that of its last game, or one whose network has the same number of inputs.
fn board(named: Option<&str>, learner: &Learner, registry: Registry) -> Result<Rules, Failure> {
    let recorded = &learner.history.board;
    if let Some(text) = named {
        return rules_of(text, registry);
    }
    if !recorded.is_empty() {
        return rules_of(&recorded.replacen(' ', ":", 1).replace(' ', ","), registry);
    }
    let n_inputs = learner.n_inputs();
    let fits = |rules: &Rules| engine_of(rules).is_ok_and(|engine| engine.n_inputs() == n_inputs);
    let found = boards_of_old_files(registry).find(fits);
    found.ok_or_else(|| usage("FILE", "weights of no known game"))
}
