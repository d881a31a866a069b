//! What the arguments of a match refer to: the plan of a ledger (`--like`, `--resume`) or a file (`--plan`). And plans
//! saved to a file (`--save-plan`).

use std::path::Path;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, FromArgMatches};
use itertools::Itertools;
use record::ledger::read_ledger;
use record::plan::Plan;

use super::words::TomlFile;
use crate::args::{MatchArgs, NewMatchArgs, PlanArgs, RulesArgs};
use crate::matches::{plan, resume::refuse_gone};
use crate::records::files::OwnFile;
use crate::records::trust;
use crate::usage::{Failure, OrFail, refuse};

/// Takes what the arguments of a match refer to: the plan of `--plan` or `--like`, and its rules. `matches` are those of
/// `match`, a command of `program`.
///
/// # Errors
/// The plan cannot be read, or an argument cannot be used with `--resume`.
pub fn complete(
    args: &mut MatchArgs,
    rules: &mut RulesArgs,
    matches: &ArgMatches,
    program: &clap::Command,
) -> Result<(), Failure> {
    if let Some(command) = program.find_subcommand("match")
        && matches.contains_id("resume")
    {
        refuse_fixed(matches, command)?;
    }
    fill(args, matches)?;
    args.plan.read_engines(matches);
    if rules.rules.is_none() && !args.plan.rules.is_empty() {
        rules.rules = Some(args.plan.rules.clone());
    }
    Ok(())
}

/// The arguments of a plan that `--resume` changes. All others are those of the ledger, like the arguments of new matches.
const CHANGED_ON_RESUME: [&str; 2] = ["games", "concurrency"];

/// Rejects arguments whose values the plan in the ledger has. `command` is the `match` of the program.
fn refuse_fixed(matches: &ArgMatches, command: &clap::Command) -> Result<(), Failure> {
    let fixed = PlanArgs::augment_args(NewMatchArgs::augment_args(clap::Command::new("match")));
    let is_fixed = |id: &str| {
        let mut fixed = fixed.get_arguments();
        fixed.any(|arg| arg.get_id() == id) && !CHANGED_ON_RESUME.contains(&id)
    };
    let is_given = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let flag = |id: &str| {
        let arg = command.get_arguments().find(|arg| arg.get_id() == id);
        let long = arg.and_then(|arg| arg.get_long());
        long.map_or("GAME".to_owned(), |long| format!("--{long}"))
    };
    let ids = || command.get_arguments().map(|arg| arg.get_id().as_str());
    let Some(id) = ids().filter(is_given).find(|id| is_fixed(id)) else {
        return Ok(());
    };
    let others = ids().filter(|id| !matches!(*id, "resume" | "help") && !is_fixed(id));
    let others = others.map(flag).join(", ");
    refuse!(
        "{}: the plan in the ledger has it: with --resume, give only {others}",
        flag(id)
    )
}

/// Takes the plan of `--plan` or `--like`. The flags of the command line win over it.
fn fill(args: &mut MatchArgs, matches: &ArgMatches) -> Result<(), Failure> {
    let base = match (&args.new.from_plan, &args.new.like) {
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
    let engines = plan.engine.iter_mut().map(|engine| &mut engine.0);
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
        return refuse!("--like: {path}: a game of linesman play, not a match");
    }
    refuse_gone("--like", path, &ledger.plan_line)?;
    if !is_trusted && !trust::is_begun_here(&ledger.plan_line) {
        trust::check("--like", path, &trust::wishes(&ledger.plan, true))?;
    }
    Ok(plan::flags(&ledger.plan))
}

/// Writes a plan to a new file.
pub(crate) fn save(path: &Path, plan: &Plan) -> Result<(), Failure> {
    let text = toml::to_string(&plan::flags(plan)).or_usage("--save-plan")?;
    let version = env!("CARGO_PKG_VERSION");
    let head = format!("# A plan of linesman {version}: linesman match --plan FILE\n\n");
    OwnFile::new(path, "--save-plan")?.write(head + &text)
}
