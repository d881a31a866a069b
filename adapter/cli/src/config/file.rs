//! Reading of TOML files, whose errors name the file, the line and the key.

use std::fmt::Display;
use std::path::{Path, PathBuf};

use kit::options::or_list;
use protocol::text::without_error_number;
use record::file::read_text;
use serde::de::DeserializeOwned;

use crate::paths::absolute;
use crate::usage::{Failure, trouble};

/// A file that was read.
pub(super) struct TomlFile<T> {
    path: PathBuf,
    lines: Lines,
    pub(super) content: T,
}

impl<T: DeserializeOwned> TomlFile<T> {
    pub(super) fn read(path: &Path) -> Result<TomlFile<T>, Failure> {
        let text = read_text(path).map_err(|error| {
            let why = without_error_number(&error.to_string());
            trouble(path.display(), why)
        })?;
        let lines = Lines::of(&text);
        let content = toml::from_str(&text).map_err(|error| {
            let line = lines.line(error.span().map_or(0, |span| span.start));
            let (line, why) = explained(&text, line, error.message());
            located(path, line, why)
        })?;
        Ok(TomlFile {
            path: path.to_owned(),
            lines,
            content,
        })
    }

    /// The line of a byte, from 1.
    pub(super) fn line(&self, at: usize) -> usize {
        self.lines.line(at)
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

/// The places of the line ends of a text, in bytes. A file of many engines asks for the line of each.
struct Lines(Vec<usize>);

impl Lines {
    fn of(text: &str) -> Lines {
        Lines(text.match_indices('\n').map(|(at, _)| at).collect())
    }

    /// The line of a byte, from 1.
    fn line(&self, at: usize) -> usize {
        self.0.partition_point(|end| *end < at) + 1
    }
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
