//! `linesman-lab tune`: fits the weights of an evaluation to recorded games.

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use kit::Outcome;
use lab::tune::{self, Fit, Sample};
use record::game::{GameRecord, GameResult, Termination};
use record::opening::Opening;
use record::registry::{Registry, Rules};

use crate::args::TuneArgs;
use linesman::records::source::{self, Source};
use linesman::usage::{Failure, OrFail, fail, trouble};

/// Weights per line of output.
const COLUMNS: usize = 12;

/// The training data of all files.
struct TrainingSet {
    rules: Rules,
    samples: Vec<Sample>,
    n_games: usize,
}

/// Fits the weights of the built-in engine and shows them in the format of its source.
pub(crate) fn run(args: &TuneArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let training_set = read(args, registry)?;
    let engine = training_set.rules.open(&Opening::default());
    let mut weights = engine.or_usage("GAME")?.weights().to_vec();
    if weights.is_empty() {
        let why = "its evaluation is not a weighted sum: nothing to tune";
        return fail!("{}: {why}", training_set.rules.entry().name);
    }
    if args.from_zero {
        weights.fill(0);
    }
    let fit = tune::fit(&weights, &training_set.samples, args.epochs, args.seed);
    show(&training_set, &fit).map_err(Failure::Output)?;
    Ok(ExitCode::SUCCESS)
}

fn read(args: &TuneArgs, registry: Registry) -> Result<TrainingSet, Failure> {
    let mut all: Option<TrainingSet> = None;
    for path in &args.files {
        let source = source::read(path)?;
        let rules = rules(path, registry, &source)?;
        let training_set = all.get_or_insert_with(|| TrainingSet {
            rules: rules.clone(),
            samples: Vec::new(),
            n_games: 0,
        });
        if training_set.rules.entry().name != rules.entry().name {
            let (expected, name) = (training_set.rules.entry().name, rules.entry().name);
            let why = format!(
                "games of {name}: give files with games of {expected}, as in the first file"
            );
            return Err(trouble(path.display(), why));
        }
        for record in &source.games {
            training_set.add_game(path, &rules, record)?;
        }
    }
    Ok(all.expect("clap asks for a file"))
}

/// The rules of a file's games.
fn rules(path: &Path, registry: Registry, source: &Source) -> Result<Rules, Failure> {
    let game = source.game.as_ref();
    let rules = game.and_then(|game| registry.rules(game).ok().flatten());
    rules.ok_or_else(|| trouble(path.display(), "no game of the catalogue"))
}

impl TrainingSet {
    /// Adds the samples of a game that ended by the rules; other games are skipped.
    fn add_game(&mut self, path: &Path, rules: &Rules, record: &GameRecord) -> Result<(), Failure> {
        let outcome = match record.result {
            GameResult::P1Win => Outcome::Win(kit::Side::P1),
            GameResult::P2Win => Outcome::Win(kit::Side::P2),
            GameResult::Draw => Outcome::Draw,
            GameResult::Unknown => return Ok(()),
        };
        if record.termination != Termination::Normal {
            return Ok(());
        }
        let n_opening = record.plies.iter().take_while(|ply| ply.is_none()).count();
        let engine = rules.open(&record.opening.prefix(0));
        let samples = engine
            .and_then(|engine| tune::samples(engine.as_ref(), &record.moves, n_opening, outcome));
        let samples = samples.map_err(|why| {
            Failure::Trouble(format!("{}: game {}: {why}", path.display(), record.game))
        })?;
        self.samples.extend(samples);
        self.n_games += 1;
        Ok(())
    }
}

fn show(training_set: &TrainingSet, fit: &Fit) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let (n, games) = (training_set.samples.len(), training_set.n_games);
    let (before, after) = (fit.error_before, fit.error_after);
    writeln!(
        out,
        "// {n} positions of {games} games; error on held-out positions: {before:.5}, now {after:.5}"
    )?;
    writeln!(out, "[")?;
    for row in fit.weights.chunks(COLUMNS) {
        let row: Vec<String> = row.iter().map(i16::to_string).collect();
        writeln!(out, "    {},", row.join(", "))?;
    }
    writeln!(out, "]")
}
