//! Flags with several words, each `KEY=VALUE` or a bare word.

use std::str::FromStr;

use record::adjudication::{DrawRule, ResignRule};
use record::stats::{Model, Sprt};

use crate::usage::{Failure, OrFail, usage};

/// The words after one flag; each is removed when it is read.
pub(crate) struct Keys<'a> {
    flag: &'static str,
    expected: &'static str,
    words: Vec<&'a str>,
}

impl<'a> Keys<'a> {
    pub(crate) fn new(flag: &'static str, expected: &'static str, words: &'a [String]) -> Keys<'a> {
        Keys {
            flag,
            expected,
            words: words.iter().map(String::as_str).collect(),
        }
    }

    /// Removes a key and returns its value, if it is present.
    pub(crate) fn find(&mut self, key: &str) -> Option<&'a str> {
        let value = |word: &&'a str| word.strip_prefix(key)?.strip_prefix('=');
        let at = self.words.iter().position(|word| value(word).is_some())?;
        value(&self.words.remove(at))
    }

    /// Removes a bare word; `true` if it was present.
    pub(crate) fn has(&mut self, word: &str) -> bool {
        let found = self.words.iter().position(|known| *known == word);
        found.map(|at| self.words.remove(at)).is_some()
    }

    /// The value of a key as a number.
    pub(crate) fn number<T: FromStr>(&mut self, key: &str) -> Result<Option<T>, Failure> {
        let Some(value) = self.find(key) else {
            return Ok(None);
        };
        let bad = |_| self.bad(&format!("{key}={value}"));
        value.parse().map(Some).map_err(bad)
    }

    /// Returns an error if a word was not read.
    pub(crate) fn end(&self) -> Result<(), Failure> {
        self.words
            .first()
            .map_or(Ok(()), |word| Err(self.bad(word)))
    }

    /// The error for an unexpected word.
    pub(crate) fn bad(&self, word: &str) -> Failure {
        usage(self.flag, format!("{word:?}: give {}", self.expected))
    }

    /// The value of a key that has no default.
    fn needed<T>(&self, key: &str, value: Option<T>) -> Result<T, Failure> {
        let why = || format!("{key}= is missing: give {}", self.expected);
        value.ok_or_else(|| usage(self.flag, why()))
    }
}

/// Parses the words of `--draw`.
pub(crate) fn draw(words: &[String]) -> Result<Option<DrawRule>, Failure> {
    if words.is_empty() {
        return Ok(None);
    }
    let mut keys = Keys::new("--draw", DrawRule::WORDS, words);
    let number = keys.number("movenumber")?;
    let (count, score) = (keys.number("movecount")?, keys.number("score")?);
    keys.end()?;
    Ok(Some(DrawRule {
        move_number: keys.needed("movenumber", number)?,
        move_count: keys.needed("movecount", count)?,
        score: keys.needed("score", score)?,
    }))
}

/// Parses the words of `--resign`.
pub(crate) fn resign(words: &[String]) -> Result<Option<ResignRule>, Failure> {
    if words.is_empty() {
        return Ok(None);
    }
    let mut keys = Keys::new("--resign", ResignRule::WORDS, words);
    let (count, score) = (keys.number("movecount")?, keys.number("score")?);
    let two_sided = keys.has("twosided");
    keys.end()?;
    Ok(Some(ResignRule {
        move_count: keys.needed("movecount", count)?,
        score: keys.needed("score", score)?,
        two_sided,
    }))
}

/// Probability of an error of `--sprt` without `alpha=` and `beta=`.
const USUAL_ERROR: f64 = 0.05;

/// Parses the words of `--sprt`.
pub(crate) fn sprt(words: &[String]) -> Result<Option<Sprt>, Failure> {
    if words.is_empty() {
        return Ok(None);
    }
    let mut keys = Keys::new("--sprt", Sprt::WORDS, words);
    let (elo0, elo1) = (keys.number("elo0")?, keys.number("elo1")?);
    let (alpha, beta) = (keys.number("alpha")?, keys.number("beta")?);
    let model = match keys.find("model") {
        None | Some("logistic") => Model::Logistic,
        Some("normalized") => Model::Normalized,
        Some(other) => return Err(keys.bad(&format!("model={other}"))),
    };
    keys.end()?;
    let test = Sprt {
        elo0: keys.needed("elo0", elo0)?,
        elo1: keys.needed("elo1", elo1)?,
        alpha: alpha.unwrap_or(USUAL_ERROR),
        beta: beta.unwrap_or(USUAL_ERROR),
        model,
    };
    test.check().or_usage("--sprt").map(|()| Some(test))
}
