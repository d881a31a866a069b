//! The engines file: the user's engines, each with a name.

use std::cell::OnceCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use kit::GameEntry;
use serde::Deserialize;
use toml::Spanned;

use super::file::TomlFile;
use super::words::EngineLine;
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
    game: Vec<Spanned<GameTable>>,
}

/// A game whose rules are a program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct GameTable {
    name: String,
    /// The program.
    rules: String,
    #[serde(default)]
    args: Vec<String>,
    dir: Option<String>,
    #[serde(default)]
    options: toml::Table,
}

impl GameTable {
    /// The words of `--rules`.
    fn words(&self) -> Vec<String> {
        let own = [format!("name={}", self.name), format!("cmd={}", self.rules)];
        let args = self.args.iter().map(|arg| format!("arg={arg}"));
        let dir = self.dir.iter().map(|dir| format!("dir={dir}"));
        let option = |(name, value): (&String, &toml::Value)| match value.as_str() {
            Some(text) => format!("option.{name}={text}"),
            None => format!("option.{name}={value}"),
        };
        let options = self.options.iter().map(option);
        own.into_iter()
            .chain(args)
            .chain(dir)
            .chain(options)
            .collect()
    }
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
        let (mut all, mut lines) = (Vec::new(), HashMap::new());
        for table in &file.content.engine {
            let line = file.line(table.span().start);
            let words = &table.get_ref().0;
            let words = words.iter().map(|word| file.resolved(word.clone()));
            let engine = described(line, words.collect());
            let engine = engine.map_err(|why| file.error(line, why))?;
            if let Some(at) = lines.insert(engine.name.clone(), line) {
                let (name, also) = (&engine.name, "is also the engine of line");
                let why = format!("name: {name:?} {also} {at}: give it another name");
                return Err(file.error(line, why));
            }
            all.push(engine);
        }
        Ok(all)
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
        let (mut entries, mut lines) = (Vec::new(), HashMap::new());
        for game in &file.content.game {
            let (line, game) = (file.line(game.span().start), game.get_ref());
            if let Some(at) = lines.insert(&game.name, line) {
                let (name, also) = (&game.name, "is also the game of line");
                let why = format!("name: {name:?} {also} {at}: give it another name");
                return Err(file.error(line, why));
            }
            let words = game.words().into_iter();
            let words: Vec<String> = words.map(|word| file.resolved(word)).collect();
            entries.push(entry(&words).map_err(|error| file.error(line, error.text()))?);
        }
        Ok(entries)
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
            let known: Vec<&str> = all.iter().map(|engine| engine.name.as_str()).collect();
            let (path, known) = (path.display(), known.join(", "));
            Failure::Usage(format!(
                "conf={name}: {path} has no engine of this name, but {known}"
            ))
        })
    }
}

fn described(line: usize, words: Vec<String>) -> Result<Described, &'static str> {
    let find = |key: &str| words.iter().find_map(|word| word.strip_prefix(key));
    if find("conf=").is_some() {
        return Err(
            "conf: an engine of this file cannot refer to another one: write its own words",
        );
    }
    let name = find("name=")
        .ok_or("name is missing: add name = \"NAME\", by which conf=NAME finds the engine")?;
    if find("cmd=").is_none() && !words.iter().any(|word| word == "builtin") {
        return Err("cmd is missing: add cmd = \"PATH\" or builtin = true");
    }
    let name = name.to_owned();
    Ok(Described { name, line, words })
}

/// Reads the words after a flag, with `conf=` looked up in the user's engines file.
pub fn read_words(flag: &str, words: &[String]) -> Result<Words, Failure> {
    EnginesFile::default().words(flag, words)
}
