//! The engines file: the user's engines, each with a name.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use itertools::Itertools;
use kit::GameEntry;
use serde::Deserialize;
use toml::Spanned;

use super::words::{EngineLine, GameLine, TomlFile};
use crate::engines::words::Words;
use crate::paths;
use crate::usage::{Failure, OrFail, refuse};

/// The contents of the file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Tables {
    #[serde(default)]
    engine: Vec<Spanned<EngineLine>>,
    #[serde(default)]
    game: Vec<Spanned<GameLine>>,
}

/// The file that describes engines by name. It is read on the first lookup of an engine.
#[derive(Debug, Default)]
pub struct EnginesFile {
    /// The path of `--engines`; the default file if `None`.
    given: Option<PathBuf>,
    read: OnceCell<Vec<Described>>,
}

/// An engine of the file.
#[derive(Debug)]
pub struct Described {
    /// Its name.
    pub name: String,
    /// The line of its table, counted from 1.
    pub line: usize,
    /// The words after `--engine` that describe it.
    pub words: Vec<String>,
}

impl EnginesFile {
    /// The given file, or else the user's default file.
    pub fn new(given: Option<&Path>) -> EnginesFile {
        EnginesFile {
            given: given.map(Path::to_owned),
            read: OnceCell::new(),
        }
    }

    /// The path: the given one, or `linesman/engines.toml` in the user's configuration folder.
    pub fn path(&self) -> Result<PathBuf, Failure> {
        let own = || paths::config().map(|folder| folder.join("engines.toml"));
        match &self.given {
            Some(path) => Ok(path.clone()),
            None => own().or_trouble("--engines"),
        }
    }

    /// All engines, in the order of the file.
    pub fn all(&self) -> Result<&[Described], Failure> {
        if self.read.get().is_none() {
            let _ = self.read.set(self.read()?);
        }
        Ok(self.read.get().expect("it was set"))
    }

    fn read(&self) -> Result<Vec<Described>, Failure> {
        let file = TomlFile::<Tables>::read(&self.path()?)?;
        let engines = file.content.engine.iter();
        let engines = engines.map(|table| (table.span().start, &table.get_ref().0));
        described(&file, engines, "engine")
    }

    /// The registry's entry of each `[[game]]`, made by `entry` from the words of `--rules`. A default file need not exist.
    ///
    /// # Errors
    /// The file cannot be read, or a game is described wrongly.
    pub(crate) fn games(
        &self,
        entry: impl Fn(&[String]) -> Result<GameEntry, Failure>,
    ) -> Result<Vec<GameEntry>, Failure> {
        let is_absent = |path: &PathBuf| self.given.is_none() && !path.exists();
        let Some(path) = self.path().ok().filter(|path| !is_absent(path)) else {
            return Ok(Vec::new());
        };
        let file = TomlFile::<Tables>::read(&path)?;
        let games = file.content.game.iter();
        let games = games.map(|table| (table.span().start, &table.get_ref().0));
        let entry = |game: &Described| {
            entry(&game.words).map_err(|error| file.error(game.line, error.text()))
        };
        described(&file, games, "game")?.iter().map(entry).collect()
    }

    /// Reads the words after a flag; an error names the flag and the word. `conf=` is looked up in this file.
    pub fn words(&self, flag: &str, words: &[String]) -> Result<Words, Failure> {
        let read = Words::read_plain(flag, words)?;
        let Some(name) = read.conf() else {
            return Ok(read);
        };
        let known = Words::read_plain(flag, self.find(name)?)?;
        Ok(read.over(&known))
    }

    /// The words of the engine with this name.
    ///
    /// # Errors
    /// An error describes what is wrong with the file, or lists its engines.
    fn find(&self, name: &str) -> Result<&[String], Failure> {
        let path = self.path()?;
        if self.given.is_none() && !path.exists() {
            let path = path.display();
            return refuse!(
                "conf={name}: there is no {path}: write this file, or name another one by --engines FILE"
            );
        }
        let all = self.all()?;
        let found = all.iter().find(|engine| engine.name == name);
        found.map(|engine| engine.words.as_slice()).ok_or_else(|| {
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
) -> Result<Vec<Described>, Failure> {
    let (mut all, mut lines) = (Vec::new(), HashMap::new());
    for (start, words) in tables {
        let line = file.line(start);
        let words = words.iter().map(|word| file.resolved(word.clone()));
        let words: Vec<String> = words.collect();
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
fn name_of(words: &[String], kind: &str) -> Result<String, &'static str> {
    let find = |key: &str| words.iter().find_map(|word| word.strip_prefix(key));
    if find("conf=").is_some() {
        return Err(
            "conf: an engine of this file cannot refer to another one: write its own words",
        );
    }
    let name = find("name=").ok_or("name is missing: add name = \"NAME\", by which it is found")?;
    let has_program = find("cmd=").is_some() || words.iter().any(|word| word == "builtin");
    match (has_program, kind) {
        (true, _) => Ok(name.to_owned()),
        (false, "game") => Err("rules is missing: add rules = \"PATH\""),
        (false, _) => Err("cmd is missing: add cmd = \"PATH\" or builtin = true"),
    }
}

/// Reads the words after a flag, with `conf=` looked up in the user's engines file.
pub fn read_words(flag: &str, words: &[String]) -> Result<Words, Failure> {
    EnginesFile::default().words(flag, words)
}
