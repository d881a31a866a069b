//! Words of the command line as TOML has them: one text that is split as a shell splits it, a list, or a table of keys and
//! values.

use std::fmt;

use serde::de::{DeserializeSeed, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Value;

use super::file::expected_key;
use crate::engines::words::{self, Words, quote};

/// Reads the words after a flag.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<String>, D::Error> {
    input.deserialize_any(WordsVisitor { is_engine: false })
}

/// Writes the words after a flag as one text.
pub(crate) fn serialize<S: Serializer>(words: &[String], output: S) -> Result<S::Ok, S::Error> {
    let words: Vec<String> = words.iter().cloned().map(quote).collect();
    output.serialize_str(&words.join(" "))
}

/// The words of an engine. Each is checked when it is read, where its line is known.
#[derive(Debug, Clone, Default)]
pub struct EngineLine(pub Vec<String>);

impl<'de> Deserialize<'de> for EngineLine {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<EngineLine, D::Error> {
        let words = input.deserialize_any(WordsVisitor { is_engine: true });
        words.map(EngineLine)
    }
}

impl Serialize for EngineLine {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        serialize(&self.0, output)
    }
}

struct WordsVisitor {
    is_engine: bool,
}

impl WordsVisitor {
    fn checked<E: Error>(&self, words: Vec<String>) -> Result<Vec<String>, E> {
        let mut read = Words::default();
        if self.is_engine {
            let sound = words.iter().try_for_each(|word| read.take(word));
            sound.and_then(|()| read.limit()).map_err(E::custom)?;
        }
        Ok(words)
    }
}

impl<'de> Visitor<'de> for WordsVisitor {
    type Value = Vec<String>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("words in one text, in a list, or as a table")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Vec<String>, E> {
        let words = shlex::split(text);
        self.checked(words.ok_or_else(|| E::custom("a quotation mark is not closed"))?)
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Vec<String>, A::Error> {
        let mut words = Vec::new();
        while let Some(word) = list.next_element()? {
            words.push(word);
        }
        self.checked(words)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut table: A) -> Result<Vec<String>, A::Error> {
        let mut read = self.is_engine.then(Words::default);
        let mut words = Vec::new();
        while let Some(key) = table.next_key::<String>()? {
            let read = read.as_mut();
            words.extend(table.next_value_seed(Entry { key: &key, read })?);
        }
        let limit = read.map_or(Ok(None), |read| read.limit());
        limit.map(|_| words).map_err(A::Error::custom)
    }
}

/// An entry of a table. `read` has the words of an engine so far.
struct Entry<'a> {
    key: &'a str,
    read: Option<&'a mut Words>,
}

impl<'de> DeserializeSeed<'de> for Entry<'_> {
    type Value = Vec<String>;

    fn deserialize<D: Deserializer<'de>>(self, input: D) -> Result<Vec<String>, D::Error> {
        let value = Value::deserialize(input)?;
        let words = match self.read {
            None => flag_words(self.key, &value),
            Some(read) => engine_words(self.key, &value).and_then(|words| {
                words.iter().try_for_each(|word| read.take(word))?;
                Ok(words)
            }),
        };
        words.map_err(D::Error::custom)
    }
}

fn flag_words(key: &str, value: &Value) -> Result<Vec<String>, String> {
    Ok(match value {
        Value::Boolean(is_set) => is_set.then(|| key.to_owned()).into_iter().collect(),
        value => vec![format!("{key}={}", text(value)?)],
    })
}

/// Keys with several values. All other keys are spelled like the words of the command line.
const LISTS: [&str; 3] = ["args", "options", "buttons"];

fn engine_words(key: &str, value: &Value) -> Result<Vec<String>, String> {
    match (key, value) {
        ("args" | "arg", value) => each(value, |arg| format!("arg={arg}")),
        ("buttons", value) => each(value, |name| format!("option.{name}")),
        ("options" | "option", Value::Table(options)) => options
            .iter()
            .map(|(name, value)| Ok(format!("option.{name}={}", text(value)?)))
            .collect(),
        ("options" | "option", _) => Err("expected a table of names and values".to_owned()),
        _ if words::keys().any(|known| known == key) => flag_words(key, value),
        _ => {
            let known = words::keys().filter(|known| !matches!(*known, "arg" | "option.NAME"));
            Err(expected_key(key, known.chain(LISTS)))
        }
    }
}

/// One text or several.
fn each(value: &Value, word: impl Fn(String) -> String) -> Result<Vec<String>, String> {
    match value {
        Value::Array(items) => items.iter().map(|item| text(item).map(&word)).collect(),
        one => Ok(vec![word(text(one)?)]),
    }
}

fn text(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Integer(_) | Value::Float(_) | Value::Boolean(_) => Ok(value.to_string()),
        _ => Err("expected a text, a number, true or false".to_owned()),
    }
}
