//! Words of the command line as TOML has them: one text that is split as a shell splits it, a list, or a table of keys and
//! values.

use itertools::Itertools;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use toml::Value;

use super::file::expected_key;
use crate::engines::words::{self, Words, quote};

/// Reads the words after a flag.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<Vec<String>, D::Error> {
    let value = Value::deserialize(input)?;
    read(&value, flag_words).map_err(D::Error::custom)
}

/// Writes the words after a flag as one text.
pub(crate) fn serialize<S: Serializer>(words: &[String], output: S) -> Result<S::Ok, S::Error> {
    output.serialize_str(&words.iter().cloned().map(quote).join(" "))
}

/// The words of an engine, which are checked when they are read: there their line is known.
#[derive(Debug, Clone, Default)]
pub struct EngineLine(pub Vec<String>);

impl<'de> Deserialize<'de> for EngineLine {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<EngineLine, D::Error> {
        let value = Value::deserialize(input)?;
        let mut known = Words::default();
        let words = read(&value, |key, value| {
            let words = engine_words(key, value)?;
            take(&mut known, &words).map(|()| words)
        });
        let words = words.and_then(|words| {
            if !value.is_table() {
                take(&mut known, &words)?;
            }
            known.limit().map(|_| EngineLine(words))
        });
        words.map_err(D::Error::custom)
    }
}

/// The words of `--rules` for a game of the engines file.
pub(super) struct GameLine(pub(super) Vec<String>);

impl<'de> Deserialize<'de> for GameLine {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<GameLine, D::Error> {
        let value = Value::deserialize(input)?;
        let words = read(&value, |key, value| match key {
            "rules" => flag_words("cmd", value),
            "name" | "dir" | "args" | "options" => engine_words(key, value),
            _ => {
                let known = ["name", "rules", "args", "dir", "options"];
                Err(expected_key(key, known.into_iter()))
            }
        });
        words.map(GameLine).map_err(D::Error::custom)
    }
}

impl Serialize for EngineLine {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        serialize(&self.0, output)
    }
}

fn take(known: &mut Words, words: &[String]) -> Result<(), String> {
    words.iter().try_for_each(|word| known.take(word))
}

/// The words of a text, a list or a table. An error in a table begins with its key.
fn read(
    value: &Value,
    mut of_entry: impl FnMut(&str, &Value) -> Result<Vec<String>, String>,
) -> Result<Vec<String>, String> {
    match value {
        Value::String(text) => {
            shlex::split(text).ok_or_else(|| "a quotation mark is not closed".to_owned())
        }
        Value::Array(items) => items.iter().map(text).collect(),
        Value::Table(table) => {
            let entries = table
                .iter()
                .map(|(key, value)| of_entry(key, value).map_err(|why| format!("{key}: {why}")));
            Ok(entries.collect::<Result<Vec<_>, _>>()?.concat())
        }
        _ => Err("write words in one text, in a list, or as a table".to_owned()),
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
        ("options" | "option", _) => {
            Err("write a table of names and values, as in { Hash = 64 }".to_owned())
        }
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
        _ => Err("write a text, a number, true or false".to_owned()),
    }
}
