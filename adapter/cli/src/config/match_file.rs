//! `match --config`: a whole match from a file whose keys are the flags of the command line.

use std::any::TypeId;
use std::ffi::OsString;
use std::path::PathBuf;

use clap::error::ErrorKind::{ArgumentConflict, MissingRequiredArgument};
use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches};

use super::document::{Document, Entry, Value};
use super::engine_table::engine_words;
use super::place::{Place, expected_key, from_folder_of, with_path};
use crate::engines::words::OF_FIRST_ENGINE;
use crate::usage::Failure;

/// Flags that concern a single run and are not allowed in a file.
pub(super) const NOT_IN_FILES: [&str; 7] = [
    "config",
    "save_config",
    "dry_run",
    "resume",
    "trust",
    "help",
    "version",
];

/// The flags that came from a file, each with its place there.
#[derive(Debug, Default)]
pub(crate) struct Origin(Vec<(String, Place)>);

impl Origin {
    /// The error with its place in the file, if it is about a flag that came from the file.
    pub(crate) fn locate(&self, failure: Failure) -> Failure {
        let (Failure::Usage(text) | Failure::Trouble(text)) = &failure else {
            return failure;
        };
        let found = self.0.iter().find_map(|(key, place)| {
            let flag = if key == "game" {
                "GAME".to_owned()
            } else {
                format!("--{key}")
            };
            let why = text.strip_prefix(&flag)?.strip_prefix(": ")?;
            Some(place.error(key, &why))
        });
        match (failure, found) {
            (Failure::Trouble(_), Some(found)) => Failure::Trouble(found.text()),
            (failure, found) => found.unwrap_or(failure),
        }
    }
}

/// Appends the words of the file of `--config` to the command line. Flags on the command line replace those of the
/// file, with all their values. `matches` is the parsed command line, `command` is `match`.
pub(crate) fn merge(
    mut args: Vec<OsString>,
    matches: &ArgMatches,
    command: &clap::Command,
) -> Result<(Vec<OsString>, Origin), Failure> {
    let Some(path) = matches.get_one::<PathBuf>("config") else {
        return Ok((args, Origin::default()));
    };
    let document = Document::read(path)?;
    let mut origin = Origin::default();
    let mut flags = Vec::new();
    for entry in &document.entries {
        let place = document.place(entry.line);
        let arg = find(command, &entry.key).map_err(|why| place.error(&entry.key, &why))?;
        let words = words(&document, arg, entry)?;
        check(command, &words).map_err(|why| place.error(&entry.key, &why))?;
        if matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine) {
            continue;
        }
        match arg.is_positional() {
            // The game must precede flags that take all words up to the next flag.
            true => args
                .splice(2..2, words.into_iter().map(Into::into))
                .for_each(drop),
            false => flags.extend(words),
        }
        origin.0.push((entry.key.clone(), place));
    }
    args.extend(flags.into_iter().map(OsString::from));
    Ok((args, origin))
}

/// The key of a flag in a file.
pub(super) fn key(arg: &Arg) -> &str {
    arg.get_long().unwrap_or_else(|| arg.get_id().as_str())
}

/// The flags that are allowed in a file.
pub(super) fn file_args(command: &clap::Command) -> impl Iterator<Item = &Arg> {
    let is_setting = |arg: &&Arg| !NOT_IN_FILES.contains(&arg.get_id().as_str());
    command.get_arguments().filter(is_setting)
}

fn find<'a>(command: &'a clap::Command, name: &str) -> Result<&'a Arg, String> {
    let found = file_args(command).find(|arg| key(arg) == name);
    found.ok_or_else(|| {
        let is_about_one_run =
            |arg: &&Arg| key(arg) == name && NOT_IN_FILES.contains(&arg.get_id().as_str());
        match command.get_arguments().find(is_about_one_run) {
            Some(_) => format!("expected it on the command line, as --{name}"),
            None => expected_key(name, file_args(command).map(key)),
        }
    })
}

/// Converts an entry to words of the command line.
fn words(document: &Document, arg: &Arg, entry: &Entry) -> Result<Vec<String>, Failure> {
    let place = document.place(entry.line);
    let flag = format!("--{}", key(arg));
    let with_flag = |words: Vec<String>| std::iter::once(flag.clone()).chain(words).collect();
    let wrong = |why: &str| place.error(&entry.key, &why);
    match (arg.get_id().as_str(), &entry.value) {
        ("engine", Value::List(tables)) => {
            let mut all = Vec::new();
            for (line, table) in tables {
                let Value::Table(table) = table else {
                    let why = "expected [[engine]] before each engine";
                    return Err(document.place(*line).error("engine", &why));
                };
                all.push(flag.clone());
                all.extend(engine_words(document, table)?);
            }
            Ok(all)
        }
        ("engine", _) => Err(wrong("expected [[engine]] before each engine")),
        ("each", Value::Table(table)) => Ok(with_flag(engine_words(document, table)?)),
        ("each", _) => Err(wrong("expected a table of words, as for an engine")),
        ("rules", Value::Table(table)) => Ok(with_flag(engine_words(document, table)?)),
        ("rules", Value::Text(text)) if text == OF_FIRST_ENGINE => {
            Ok(with_flag(vec![text.clone()]))
        }
        ("rules", _) => Err(wrong(
            "expected a table of words, as for an engine, or \"engine\"",
        )),
        (_, Value::Flag(is_set)) if takes_no_value(arg) => {
            Ok(is_set.then(|| flag.clone()).into_iter().collect())
        }
        _ if matches!(arg.get_action(), ArgAction::SetTrue) => Err(wrong("expected true or false")),
        (_, value) if takes_words(arg) => {
            let words = several(value).map_err(|why| wrong(&why))?;
            let path = |path: &str| from_folder_of(&document.path, path).display().to_string();
            let resolved = words.iter().map(|word| with_path(word, path));
            Ok(with_flag(resolved.collect()))
        }
        (id, value) => {
            let text = value
                .text()
                .ok_or_else(|| wrong("expected a text or a number"))?;
            let text = match is_path(arg) {
                true => from_folder_of(&document.path, text)
                    .to_string_lossy()
                    .into_owned(),
                false => text.to_owned(),
            };
            Ok(vec![match id {
                _ if arg.is_positional() => text,
                _ => format!("{flag}={text}"),
            }])
        }
    }
}

/// `true` if a flag may be given without a value.
fn takes_no_value(arg: &Arg) -> bool {
    matches!(arg.get_action(), ArgAction::SetTrue)
        || arg
            .get_num_args()
            .is_some_and(|range| range.min_values() == 0)
}

/// `true` if a flag takes several words.
pub(super) fn takes_words(arg: &Arg) -> bool {
    arg.get_num_args()
        .is_some_and(|range| range.max_values() > 1)
}

/// `true` if the value of a flag is a path.
pub(super) fn is_path(arg: &Arg) -> bool {
    arg.get_value_parser().type_id() == TypeId::of::<PathBuf>()
}

/// Splits a value into words: a text as a shell splits it, a list, or a table of keys and values.
fn several(value: &Value) -> Result<Vec<String>, String> {
    const EXPECTED: &str = "expected the words in one text, in a list, or as a table";
    match value {
        Value::Text(text) => shlex::split(text).ok_or_else(|| EXPECTED.to_owned()),
        Value::Table(entries) => {
            let pairs = entries.iter().filter_map(|entry| match &entry.value {
                Value::Text(text) => Some(Ok(format!("{}={text}", entry.key))),
                Value::Flag(true) => Some(Ok(entry.key.clone())),
                Value::Flag(false) => None,
                _ => Some(Err(EXPECTED.to_owned())),
            });
            pairs.collect()
        }
        value => {
            let words = value.texts().ok_or(EXPECTED)?;
            Ok(words.into_iter().map(str::to_owned).collect())
        }
    }
}

/// Checks one entry's words with the parser of the command line. Errors about combinations of flags are ignored here.
fn check(command: &clap::Command, words: &[String]) -> Result<(), String> {
    let line = std::iter::once("match").chain(words.iter().map(String::as_str));
    match command.clone().try_get_matches_from(line) {
        Ok(_) => Ok(()),
        Err(error) if matches!(error.kind(), MissingRequiredArgument | ArgumentConflict) => Ok(()),
        Err(error) => {
            let text = error.to_string();
            let why = text.split("\n\n").next().unwrap_or(&text);
            let words: Vec<&str> = why.split_whitespace().collect();
            Err(words.join(" ").trim_start_matches("error: ").to_owned())
        }
    }
}
