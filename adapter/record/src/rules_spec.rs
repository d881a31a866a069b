//! The program that knows the rules of a game, as ledgers name it.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::digest::hex;
use crate::registry::Registry;

/// A program that knows the rules of a game.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RulesSpec {
    /// Its command in the words of `--rules`.
    pub words: Vec<String>,
    /// SHA-256 of the files among the words, in hex.
    pub hash: String,
}

impl RulesSpec {
    /// The program that knows the rules of a game, for its ledger; `None` for a compiled game.
    pub fn of(registry: Registry, game: &str) -> Option<RulesSpec> {
        let words = registry.find(game).ok()?.args.get(1..)?;
        Some(RulesSpec {
            words: words.to_vec(),
            hash: hash(words),
        })
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
