//! Places in a file, and what is said of a key or a path in one.

use std::path::{Path, PathBuf};

use kit::options::or_list;

use crate::usage::Failure;

/// A line of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Place {
    path: PathBuf,
    /// Counted from 1.
    line: usize,
}

impl Place {
    pub(super) fn new(path: &Path, line: usize) -> Place {
        Place {
            path: path.to_owned(),
            line,
        }
    }

    /// An error that names the file, the line and the key.
    pub(super) fn error(&self, key: &str, why: &dyn std::fmt::Display) -> Failure {
        let (path, line) = (self.path.display(), self.line);
        let key = if key.is_empty() {
            String::new()
        } else {
            format!("{key}: ")
        };
        Failure::Usage(format!("{path}: line {line}: {key}{why}"))
    }
}

/// Resolves a path relative to the folder of the file that contains it.
pub(super) fn from_folder_of(file: &Path, path: &str) -> PathBuf {
    file.parent().unwrap_or_else(|| Path::new("")).join(path)
}

/// Replaces the path in a word that names a file: `file=PATH` or `book=PATH` of `--openings`.
pub(super) fn with_path(word: &str, path: impl Fn(&str) -> String) -> String {
    match word.split_once('=') {
        Some((key @ ("file" | "book"), old)) => format!("{key}={}", path(old)),
        _ => word.to_owned(),
    }
}

/// The error text for an unknown key: the most similar known keys, or else all of them.
pub(super) fn expected_key<'a>(key: &str, known: impl Iterator<Item = &'a str>) -> String {
    let known: Vec<&str> = known.collect();
    let distance = |name: &str| strsim::damerau_levenshtein(name, key);
    let least = known.iter().map(|name| distance(name)).min();
    let is_near = |name: &&str| {
        Some(distance(name)) == least
            && (distance(name) <= (key.len() / 2).min(3)
                || name.starts_with(key)
                || key.starts_with(*name))
    };
    let near: Vec<&str> = known.iter().copied().filter(is_near).collect();
    match near.as_slice() {
        [] => format!("unknown key: expected {}", known.join(", ")),
        // `gams` may be `game` or `games`.
        near => format!("unknown key: expected {}", or_list(near)),
    }
}
