//! Reading of TOML files, whose errors name the file, the line and the key.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use itertools::Itertools;
use kit::options::or_list;
use protocol::text::without_error_number;
use record::engine_spec::{EngineSpec, Program, Proto, Restart};
use record::file::read_text;
use serde::de::{DeserializeOwned, Error};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Value;

use crate::engines::words::{self, Words, quote};
use crate::paths::absolute;
use crate::usage::{Done, Failure, trouble};

/// A file that was read.
pub(super) struct TomlFile<T> {
    path: PathBuf,
    /// The places of the line ends, in bytes. A file of many engines asks for the line of each.
    line_ends: Vec<usize>,
    pub(super) content: T,
}

impl<T: DeserializeOwned> TomlFile<T> {
    pub(super) fn read(path: &Path) -> Done<TomlFile<T>> {
        let text = read_text(path)
            .map_err(|error| trouble(path.display(), without_error_number(&error.to_string())))?;
        let line_ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at).collect();
        let content = toml::from_str(&text).map_err(|error| {
            let line = line_of(&line_ends, error.span().map_or(0, |span| span.start));
            let (line, why) = explained(&text, line, error.message());
            located(path, line, why)
        })?;
        Ok(TomlFile {
            path: path.to_owned(),
            line_ends,
            content,
        })
    }

    /// The line of a byte, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        line_of(&self.line_ends, at)
    }

    /// An error about a line.
    pub(super) fn error(&self, line: usize, why: impl Display) -> Failure {
        located(&self.path, line, why)
    }

    /// A word whose path, if it is one, counts from the folder of the file. A program name that is not in that folder is
    /// left to the system's search path.
    pub(super) fn resolved(&self, word: String) -> String {
        let Some((key, text)) = word.split_once('=') else {
            return word;
        };
        let path = self.path.parent().unwrap_or(Path::new("")).join(text);
        let is_path = match key {
            "cmd" => text.contains('/') || path.is_file(),
            "dir" | "stderr" | "file" | "book" => !text.is_empty(),
            _ => false,
        };
        // Also where the program of `cmd=` is not relative to its `dir=`.
        match absolute(&path).to_str() {
            Some(path) if is_path => format!("{key}={path}"),
            _ => word,
        }
    }
}

/// The line of a byte, from 1.
fn line_of(line_ends: &[usize], at: usize) -> usize {
    line_ends.partition_point(|end| *end < at) + 1
}

fn located(path: &Path, line: usize, why: impl Display) -> Failure {
    Failure::Usage(format!("{}: line {line}: {why}", path.display()))
}

/// The line and the reason of a TOML error, which begins with a key. For an unknown key, Serde lists the known ones between
/// backticks. The line of a table's error is its heading: that of the key is below.
fn explained(text: &str, line: usize, message: &str) -> (usize, String) {
    let key_of = |line: usize| Some(text.lines().nth(line - 1)?.split_once('=')?.0.trim());
    let mut names = message.split('`').skip(1).step_by(2);
    if let Some(key) = names.next()
        && message.starts_with("unknown field")
    {
        return (line, format!("{key}: {}", expected_key(key, names)));
    }
    let message = message.replace('\n', ", ");
    if let Some(key) = key_of(line) {
        return (line, format!("{key}: {message}"));
    }
    let named = message.split(':').next();
    let mut below = line..=text.lines().count();
    (
        below.find(|line| key_of(*line) == named).unwrap_or(line),
        message,
    )
}

/// The error text for an unknown key: the most similar known keys, such as `game or games` for `gams`, or else all of them.
pub(super) fn expected_key<'a>(key: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let distance = |name: &&&str| strsim::damerau_levenshtein(name, key);
    let least = known.iter().map(|name| distance(&name)).min();
    let is_near = |name: &&&str| {
        distance(name) <= (key.len() / 2).min(3) || name.starts_with(key) || key.starts_with(**name)
    };
    let near = known.iter().filter(|name| Some(distance(name)) == least);
    let near: Vec<&str> = near.filter(is_near).copied().collect();
    match near.is_empty() {
        false => format!("unknown key: did you mean {}?", or_list(&near)),
        true => format!("unknown key: the keys are {}", known.join(", ")),
    }
}

/// Reads the words after a flag.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<String>, D::Error> {
    read(&Value::deserialize(input)?, flag_words).map_err(D::Error::custom)
}

/// Writes the words after a flag as one text.
pub(crate) fn serialize<S: Serializer>(words: &[String], output: S) -> Result<S::Ok, S::Error> {
    output.serialize_str(&words.iter().cloned().map(quote).join(" "))
}

/// The words of an engine, which are checked when they are read: there their line is known.
#[derive(Debug, Clone, Default)]
pub struct EngineLine(pub Vec<String>);

impl EngineLine {
    /// The words of an engine, without its file of standard error.
    pub(crate) fn of(spec: &EngineSpec) -> EngineLine {
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
        let has_own_margin = spec.margin_ms != spec.limit.default_margin_ms();
        words.extend((spec.proto != Proto::Ugi).then(|| format!("proto={}", spec.proto)));
        words.extend(spec.limit.to_string().split(' ').map(str::to_owned));
        words.extend(has_own_margin.then(|| format!("timemargin={}", spec.margin_ms)));
        words.extend(spec.ponder.then(|| "ponder".to_owned()));
        words.extend((spec.restart != Restart::Auto).then(|| format!("restart={}", spec.restart)));
        let mut process = spec.process;
        let own = process.by_word().into_iter();
        words.extend(own.filter_map(|(word, limit)| Some(format!("{word}={}", (*limit)?))));
        words.extend(spec.options.iter().map(|(name, value)| match value {
            Some(value) => format!("option.{name}={value}"),
            None => format!("option.{name}"),
        }));
        EngineLine(words)
    }
}

impl<'de> Deserialize<'de> for EngineLine {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<EngineLine, D::Error> {
        let value = Value::deserialize(input)?;
        let mut known = Words::default();
        let words = read(&value, |key, value| {
            let words = engine_words(key, value)?;
            take(&mut known, &words).map(|()| words)
        });
        let words = words.and_then(|words| {
            if !value.is_table() {
                take(&mut known, &words)?;
            }
            known.limit()?;
            Ok(EngineLine(words))
        });
        words.map_err(D::Error::custom)
    }
}

/// The words of `--rules` for a game of the engines file.
pub(super) struct GameLine(pub(super) Vec<String>);

impl<'de> Deserialize<'de> for GameLine {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<GameLine, D::Error> {
        let value = Value::deserialize(input)?;
        let words = read(&value, |key, value| match key {
            "rules" => flag_words("cmd", value),
            "name" | "dir" | "args" | "options" => engine_words(key, value),
            _ => {
                let known = ["name", "rules", "args", "dir", "options"];
                Err(expected_key(key, known.into_iter()))
            }
        });
        words.map(GameLine).map_err(D::Error::custom)
    }
}

impl Serialize for EngineLine {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        serialize(&self.0, output)
    }
}

fn take(known: &mut Words, words: &[String]) -> Result<(), String> {
    words.iter().try_for_each(|word| known.take(word))
}

/// The words of a text, a list or a table. An error in a table begins with its key.
fn read(
    value: &Value,
    mut of_entry: impl FnMut(&str, &Value) -> Result<Vec<String>, String>,
) -> Result<Vec<String>, String> {
    match value {
        Value::String(text) => {
            shlex::split(text).ok_or_else(|| "a quotation mark is not closed".to_owned())
        }
        Value::Array(items) => items.iter().map(text).collect(),
        Value::Table(table) => {
            let entries = table
                .iter()
                .map(|(key, value)| of_entry(key, value).map_err(|why| format!("{key}: {why}")));
            Ok(entries.collect::<Result<Vec<_>, _>>()?.concat())
        }
        _ => Err("write words in one text, in a list, or as a table".to_owned()),
    }
}

fn flag_words(key: &str, value: &Value) -> Result<Vec<String>, String> {
    Ok(match value {
        Value::Boolean(is_set) => is_set.then(|| key.to_owned()).into_iter().collect(),
        value => vec![format!("{key}={}", text(value)?)],
    })
}

/// Keys with several values. All other keys are spelled like the words of the command line.
const LISTS: [&str; 3] = ["args", "options", "buttons"];

fn engine_words(key: &str, value: &Value) -> Result<Vec<String>, String> {
    match (key, value) {
        ("args" | "arg", value) => each(value, |arg| format!("arg={arg}")),
        ("buttons", value) => each(value, |name| format!("option.{name}")),
        ("options" | "option", Value::Table(options)) => options
            .iter()
            .map(|(name, value)| Ok(format!("option.{name}={}", text(value)?)))
            .collect(),
        ("options" | "option", _) => {
            Err("write a table of names and values, as in { Hash = 64 }".to_owned())
        }
        _ if words::keys().any(|known| known == key) => flag_words(key, value),
        _ => {
            let known = words::keys().filter(|known| !matches!(*known, "arg" | "option.NAME"));
            Err(expected_key(key, known.chain(LISTS)))
        }
    }
}

/// One text or several.
fn each(value: &Value, word: impl Fn(String) -> String) -> Result<Vec<String>, String> {
    match value {
        Value::Array(items) => items.iter().map(|item| text(item).map(&word)).collect(),
        one => Ok(vec![word(text(one)?)]),
    }
}

fn text(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Ok(value.to_string()),
        _ => Err("write a text, a number, true or false".to_owned()),
    }
}
