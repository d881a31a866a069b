//! `linesman analyse`: reviews a recorded game with an engine, move by move, and lists the most expensive moves.

use std::fmt::Display;
use std::fs::File;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;

use check::solve::Solver;
use itertools::Itertools;
use kit::DynHistory;
use record::engine_spec::EngineSpec;
use record::game::GameRecord;
use record::pgn::PgnFormat;
use record::registry::{Registry, Rules};
use referee::analysis::Review;
use referee::engine::{Fault, begin};
use serde_json::json;

use crate::analysis::move_review::{self, Told, cost, line, summary, tell};
use crate::args::{AnalyseArgs, SolverArgs};
use crate::config::read_words;
use crate::engines::words::{Words, use_tables};
use crate::output::{is_ascii_locale, print, say};
use crate::program::linesman;
use crate::records::render::program_name;
use crate::records::source::{self, Source};
use crate::usage::{Done, Failure, OrFail, trouble, usage};

/// Reviews one game of a file.
pub(crate) fn run(args: &AnalyseArgs, registry: Registry) -> Done<ExitCode> {
    let source = source::read(&args.file)?;
    let record = source.find(args.game)?;
    let file = args.file.display();
    let game = source.game.as_ref();
    let rules = game.and_then(|game| registry.rules(game).ok().flatten());
    let unknown = "the rules of its game are unknown: it cannot be analysed";
    let rules = rules.ok_or(unknown).or_trouble(&file)?;
    let trouble =
        |why: &dyn Display| Failure::Trouble(format!("{file}: game {}: {why}", args.game));
    // Created before the analysis, so that no file is overwritten and an error costs no search time.
    let create = |path: &PathBuf| File::create_new(path).or_trouble(path.display());
    let mut pgn = args.pgn.as_ref().map(create).transpose()?;
    let spec = args.solver.spec()?;
    let mut solver = args.solver.start(&spec, &rules)?;
    let told = review(args, &rules, record, &mut solver, &trouble)?;
    if !args.json {
        say(&summary(&told, args.ascii || is_ascii_locale()))?;
    }
    if let (Some(pgn), Some(path)) = (&mut pgn, &args.pgn) {
        let text = annotated(registry, &source, record, &told);
        pgn.write_all(text.as_bytes()).or_trouble(path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The game as PGN, with a comment on each move.
fn annotated(registry: Registry, source: &Source, record: &GameRecord, told: &[Told]) -> String {
    let comment = |told: &Told| {
        let score = told.ply.after.map(|score| score.to_string());
        [score, cost(&told.ply)].into_iter().flatten().join(" ")
    };
    let comments: Vec<String> = told.iter().map(comment).collect();
    let game = source.game.as_ref().expect("its rules are known");
    let format = PgnFormat::new(registry, game, source.plan.as_ref());
    format.annotated(record, &comments)
}

/// Reviews the game and shows each move when it is done.
fn review(
    args: &AnalyseArgs,
    rules: &Rules,
    record: &GameRecord,
    solver: &mut Solver,
    trouble: &dyn Fn(&dyn Display) -> Failure,
) -> Done<Vec<Told>> {
    let opening = record.opening.prefix(0);
    let mut board = rules.open(&opening).map_err(|why| trouble(&why))?;
    let review = Review::new(rules, &opening, record.moves.clone());
    let mut review = review.map_err(|why| trouble(&why))?;
    let sound = |board: &dyn DynHistory| board.fault().map_or(Ok(()), |why| Err(trouble(&why)));
    sound(board.as_ref())?;
    if review.position().is_none() {
        return Err(trouble(&"the game has no moves"));
    }
    begin(&mut solver.engine).or_trouble("--engine")?;
    let names = board.side_names();
    let codes = record.moves.iter().map(String::as_str);
    let columns = move_review::columns(names.iter().map(String::as_str), codes);
    let mut told = Vec::new();
    while let Some(position) = review.position() {
        let best = solver.search(position, review.side());
        let best = best.or_trouble("--engine")?;
        for ply in review.take(&best.code, &best.thought) {
            let entry = tell(board.as_mut(), told.len() + 1, ply);
            sound(board.as_ref())?;
            show(args, &entry, columns)?;
            told.push(entry);
        }
    }
    Ok(told)
}

fn show(args: &AnalyseArgs, told: &Told, columns: [usize; 2]) -> Done {
    if !args.json {
        return say(&line(told, columns));
    }
    let mut object = json!(told.ply);
    object["ply"] = json!(told.number);
    print(&object.to_string(), true)
}

impl SolverArgs {
    /// The engine of `--engine`, or the built-in one, with the limit of the flags unless its words set one.
    pub fn spec(&self) -> Done<EngineSpec> {
        let each = Words::limited(self.limit.limit(), None);
        let words = match &self.engine {
            Some(words) => read_words("--engine", words)?,
            None => Words::builtin(),
        };
        let mut spec = words.spec("--engine", &each)?;
        use_tables(&mut spec);
        Ok(spec)
    }

    /// Starts this engine and waits until it is ready.
    pub fn start(&self, spec: &EngineSpec, rules: &Rules) -> Done<Solver> {
        let timeouts = self.timeouts.into();
        Solver::start(spec, rules, timeouts, &linesman()?).map_err(|error| match error {
            Fault::Option(why) => usage("--engine", why),
            fault => trouble(format!("--engine {}", program_name(&spec.program)), fault),
        })
    }
}
