//! The plan of a match as the flags that describe it: from a ledger (`--like`) or a file (`--plan`), and to a file
//! (`--save-plan`).

use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, FromArgMatches};
use record::engine_spec::{EngineSpec, Program, Proto, Restart};
use record::ledger::read_ledger;
use record::plan::Plan;

use super::file::TomlFile;
use super::words::EngineLine;
use crate::args::{EngineArgs, MatchArgs, PlanArgs, keys};
use crate::matches::openings::source_words;
use crate::matches::resume::refuse_gone;
use crate::records::own_file::OwnFile;
use crate::records::trust;
use crate::usage::{Failure, OrFail, refuse};

/// Takes the plan of `--plan` or `--like`. The flags of the command line win over it.
pub(crate) fn fill(args: &mut MatchArgs, matches: &ArgMatches) -> Result<(), Failure> {
    let base = match (&args.from_plan, &args.like) {
        (Some(path), _) => read(path)?,
        (None, Some(ledger)) => like(ledger, args.trust)?,
        (None, None) => return Ok(()),
    };
    let mut given = matches.clone();
    let is_given = |id: &str| matches.value_source(id) == Some(ValueSource::CommandLine);
    for id in matches.ids().filter(|id| !is_given(id.as_str())) {
        // Defaults do not win.
        let _ = given.try_clear_id(id.as_str());
    }
    args.plan = base;
    args.plan.each_wins = is_given("each") && !is_given("engine");
    let updated = args.plan.update_from_arg_matches(&given);
    updated.map_err(|error| Failure::Clap(Box::new(error)))
}

/// Reads a plan from a file.
fn read(path: &Path) -> Result<PlanArgs, Failure> {
    let mut file = TomlFile::<PlanArgs>::read(path)?;
    let mut plan = std::mem::take(&mut file.content);
    let resolve = |words: &mut Vec<String>| {
        let old = std::mem::take(words).into_iter();
        *words = old.map(|word| file.resolved(word)).collect();
    };
    let engines = plan.engine.0.iter_mut().map(|engine| &mut engine.0);
    engines
        .chain([&mut plan.each, &mut plan.rules, &mut plan.openings])
        .for_each(resolve);
    if let Some(table) = plan
        .adjudicate_table
        .as_mut()
        .filter(|table| !table.is_empty())
    {
        let folder = path.parent().unwrap_or(Path::new(""));
        *table = folder.join(&table).display().to_string();
    }
    Ok(plan)
}

/// The plan of a ledger, after its commands were confirmed.
fn like(path: &Path, is_trusted: bool) -> Result<PlanArgs, Failure> {
    let ledger = read_ledger(path).or_trouble(path.display())?;
    if ledger.is_of_table {
        let path = path.display();
        return refuse!(
            "--like: {path}: a ledger of linesman play: expected one of linesman match"
        );
    }
    refuse_gone("--like", path, &ledger.plan_line)?;
    if !is_trusted && !trust::is_begun_here(&ledger.plan_line) {
        trust::check("--like", path, &trust::wishes(&ledger.plan, true))?;
    }
    Ok(flags(&ledger.plan))
}

/// The flags that describe a plan. They name no output.
fn flags(plan: &Plan) -> PlanArgs {
    let path = |path: &PathBuf| path.display().to_string();
    let words = |words: Option<Vec<String>>| words.unwrap_or_default();
    let adjudication = &plan.adjudication;
    PlanArgs {
        game: Some(plan.game.to_string()),
        rules: words(plan.rules.as_ref().map(|rules| rules.words.clone())),
        engine: EngineArgs(plan.engines.iter().map(engine).collect()),
        games: Some(plan.games),
        noswap: !plan.swaps,
        concurrency: Some(plan.concurrency),
        format: plan.format.to_string(),
        openings: words(plan.opening_source.as_ref().map(source_words)),
        seed: Some(plan.srand),
        max_plies: adjudication.max_plies,
        draw: words(adjudication.draw.as_ref().map(keys::draw_words)),
        resign: words(adjudication.resign.as_ref().map(keys::resign_words)),
        adjudicate_table: plan.adjudicate_table.as_ref().map(path),
        sprt: words(plan.sprt.as_ref().map(keys::sprt_words)),
        startup_ms: plan.startup_ms,
        ping_ms: plan.ping_ms,
        search_timeout_ms: plan.search_timeout_ms,
        memory: plan.memory,
        ..PlanArgs::default()
    }
}

/// The words of an engine, without its file of standard error.
fn engine(spec: &EngineSpec) -> EngineLine {
    let mut words = Vec::new();
    match &spec.program {
        Program::Command { path, args, dir } => {
            words.push(format!("cmd={}", path.display()));
            words.extend(args.iter().map(|arg| format!("arg={arg}")));
            words.extend(dir.iter().map(|dir| format!("dir={}", dir.display())));
        }
        Program::Builtin | Program::Person => words.push("builtin".to_owned()),
    }
    words.extend(spec.name.iter().map(|name| format!("name={name}")));
    let mut add = |word: String, is_needed: bool| words.extend(is_needed.then_some(word));
    add(format!("proto={}", spec.proto), spec.proto != Proto::Ugi);
    let (limit, margin) = (spec.limit, spec.margin_ms);
    limit
        .to_string()
        .split(' ')
        .for_each(|word| add(word.to_owned(), true));
    add(
        format!("timemargin={margin}"),
        margin != limit.default_margin_ms(),
    );
    add("ponder".to_owned(), spec.ponder);
    add(
        format!("restart={}", spec.restart),
        spec.restart != Restart::Auto,
    );
    words.extend(spec.options.iter().map(|(name, value)| match value {
        Some(value) => format!("option.{name}={value}"),
        None => format!("option.{name}"),
    }));
    EngineLine(words)
}

/// Writes a plan to a new file.
pub(crate) fn save(path: &Path, plan: &Plan) -> Result<(), Failure> {
    let text = toml::to_string(&flags(plan)).or_usage("--save-plan")?;
    let version = env!("CARGO_PKG_VERSION");
    let head = format!("# A plan of linesman {version}: linesman match --plan FILE\n\n");
    OwnFile::new(path, "--save-plan")?.write(head + &text)
}
