//! Conversion of a table that describes an engine into the words after `--engine`.

use std::path::Path;

use super::document::{Document, Entry, Value};
use super::place::{expected_key, from_folder_of};
use crate::engines::words::{self, Words};
use crate::paths::absolute;
use crate::usage::Failure;

/// Keys with several values. All other keys are spelled like the words of the command line.
const LISTS: [&str; 3] = ["args", "options", "buttons"];

/// The keys that limit an engine's search.
const LIMITS: [&str; 5] = ["tc", "hourglass", "st", "depth", "nodes"];

/// The words of a table. Each is checked here, where its line is known.
pub(super) fn engine_words(document: &Document, table: &[Entry]) -> Result<Vec<String>, Failure> {
    let mut read = Words::default();
    let mut all = Vec::new();
    for entry in table {
        let place = document.place(entry.line);
        let found = entry_words(&document.path, entry)
            .and_then(|found| {
                found.iter().try_for_each(|word| read.take(word))?;
                Ok(found)
            })
            .map_err(|why| place.error(&entry.key, &why))?;
        all.extend(found);
    }
    let is_limit = |entry: &&Entry| LIMITS.contains(&entry.key.as_str());
    match (read.check_limit(), table.iter().rfind(is_limit)) {
        (Err(why), Some(entry)) => Err(document.place(entry.line).error(&entry.key, &why)),
        _ => Ok(all),
    }
}

pub(super) fn entry_words(file: &Path, entry: &Entry) -> Result<Vec<String>, String> {
    let key = entry.key.as_str();
    match (key, &entry.value) {
        ("args" | "arg", value) => {
            let args = value.texts().ok_or("expected a text, or a list of texts")?;
            Ok(args.iter().map(|arg| format!("arg={arg}")).collect())
        }
        ("buttons", value) => {
            let names = value.texts().ok_or("expected a name, or a list of names")?;
            Ok(names.iter().map(|name| format!("option.{name}")).collect())
        }
        ("options" | "option", Value::Table(options)) => options.iter().map(option_word).collect(),
        ("options" | "option", _) => Err("expected a table of names and values".to_owned()),
        (key, _) if !words::keys().any(|known| known == key) => {
            let known = words::keys().filter(|known| !matches!(*known, "arg" | "option.NAME"));
            Err(expected_key(key, known.chain(LISTS)))
        }
        (key, Value::Flag(is_set)) => Ok(is_set.then(|| key.to_owned()).into_iter().collect()),
        (key, value) => {
            let text = value.text().ok_or("expected a text or a number")?;
            Ok(vec![format!("{key}={}", resolved(file, key, text))])
        }
    }
}

fn option_word(option: &Entry) -> Result<String, String> {
    let name = &option.key;
    match &option.value {
        Value::Text(value) => Ok(format!("option.{name}={value}")),
        Value::Flag(value) => Ok(format!("option.{name}={value}")),
        _ => Err(format!("{name}: expected a text, a number, true or false")),
    }
}

/// Resolves paths relative to the folder of the file. A program name without a folder that is not in that folder is
/// left to the system's search path.
pub(super) fn resolved(file: &Path, key: &str, text: &str) -> String {
    let path = from_folder_of(file, text);
    let is_path = match key {
        "cmd" => text.contains('/') || path.is_file(),
        "dir" | "stderr" => true,
        _ => false,
    };
    // The path of a program is not relative to its `dir`.
    let path = if key == "cmd" { absolute(&path) } else { path };
    match path.to_str() {
        Some(path) if is_path && !text.is_empty() => path.to_owned(),
        _ => text.to_owned(),
    }
}
