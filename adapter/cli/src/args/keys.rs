//! Flags with several words, each `KEY=VALUE` or a bare word.

use record::stats::Sprt;
use serde::Serialize;
use serde::de::DeserializeOwned;
use toml::{Table, Value};

use crate::usage::{Done, OrFail, usage};

/// Reads words into the value that has their keys as its fields, a bare word as one that is `true`; `None` without words.
pub(crate) fn read<T: DeserializeOwned + Serialize>(
    flag: &str,
    expected: &str,
    words: &[String],
) -> Done<Option<T>> {
    if words.is_empty() {
        return Ok(None);
    }
    let bad = |word: &str| usage(flag, format!("{word:?}: give {expected}"));
    let mut given = Table::new();
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or((word, "true"));
        let whole = value.parse().map(Value::Integer);
        let number = whole.or_else(|_| value.parse().map(Value::Float));
        let value = match value {
            "true" => Value::Boolean(true),
            text => number.unwrap_or_else(|_| Value::from(text)),
        };
        if given.insert(key.to_owned(), value).is_some() {
            return Err(bad(word));
        }
    }
    let read: Result<T, toml::de::Error> = given.clone().try_into();
    let read = read.map_err(|error| match error.message().split('`').nth(1) {
        Some(field) if error.message().starts_with("missing field") => {
            let key = field.replace('_', "");
            usage(flag, format!("{key}= is missing: give {expected}"))
        }
        _ => bad(&words.join(" ")),
    })?;
    let known = fields(&read);
    match given
        .keys()
        .find(|key| !known.iter().any(|(known, _)| known == *key))
    {
        Some(unknown) => Err(bad(unknown)),
        None => Ok(Some(read)),
    }
}

/// The words of which [`read`] makes this value.
pub(crate) fn format<T: Serialize>(value: &T) -> Vec<String> {
    let words = fields(value)
        .into_iter()
        .filter_map(|(key, value)| match value {
            Value::Boolean(is_set) => is_set.then_some(key),
            Value::Float(number) => Some(format!("{key}={number}")),
            Value::String(text) => Some(format!("{key}={text}")),
            other => Some(format!("{key}={other}")),
        });
    words.collect()
}

/// The fields of a value, by the words for them.
fn fields<T: Serialize>(value: &T) -> Vec<(String, Value)> {
    let fields = Table::try_from(value).unwrap_or_default().into_iter();
    fields
        .map(|(key, value)| (key.replace('_', ""), value))
        .collect()
}

/// Reads the words of `--sprt`.
pub(crate) fn sprt(words: &[String]) -> Done<Option<Sprt>> {
    let test: Option<Sprt> = read("--sprt", Sprt::WORDS, words)?;
    test.map_or(Ok(()), |test| test.check())
        .or_usage("--sprt")?;
    Ok(test)
}
