//! Completion, and a copy of the typed text.

use std::borrow::Cow;
use std::sync::Arc;

use rustyline::completion::{Completer, FilenameCompleter};
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::validate::Validator;
use rustyline::{Context, Helper};

use super::shared::Shared;
use crate::play::word::{self, Typed, Word};

/// Completes words and legal moves, and stores the typed text.
pub(super) struct LineHelper(pub(super) Arc<Shared>);

impl Completer for LineHelper {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(candidates(&line[..at], &self.0.completions.lock()))
    }
}

/// The beginning of the last word of a typed text, and the words or names of files that complete it.
pub(crate) fn candidates(typed: &str, words: &[String]) -> (usize, Vec<String>) {
    if names_file(typed) {
        let found = FilenameCompleter::new().complete_path(typed, typed.len());
        let (start, found) = found.unwrap_or_default();
        let names = found.into_iter().map(|pair| pair.replacement);
        return (start, names.collect());
    }
    let start = typed.rfind([' ', ':']).map_or(0, |before| before + 1);
    let beginning = typed[start..].to_ascii_lowercase();
    let fits = |word: &&String| word.to_ascii_lowercase().starts_with(&beginning);
    (start, words.iter().filter(fits).cloned().collect())
}

/// `true` if the typed text continues a word whose argument is a file.
fn names_file(typed: &str) -> bool {
    let word = match word::read(typed) {
        Ok(Typed::Word(word, _)) => word,
        _ => return false,
    };
    typed.contains(' ') && matches!(word, Word::Save | Word::Load)
}

impl Hinter for LineHelper {
    type Hint = String;

    fn hint(&self, line: &str, _: usize, _: &Context<'_>) -> Option<String> {
        line.clone_into(&mut self.0.typed.lock());
        None
    }
}

impl Highlighter for LineHelper {
    fn highlight_prompt<'b, 's: 'b, 'p: 'b>(&'s self, prompt: &'p str, _: bool) -> Cow<'b, str> {
        Cow::Borrowed(prompt)
    }
}

impl Validator for LineHelper {}

impl Helper for LineHelper {}
