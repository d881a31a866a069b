//! Flags with several words, each `KEY=VALUE` or a bare word.

use std::str::FromStr;

use record::adjudication::{DrawRule, ResignRule};
use record::stats::{Model, Sprt};

use crate::usage::{Failure, OrFail};

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

    /// The value of a key as a number that `holds` accepts.
    pub(crate) fn number<T: FromStr>(
        &mut self,
        key: &str,
        holds: impl Fn(&T) -> bool,
    ) -> Result<Option<T>, Failure> {
        let Some(value) = self.find(key) else {
            return Ok(None);
        };
        let number = value.parse().ok().filter(holds);
        number
            .map(Some)
            .ok_or_else(|| self.bad(&format!("{key}={value}")))
    }

    /// Like [`number`](Keys::number), but a missing key is an error.
    pub(crate) fn required<T: FromStr>(
        &mut self,
        key: &str,
        holds: impl Fn(&T) -> bool,
    ) -> Result<T, Failure> {
        self.number(key, holds)?.ok_or_else(|| {
            Failure::Usage(format!(
                "{}: {key}= is missing: expected {}",
                self.flag, self.expected
            ))
        })
    }

    /// Returns an error if a word was not read.
    pub(crate) fn end(&self) -> Result<(), Failure> {
        self.words
            .first()
            .map_or(Ok(()), |word| Err(self.bad(word)))
    }

    /// The error for an unexpected word.
    pub(crate) fn bad(&self, word: &str) -> Failure {
        Failure::Usage(format!(
            "{}: {word:?}: expected {}",
            self.flag, self.expected
        ))
    }
}

/// Parses the words of `--draw`.
pub(crate) fn draw(words: &[String]) -> Result<DrawRule, Failure> {
    let expected = "movenumber=N movecount=N score=CP, whole numbers";
    let mut keys = Keys::new("--draw", expected, words);
    let rule = DrawRule {
        move_number: keys.required("movenumber", |_| true)?,
        move_count: keys.required("movecount", |count| *count > 0)?,
        score: keys.required("score", |_| true)?,
    };
    keys.end().map(|()| rule)
}

/// The words of `--draw` for a rule.
pub(crate) fn draw_words(rule: &DrawRule) -> Vec<String> {
    vec![
        format!("movenumber={}", rule.move_number),
        format!("movecount={}", rule.move_count),
        format!("score={}", rule.score),
    ]
}

/// Parses the words of `--resign`.
pub(crate) fn resign(words: &[String]) -> Result<ResignRule, Failure> {
    let expected = "movecount=N score=CP, whole numbers, and twosided or not";
    let mut keys = Keys::new("--resign", expected, words);
    let rule = ResignRule {
        move_count: keys.required("movecount", |count| *count > 0)?,
        score: keys.required("score", |_| true)?,
        two_sided: keys.has("twosided"),
    };
    keys.end().map(|()| rule)
}

/// The words of `--resign` for a rule.
pub(crate) fn resign_words(rule: &ResignRule) -> Vec<String> {
    let (count, score) = (rule.move_count, rule.score);
    let words = [format!("movecount={count}"), format!("score={score}")];
    let twosided = rule.two_sided.then(|| "twosided".to_owned());
    words.into_iter().chain(twosided).collect()
}

/// Parses the words of `--sprt`.
pub(crate) fn sprt(words: &[String]) -> Result<Sprt, Failure> {
    let expected = "elo0=X elo1=Y with X below Y, alpha= and beta= above 0 and together below 1, \
                    model=logistic or normalized";
    let mut keys = Keys::new("--sprt", expected, words);
    let test = Sprt {
        elo0: keys.required("elo0", |_| true)?,
        elo1: keys.required("elo1", |_| true)?,
        alpha: keys.number("alpha", |_| true)?.unwrap_or(0.05),
        beta: keys.number("beta", |_| true)?.unwrap_or(0.05),
        model: match keys.find("model") {
            None | Some("logistic") => Model::Logistic,
            Some("normalized") => Model::Normalized,
            Some(other) => return Err(keys.bad(&format!("model={other}"))),
        },
    };
    keys.end()?;
    test.check().map(|()| test).or_usage("--sprt")
}

/// The words of `--sprt` for a test.
pub(crate) fn sprt_words(test: &Sprt) -> Vec<String> {
    let model = match test.model {
        Model::Logistic => "logistic",
        Model::Normalized => "normalized",
    };
    vec![
        format!("elo0={}", test.elo0),
        format!("elo1={}", test.elo1),
        format!("alpha={}", test.alpha),
        format!("beta={}", test.beta),
        format!("model={model}"),
    ]
}
