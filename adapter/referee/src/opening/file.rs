//! Openings from a file: a line each, or the beginnings of the games of a PGN.

use std::fmt;
use std::path::{Path, PathBuf};

use kit::Options;

use super::Opening;
use crate::plan::GameSpec;
use crate::record::{read_pgn, read_text};
use crate::registry::Rules;

/// Why a file of openings or positions cannot be used.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1; `None` where the whole file is unusable.
    pub line: Option<usize>,
    /// What is wrong with it.
    pub why: String,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        if let Some(line) = self.line {
            write!(f, ", line {line}")?;
        }
        write!(f, ": {}", self.why)
    }
}

impl std::error::Error for FileError {}

/// Reads all openings of a file, at most `plies` moves of each. Where there are rules, each opening is checked, and a PGN
/// must hold games with the same options.
///
/// Empty lines and lines that begin with `#` are passed over. A file that begins with `[` is a PGN.
pub fn load(
    path: &Path,
    plies: Option<usize>,
    rules: Option<&Rules>,
) -> Result<Vec<Opening>, FileError> {
    let error = |line, why: String| FileError {
        path: path.to_owned(),
        line,
        why,
    };
    let text = read_text(path).map_err(|why| error(None, why.to_string()))?;
    let mut openings = Vec::new();
    for (number, game, mut opening) in candidates(&text) {
        opening.moves.truncate(plies.unwrap_or(usize::MAX));
        let verdict = rules.map_or(Ok(()), |rules| check(rules, game.as_ref(), &opening));
        verdict.map_err(|why| error(Some(number), why))?;
        openings.push(opening);
    }
    if openings.is_empty() {
        return Err(error(
            None,
            "no openings: expected a position or a game a line".to_owned(),
        ));
    }
    Ok(openings)
}

/// The openings of a text, each with the number of its line and, in a PGN, the game that is played.
fn candidates(text: &str) -> Vec<(usize, Option<GameSpec>, Opening)> {
    if text.trim_start().starts_with('[') {
        return read_pgn(text)
            .into_iter()
            .map(|game| (game.line, game.game, game.record.opening_line()))
            .collect();
    }
    let is_blank = |line: &str| line.trim().is_empty() || line.starts_with('#');
    text.lines()
        .enumerate()
        .filter(|(_, line)| !is_blank(line))
        .map(|(index, line)| (index + 1, None, Opening::parse(line)))
        .collect()
}

fn check(rules: &Rules, game: Option<&GameSpec>, opening: &Opening) -> Result<(), String> {
    game.map_or(Ok(()), |game| check_game(rules, game))?;
    rules.check(opening).map_err(|why| why.to_string())
}

/// The tags `Game` and `Options` of a PGN must name the game that is played. An option that is not named has its default.
fn check_game(rules: &Rules, game: &GameSpec) -> Result<(), String> {
    let own = rules.entry().name;
    if game.name != own {
        return Err(format!("a game of {}: expected {own}", game.name));
    }
    let mut theirs = Options::new((rules.entry().options)());
    for (name, value) in &game.options {
        let set = theirs.set(name, Some(value));
        set.map_err(|error| format!("tag Options: {error}"))?;
    }
    let mut pairs = theirs.values().zip(rules.options().values());
    match pairs.find(|(theirs, own)| theirs != own) {
        Some(((name, theirs), (_, own))) => Err(format!(
            "a game with {name}={theirs}: expected {name}={own}"
        )),
        None => Ok(()),
    }
}
