//! Openings from a file: a line each, or the beginnings of the games of a PGN.

use std::fmt;
use std::path::{Path, PathBuf};

use super::Opening;
use crate::record::read_pgn;
use crate::registry::Rules;

/// Why a file holds no openings.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileError {
    /// The file.
    pub path: PathBuf,
    /// The line, from 1; `None` where the whole file is meant.
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

/// Reads all openings of a file, at most `plies` moves of each; each is held against the rules where there are any.
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
    let text = std::fs::read_to_string(path).map_err(|why| error(None, why.to_string()))?;
    let mut openings = Vec::new();
    for (number, mut opening) in candidates(&text) {
        opening.moves.truncate(plies.unwrap_or(usize::MAX));
        let verdict = rules.map_or(Ok(()), |rules| rules.check(&opening));
        verdict.map_err(|why| error(Some(number), why.to_string()))?;
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

/// Openings with the numbers of their lines.
fn candidates(text: &str) -> Vec<(usize, Opening)> {
    if text.trim_start().starts_with('[') {
        return read_pgn(text)
            .into_iter()
            .map(|game| (game.line, game.record.opening_line()))
            .collect();
    }
    let is_blank = |line: &str| line.trim().is_empty() || line.starts_with('#');
    text.lines()
        .enumerate()
        .filter(|(_, line)| !is_blank(line))
        .map(|(index, line)| (index + 1, Opening::parse(line)))
        .collect()
}
