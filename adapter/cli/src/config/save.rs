//! `match --save-config`: writes the command line to a file for `--config`.

use std::path::{Path, PathBuf};

use clap::parser::ValueSource;
use clap::{Arg, ArgAction, ArgMatches};
use toml::{Table, Value};

use super::match_file::{file_args, is_path, key, takes_words};
use super::place::with_path;
use crate::engines::words::{OF_FIRST_ENGINE, quote};
use crate::paths::absolute;
use crate::records::own_file::OwnFile;
use crate::usage::{Failure, OrFail};

/// The command line, for a new file.
#[derive(Debug)]
pub(crate) struct SavedConfig {
    path: PathBuf,
    table: Table,
}

impl SavedConfig {
    /// Writes the file, with the seed of the match.
    pub(crate) fn write(&self, srand: u64) -> Result<(), Failure> {
        let mut table = self.table.clone();
        table.insert("srand".to_owned(), number_or_text(&srand.to_string()));
        let file = OwnFile::new(&self.path, "--save-config")?;
        let version = env!("CARGO_PKG_VERSION");
        file.write(format!(
            "# A match, saved by linesman {version}. To play it again: linesman match --config FILE\n\
             # Relative paths count from the folder of this file.\n\n{table}"
        ))
    }
}

/// The contents for `--save-config`. `matches` is the parsed command line, `command` is `match`.
pub(crate) fn saved(
    matches: &ArgMatches,
    command: &clap::Command,
) -> Result<Option<SavedConfig>, Failure> {
    let Some(path) = matches.get_one::<PathBuf>("save_config") else {
        return Ok(None);
    };
    let paths = Paths::of(path);
    let mut table = Table::new();
    let is_given =
        |arg: &&Arg| matches.value_source(arg.get_id().as_str()) == Some(ValueSource::CommandLine);
    for arg in file_args(command).filter(is_given) {
        let value = value(arg, matches, &paths).or_usage("--save-config")?;
        table.insert(key(arg).to_owned(), value);
    }
    Ok(Some(SavedConfig {
        path: path.clone(),
        table,
    }))
}

/// The value of a flag. Engines are tables; TOML requires these after all other keys.
fn value(arg: &Arg, matches: &ArgMatches, paths: &Paths) -> Result<Value, String> {
    let id = arg.get_id().as_str();
    if matches!(arg.get_action(), ArgAction::SetTrue) {
        return Ok(Value::Boolean(true));
    }
    let occurrences = matches.get_raw_occurrences(id).into_iter().flatten();
    let occurrences = occurrences.map(|words| {
        words
            .map(|word| word.to_str().map(str::to_owned))
            .collect::<Option<Vec<String>>>()
            .ok_or_else(|| format!("--{}: expected UTF-8", key(arg)))
    });
    let occurrences: Vec<Vec<String>> = occurrences.collect::<Result<_, _>>()?;
    let all = occurrences.concat();
    Ok(match id {
        "engine" => {
            let tables = occurrences.iter().map(|words| paths.engine(words));
            Value::Array(tables.map(Value::Table).collect())
        }
        "rules" if all == [OF_FIRST_ENGINE] => Value::String(OF_FIRST_ENGINE.to_owned()),
        "each" | "rules" => Value::Table(paths.engine(&all)),
        "team" => {
            let names = |words: &Vec<String>| texts(words.iter().map(String::as_str));
            Value::Array(occurrences.iter().map(names).collect())
        }
        _ if takes_words(arg) => {
            let words: Vec<String> = all.iter().map(|word| quote(paths.word(word))).collect();
            Value::String(words.join(" "))
        }
        _ => match all.first() {
            // A flag that may be given without a value.
            None => Value::Boolean(true),
            Some(path) if is_path(arg) => Value::String(paths.path(path)),
            Some(text) => number_or_text(text),
        },
    })
}

/// Conversion of the command line's paths for the file.
struct Paths {
    /// `true` if relative paths have the same meaning in the file.
    is_same_folder: bool,
}

impl Paths {
    fn of(file: &Path) -> Paths {
        let folder = absolute(file).parent().map(Path::to_owned);
        Paths {
            is_same_folder: folder.is_some() && folder == std::env::current_dir().ok(),
        }
    }

    fn path(&self, path: &str) -> String {
        match self.is_same_folder {
            true => path.to_owned(),
            false => absolute(Path::new(path)).to_string_lossy().into_owned(),
        }
    }

    fn word(&self, word: &str) -> String {
        with_path(word, |path| self.path(path))
    }

    /// The words of an engine as a table.
    fn engine(&self, words: &[String]) -> Table {
        let mut table = Table::new();
        let (mut args, mut buttons, mut options) = (Vec::new(), Vec::new(), Table::new());
        for word in words {
            match word.split_once('=') {
                Some(("arg", value)) => args.push(value),
                Some((key, value)) => match key.strip_prefix("option.") {
                    Some(name) => {
                        options.insert(name.to_owned(), number_or_text(value));
                    }
                    None => {
                        table.insert(key.to_owned(), self.engine_value(key, value));
                    }
                },
                None => match word.strip_prefix("option.") {
                    Some(name) => buttons.push(name),
                    None => {
                        table.insert(word.clone(), Value::Boolean(true));
                    }
                },
            }
        }
        for (key, list) in [("args", args), ("buttons", buttons)] {
            if !list.is_empty() {
                table.insert(key.to_owned(), texts(list.into_iter()));
            }
        }
        if !options.is_empty() {
            table.insert("options".to_owned(), Value::Table(options));
        }
        table
    }

    fn engine_value(&self, key: &str, value: &str) -> Value {
        match key {
            "dir" | "stderr" => Value::String(self.path(value)),
            // A program on the search path is found by its name from any folder.
            "cmd" if value.contains('/') || Path::new(value).is_file() => {
                Value::String(self.path(value))
            }
            _ => number_or_text(value),
        }
    }
}

fn texts<'a>(words: impl Iterator<Item = &'a str>) -> Value {
    Value::Array(words.map(|word| Value::String(word.to_owned())).collect())
}

/// An integer if that keeps the spelling, else a text.
fn number_or_text(text: &str) -> Value {
    match text.parse::<i64>() {
        Ok(number) if number.to_string() == text => Value::Integer(number),
        _ => Value::String(text.to_owned()),
    }
}
