//! TOML files: the user's engines, and plans of matches.
//!
//! A file holds the words of the command line in another notation, and the code for the command line checks them. Paths in
//! a file are relative to its folder.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, FromArgMatches};
use itertools::Itertools;
use kit::GameEntry;
use record::ledger::LedgerReader;
use record::plan::Plan;
use serde::Deserialize;
use toml::Spanned;

use self::words::{EngineLine, GameLine, TomlFile};
use crate::args::{MatchArgs, NewMatchArgs, PlanArgs, RulesArgs};
use crate::engines::words::Words;
use crate::matches::games::refuse_gone;
use crate::paths;
use crate::records::files::OwnFile;
use crate::records::trust;
use crate::usage::{Done, Failure, OrFail, refuse};

pub(crate) mod words;

/// The contents of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    #[serde(default)]
    engine: Vec<Spanned<EngineLine>>,
    #[serde(default)]
    game: Vec<Spanned<GameLine>>,
}

/// The file that describes engines by name.
#[derive(Debug, Default)]
pub struct EnginesFile {
    /// The path of `--engines`; the default file if `None`.
    given: Option<PathBuf>,
}

/// An engine of the file.
#[derive(Debug)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// The line of its table, counted from 1.
    pub line: usize,
    /// The words of its table.
    pub words: Words,
}

impl EnginesFile {
    /// The given file, or else the user's default file.
    pub fn new(given: Option<&Path>) -> EnginesFile {
        let given = given.map(Path::to_owned);
        EnginesFile { given }
    }

    /// The path: the given one, or `linesman/engines.toml` in the user's configuration folder.
    pub fn path(&self) -> Done<PathBuf> {
        let own = || paths::config().map(|folder| folder.join("engines.toml"));
        match &self.given {
            Some(path) => Ok(path.clone()),
            None => own().or_trouble("--engines"),
        }
    }

    /// All engines, in the order of the file.
    pub fn all(&self) -> Done<Vec<Described>> {
        let file = TomlFile::<Tables>::read(&self.path()?)?;
        let engines = file.content.engine.iter();
        let engines = engines.map(|table| (table.span().start, &table.get_ref().0));
        described(&file, engines, "engine")
    }

    /// The registry's entry of each `[[game]]`, made by `entry` from its words. A default file need not exist.
    ///
    /// # Errors
    /// The file cannot be read, or a game is described wrongly.
    pub(crate) fn games(&self, entry: impl Fn(Words) -> Done<GameEntry>) -> Done<Vec<GameEntry>> {
        let is_absent = |path: &PathBuf| self.given.is_none() && !path.exists();
        let Some(path) = self.path().ok().filter(|path| !is_absent(path)) else {
            return Ok(Vec::new());
        };
        let file = TomlFile::<Tables>::read(&path)?;
        let games = file.content.game.iter();
        let games = games.map(|table| (table.span().start, &table.get_ref().0));
        let entry = |game: Described| {
            entry(game.words).map_err(|error| file.error(game.line, error.text()))
        };
        let games = described(&file, games, "game")?.into_iter();
        games.map(entry).collect()
    }

    /// Reads the words after a flag; an error names the flag and the word. `conf=` is looked up in this file.
    pub fn words(&self, flag: &str, words: &[String]) -> Done<Words> {
        let read = Words::read_plain(flag, words)?;
        let Some(name) = &read.conf else {
            return Ok(read);
        };
        let known = self.find(name)?;
        Ok(read.over(&known))
    }

    /// The words of the engine with this name.
    ///
    /// # Errors
    /// An error describes what is wrong with the file, or lists its engines.
    pub(crate) fn find(&self, name: &str) -> Done<Words> {
        let path = self.path()?;
        if self.given.is_none() && !path.exists() {
            let path = path.display();
            return refuse!(
                "conf={name}: there is no {path}: write this file, or name another one by --engines FILE"
            );
        }
        let all = self.all()?;
        let found = all.iter().find(|engine| engine.name == name);
        found.map(|engine| engine.words.clone()).ok_or_else(|| {
            let known = all.iter().map(|engine| &engine.name).join(", ");
            let path = path.display();
            Failure::Usage(format!(
                "conf={name}: {path} has no engine of this name, but {known}"
            ))
        })
    }
}

/// The engines or games in tables of a file, which begin at these bytes. No two have the same name.
fn described<'a>(
    file: &TomlFile<Tables>,
    tables: impl Iterator<Item = (usize, &'a Vec<String>)>,
    kind: &str,
) -> Done<Vec<Described>> {
    let (mut all, mut lines) = (Vec::new(), HashMap::new());
    for (start, texts) in tables {
        let line = file.line(start);
        let mut words = Words::default();
        for word in texts {
            let taken = words.take(&file.resolved(word.clone()));
            taken.map_err(|why| file.error(line, why))?;
        }
        let name = name_of(&words, kind).map_err(|why| file.error(line, why))?;
        if let Some(at) = lines.insert(name.clone(), line) {
            let why =
                format!("name: {name:?} is also the {kind} of line {at}: give it another name");
            return Err(file.error(line, why));
        }
        all.push(Described { name, line, words });
    }
    Ok(all)
}

/// The name among the words of a table.
fn name_of(words: &Words, kind: &str) -> Result<String, &'static str> {
    if words.conf.is_some() {
        return Err(
            "conf: an engine of this file cannot refer to another one: write its own words",
        );
    }
    let name = words.name.as_ref();
    let name = name.ok_or("name is missing: add name = \"NAME\", by which it is found")?;
    match (words.has_program(), kind) {
        (true, _) => Ok(name.clone()),
        (false, "game") => Err("rules is missing: add rules = \"PATH\""),
        (false, _) => Err("cmd is missing: add cmd = \"PATH\" or builtin = true"),
    }
}

/// Reads the words after a flag, with `conf=` looked up in the user's engines file.
pub fn read_words(flag: &str, words: &[String]) -> Done<Words> {
    EnginesFile::default().words(flag, words)
}

/// Takes what the arguments of a match refer to: the plan of `--plan` or `--like`, and its rules. `matches` are those of
/// `match`, a command of `program`.
///
/// # Errors
/// The plan cannot be read, or an argument cannot be used with `--resume`.
pub fn complete(
    args: &mut MatchArgs,
    rules: &mut RulesArgs,
    matches: &ArgMatches,
    program: impl FnOnce() -> clap::Command,
) -> Done {
    if matches.contains_id("resume")
        && let Some(command) = program().find_subcommand("match")
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
fn refuse_fixed(matches: &ArgMatches, command: &clap::Command) -> Done {
    let fixed = PlanArgs::augment_args(NewMatchArgs::augment_args(clap::Command::new("match")));
    let is_fixed = |id: &str| {
        fixed.get_arguments().any(|arg| arg.get_id() == id) && !CHANGED_ON_RESUME.contains(&id)
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
fn fill(args: &mut MatchArgs, matches: &ArgMatches) -> Done {
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
fn read(path: &Path) -> Done<PlanArgs> {
    let mut file = TomlFile::<PlanArgs>::read(path)?;
    let mut plan = std::mem::take(&mut file.content);
    let engines = plan.engine.iter_mut().map(|engine| &mut engine.0);
    engines
        .chain([&mut plan.each, &mut plan.rules, &mut plan.openings])
        .for_each(|words: &mut Vec<String>| {
            let old = std::mem::take(words).into_iter();
            *words = old.map(|word| file.resolved(word)).collect();
        });
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
fn like(path: &Path, is_trusted: bool) -> Done<PlanArgs> {
    let ledger = LedgerReader::open(path)
        .and_then(LedgerReader::into_ledger)
        .or_trouble(path.display())?;
    if ledger.is_of_table {
        let path = path.display();
        return refuse!("--like: {path}: a game of linesman play, not a match");
    }
    refuse_gone("--like", path, &ledger.plan_line)?;
    if !is_trusted && !trust::is_begun_here(&ledger.plan_line) {
        trust::check("--like", path, &trust::wishes(&ledger.plan, true))?;
    }
    Ok(PlanArgs::of(&ledger.plan))
}

/// Writes a plan to a new file.
pub(crate) fn save(path: &Path, plan: &Plan) -> Done {
    let text = toml::to_string(&PlanArgs::of(plan)).or_usage("--save-plan")?;
    let version = env!("CARGO_PKG_VERSION");
    let head = format!("# A plan of linesman {version}: linesman match --plan FILE\n\n");
    OwnFile::new(path, "--save-plan")?.write(head + &text)
}
