//! The engines file: the user's engines, each with a name.

use std::path::{Path, PathBuf};

use super::document::{Document, Entry, Value};
use super::engine_table::{engine_words, entry_words, resolved};
use super::place::expected_key;
use crate::engines::words::Words;
use crate::paths;
use crate::usage::{Failure, OrFail, refuse};

/// The key of the games in the file.
const GAME: &str = "game";

/// The file that describes engines by name. It is read on the first lookup of an engine.
#[derive(Debug, Clone, Default)]
pub(crate) struct EnginesFile {
    /// The path of `--engines`; the default file if `None`.
    given: Option<PathBuf>,
}

/// An engine of the file.
pub(crate) struct Described {
    pub(crate) name: String,
    /// Line of its first key, counted from 1.
    pub(crate) line: usize,
    /// The words after `--engine` that describe it.
    pub(crate) words: Vec<String>,
}

impl EnginesFile {
    /// The given file, or else the user's default file.
    pub(crate) fn new(given: Option<&Path>) -> EnginesFile {
        EnginesFile {
            given: given.map(Path::to_owned),
        }
    }

    /// The path: the given one, or `linesman/engines.toml` in the user's configuration folder.
    pub(crate) fn path(&self) -> Result<PathBuf, Failure> {
        let own = || paths::config().map(|folder| folder.join("engines.toml"));
        match &self.given {
            Some(path) => Ok(path.clone()),
            None => own().or_trouble("--engines"),
        }
    }

    /// Reads all engines, in the order of the file.
    pub(crate) fn read(&self) -> Result<Vec<Described>, Failure> {
        let document = Document::read(&self.path()?)?;
        let mut all: Vec<Described> = Vec::new();
        for entry in &document.entries {
            let place = document.place(entry.line);
            let tables = match &entry.value {
                Value::List(tables) if entry.key == GAME => {
                    for (_, table) in tables {
                        game_words(&document, table)?;
                    }
                    continue;
                }
                _ if entry.key != "engine" => {
                    let why = expected_key(&entry.key, ["engine", GAME].into_iter());
                    return Err(place.error(&entry.key, &why));
                }
                Value::List(tables) => tables,
                _ => return Err(place.error("engine", &"expected [[engine]] before each engine")),
            };
            for (line, table) in tables {
                let engine = described(&document, *line, table)?;
                if let Some(known) = all.iter().find(|known| known.name == engine.name) {
                    let why = format!(
                        "{:?}: line {} has an engine of this name: expected a different name",
                        known.name, known.line
                    );
                    return Err(document.place(engine.line).error("name", &why));
                }
                all.push(engine);
            }
        }
        Ok(all)
    }

    /// The words of `--rules` for each `[[game]]`. None if the file cannot be read; a command that needs it reports that.
    pub(crate) fn games(&self) -> Vec<Vec<String>> {
        let document = self.path().and_then(|path| Document::read(&path));
        let Ok(document) = document else {
            return Vec::new();
        };
        let games = document.entries.iter().filter(|entry| entry.key == GAME);
        let tables = games.filter_map(|entry| match &entry.value {
            Value::List(tables) => Some(tables),
            _ => None,
        });
        let words = |(_, table): &(usize, Value)| game_words(&document, table).ok();
        tables.flatten().filter_map(words).collect()
    }

    /// Reads the words after a flag; an error names the flag and the word. `conf=` is looked up in this file.
    pub(crate) fn words(&self, flag: &str, words: &[String]) -> Result<Words, Failure> {
        let read = Words::read_plain(flag, words)?;
        let Some(name) = read.conf() else {
            return Ok(read);
        };
        let known = Words::read_plain(flag, &self.find(name)?)?;
        Ok(read.over(&known))
    }

    /// The words of the engine with this name.
    ///
    /// # Errors
    /// An error describes what is wrong with the file, or lists its engines.
    fn find(&self, name: &str) -> Result<Vec<String>, Failure> {
        let path = self.path()?;
        if self.given.is_none() && !path.exists() {
            let path = path.display();
            return refuse!(
                "conf={name}: {path} does not exist: expected this file, or --engines FILE"
            );
        }
        let all = self.read()?;
        let known: Vec<&str> = all.iter().map(|engine| engine.name.as_str()).collect();
        let known = known.join(", ");
        let found = all.into_iter().find(|engine| engine.name == name);
        found.map(|engine| engine.words).ok_or_else(|| {
            let path = path.display();
            Failure::Usage(format!(
                "conf={name}: expected an engine of {path}: {known}"
            ))
        })
    }
}

/// The words of `--rules` for a game of the file: its name, and its program as `rules`, with `args`, `dir` and `options`.
fn game_words(document: &Document, table: &Value) -> Result<Vec<String>, Failure> {
    let Value::Table(entries) = table else {
        let why = "expected [[game]] before each game";
        return Err(document.place(1).error(GAME, &why));
    };
    let mut words = Vec::new();
    for entry in entries {
        let found = match (entry.key.as_str(), entry.value.text()) {
            ("rules", Some(path)) => Ok(vec![format!(
                "cmd={}",
                resolved(&document.path, "cmd", path)
            )]),
            ("rules", None) => Err("expected a text".to_owned()),
            ("name" | "args" | "dir" | "options", _) => entry_words(&document.path, entry),
            (key, _) => Err(expected_key(
                key,
                ["name", "rules", "args", "dir", "options"].into_iter(),
            )),
        };
        words.extend(found.map_err(|why| document.place(entry.line).error(&entry.key, &why))?);
    }
    for key in ["name", "cmd"] {
        if !words
            .iter()
            .any(|word| word.starts_with(&format!("{key}=")))
        {
            let line = entries.first().map_or(1, |entry| entry.line);
            let key = if key == "cmd" { "rules" } else { key };
            return Err(document
                .place(line)
                .error(key, &"missing: expected name and rules"));
        }
    }
    Ok(words)
}

fn described(document: &Document, line: usize, table: &Value) -> Result<Described, Failure> {
    let Value::Table(entries) = table else {
        let why = "expected [[engine]] before each engine";
        return Err(document.place(line).error("engine", &why));
    };
    let find = |key: &str| entries.iter().find(|entry| entry.key == key);
    if let Some(conf) = find("conf") {
        let why = "expected the words of the engine itself";
        return Err(document.place(conf.line).error("conf", &why));
    }
    let words = engine_words(document, entries)?;
    let line = entries.iter().map(|entry| entry.line).min().unwrap_or(line);
    let Some(name) = find("name").and_then(|entry: &Entry| entry.value.text()) else {
        let why = "missing: expected a name for conf=";
        return Err(document.place(line).error("name", &why));
    };
    if find("cmd").is_none() && !words.iter().any(|word| word == "builtin") {
        let why = "missing: expected cmd = \"PATH\" or builtin = true";
        return Err(document.place(line).error("cmd", &why));
    }
    Ok(Described {
        name: name.to_owned(),
        line,
        words,
    })
}

/// Reads the words after a flag, with `conf=` looked up in the user's engines file.
pub(crate) fn read_words(flag: &str, words: &[String]) -> Result<Words, Failure> {
    EnginesFile::default().words(flag, words)
}
