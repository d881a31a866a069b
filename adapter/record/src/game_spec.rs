//! The game of a match: its name and options, and the program that knows its rules, if they are not compiled in.

use std::path::Path;
use std::{fmt, fs};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::digest::hex;

/// Name of a game without built-in rules.
pub const ANY: &str = "any";

/// A game and its options.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GameSpec {
    /// A name from the registry, or [`ANY`].
    pub name: String,
    /// The options given by the user, as names and values.
    pub options: Vec<(String, String)>,
}

impl fmt::Display for GameSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        for (index, (name, value)) in self.options.iter().enumerate() {
            let split = if index == 0 { ':' } else { ',' };
            write!(f, "{split}{name}={value}")?;
        }
        Ok(())
    }
}

impl GameSpec {
    /// A game with its options as names and values.
    pub fn new<'a>(name: &str, options: impl IntoIterator<Item = (&'a str, &'a str)>) -> GameSpec {
        let options = options.into_iter();
        GameSpec {
            name: name.to_owned(),
            options: options
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
        }
    }

    /// A game with its options as `NAME=VALUE` words between spaces, as UGI writes them. Skips other words.
    pub fn with_words(name: &str, options: &str) -> GameSpec {
        let words = options.split_whitespace();
        GameSpec::new(name, words.filter_map(|word| word.split_once('=')))
    }

    /// Parses `NAME[:OPTION=VALUE,...]`, without checking that the game and its options exist. The error names the
    /// invalid word.
    pub fn parse(text: &str) -> Result<GameSpec, String> {
        let (name, options) = text.split_once(':').unwrap_or((text, ""));
        let words = options.split(',').filter(|word| !word.is_empty());
        let pairs = words.map(|word| {
            let pair = word.split_once('=').filter(|(name, _)| !name.is_empty());
            pair.ok_or_else(|| format!("option {word:?}: write NAME=VALUE"))
        });
        Ok(GameSpec::new(name, pairs.collect::<Result<Vec<_>, _>>()?))
    }
}

/// A program that knows the rules of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RulesSpec {
    /// Its command in the words of `--rules`.
    pub words: Vec<String>,
    /// SHA-256 of the files among the words, in hex.
    pub hash: String,
}

impl RulesSpec {
    /// The program of these words, with the hash of its files as they are now.
    pub(crate) fn new(words: &[String]) -> RulesSpec {
        RulesSpec {
            words: words.to_vec(),
            hash: hash(words),
        }
    }

    /// `true` if a file among the words has changed.
    pub fn has_changed(&self) -> bool {
        hash(&self.words) != self.hash
    }
}

/// The hash of the files among the words of a program.
fn hash(words: &[String]) -> String {
    let mut hasher = Sha256::new();
    for word in words {
        let (_, value) = word.split_once('=').unwrap_or_default();
        let bytes = Path::new(value).is_file().then(|| fs::read(value));
        if let Some(Ok(bytes)) = bytes {
            hasher.update((bytes.len() as u64).to_be_bytes());
            hasher.update(bytes);
        }
    }
    hex(&hasher.finalize())
}
