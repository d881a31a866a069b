//! Flags with several words, each `KEY=VALUE` or a bare word.

use std::str::FromStr;

use record::stats::Sprt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Number, Value};

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

/// Reads words into the fields of a value, which are named like them; a bare word is a field that is true. `None` without
/// words.
pub(crate) fn parse<T: DeserializeOwned + Serialize>(
    flag: &str,
    expected: &str,
    given: &[String],
) -> Result<Option<T>, Failure> {
    if given.is_empty() {
        return Ok(None);
    }
    let read = |given: &[String]| serde_json::from_value::<T>(fields(given).into());
    let missing = |error: serde_json::Error| {
        let text = error.to_string();
        let name = text.strip_prefix("missing field `")?.strip_suffix('`')?;
        Some(word_of(name))
    };
    let is_wrong = |word: &&String| {
        let alone = read(std::slice::from_ref(word));
        alone.is_err_and(|error| missing(error).is_none())
    };
    let bad = |word: &String| usage(flag, format!("{word:?}: expected {expected}"));
    if let Some(wrong) = given.iter().find(is_wrong) {
        return Err(bad(wrong));
    }
    let value = match read(given) {
        Ok(value) => value,
        Err(error) => {
            let name = missing(error).unwrap_or_default();
            return Err(usage(
                flag,
                format!("{name}= is missing: expected {expected}"),
            ));
        }
    };
    let known = serde_json::to_value(&value).expect("plain data");
    let known = known.as_object().into_iter().flat_map(|known| known.keys());
    let mut known: Vec<String> = known.map(|name| word_of(name)).collect();
    for word in given {
        let key = word.split('=').next().unwrap_or_default();
        let at = known.iter().position(|known| known == key);
        // Each word stands once.
        known.swap_remove(at.ok_or_else(|| bad(word))?);
    }
    Ok(Some(value))
}

/// The words of a value: those that [`parse`] reads, in the order of its fields, which are numbers, names and flags.
pub(crate) fn words(value: &impl Serialize) -> Vec<String> {
    let json = serde_json::to_string(value).expect("plain data");
    let word = |field: &str| {
        let (name, value) = field.split_once(':')?;
        let name = word_of(name.trim_matches('"'));
        match value.trim_matches('"') {
            "true" => Some(name),
            "false" => None,
            value => Some(format!("{name}={}", value.trim_end_matches(".0"))),
        }
    };
    let fields = json.trim_matches(['{', '}']).split(',');
    fields.filter_map(word).collect()
}

fn word_of(field: &str) -> String {
    field.replace('_', "")
}

fn fields(words: &[String]) -> Map<String, Value> {
    let field = |word: &String| match word.split_once('=') {
        None => (word.clone(), Value::Bool(true)),
        Some((key, text)) => {
            let whole = text.parse().ok().map(u64::into);
            let number = || Number::from_f64(text.parse().ok()?).map(Value::Number);
            let value = whole.or_else(number);
            (key.to_owned(), value.unwrap_or_else(|| text.into()))
        }
    };
    words.iter().map(field).collect()
}

/// Parses the words of `--sprt`.
pub(crate) fn sprt(words: &[String]) -> Result<Option<Sprt>, Failure> {
    let test: Option<Sprt> = parse("--sprt", Sprt::WORDS, words)?;
    if let Some(test) = &test {
        test.check().or_usage("--sprt")?;
    }
    Ok(test)
}
