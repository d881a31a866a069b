//! A TOML document whose keys and values have line numbers.

use std::ops::Range;
use std::path::{Path, PathBuf};

use protocol::text::without_error_number;
use record::file::read_text;
use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::place::Place;
use crate::usage::{Failure, trouble};

/// A parsed document.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) path: PathBuf,
    pub(super) entries: Vec<Entry>,
}

/// A key with its value.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) key: String,
    /// The line of the key, from 1.
    pub(super) line: usize,
    pub(super) value: Value,
}

/// A value. A number keeps its spelling.
#[derive(Debug, Clone)]
pub(super) enum Value {
    Text(String),
    Flag(bool),
    /// Each item with its line.
    List(Vec<(usize, Value)>),
    Table(Vec<Entry>),
}

impl Document {
    /// Reads a file. An error names the file and the line.
    pub(super) fn read(path: &Path) -> Result<Document, Failure> {
        let text = read_text(path).map_err(|error| {
            let why = without_error_number(&error.to_string());
            trouble(path.display(), why)
        })?;
        Document::parse(path, &text)
    }

    fn parse(path: &Path, text: &str) -> Result<Document, Failure> {
        let table = DeTable::parse(text).map_err(|error| {
            let line = error.span().map_or(1, |span| line_of(text, &span));
            let why = error.message().replace('\n', ", ");
            Place::new(path, line).error("", &why)
        })?;
        Ok(Document {
            path: path.to_owned(),
            entries: entries(table.get_ref(), path, text)?,
        })
    }

    /// The place of a line of this document, for errors.
    pub(super) fn place(&self, line: usize) -> Place {
        Place::new(&self.path, line)
    }
}

impl Value {
    /// The text, or the spelling of a number.
    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// One text or several.
    pub(super) fn texts(&self) -> Option<Vec<&str>> {
        match self {
            Value::List(items) => items.iter().map(|(_, item)| item.text()).collect(),
            one => one.text().map(|text| vec![text]),
        }
    }
}

fn entries(table: &DeTable<'_>, path: &Path, text: &str) -> Result<Vec<Entry>, Failure> {
    let entry = |(key, value): (&Spanned<_>, &Spanned<DeValue<'_>>)| {
        let line = line_of(text, &key.span());
        let key: &std::borrow::Cow<'_, str> = key.get_ref();
        Ok(Entry {
            key: key.to_string(),
            line,
            value: convert(value.get_ref(), line, path, text)?,
        })
    };
    table.iter().map(entry).collect()
}

fn convert(value: &DeValue<'_>, line: usize, path: &Path, text: &str) -> Result<Value, Failure> {
    Ok(match value {
        DeValue::String(value) => Value::Text(value.to_string()),
        DeValue::Integer(value) => Value::Text(value.to_string()),
        DeValue::Float(value) => Value::Text(value.to_string()),
        DeValue::Boolean(value) => Value::Flag(*value),
        DeValue::Array(items) => {
            let item = |item: &Spanned<DeValue<'_>>| {
                let line = line_of(text, &item.span());
                Ok((line, convert(item.get_ref(), line, path, text)?))
            };
            Value::List(items.iter().map(item).collect::<Result<_, Failure>>()?)
        }
        DeValue::Table(table) => Value::Table(entries(table, path, text)?),
        DeValue::Datetime(value) => {
            let why = format!("{value}: expected a text in quotation marks");
            return Err(Place::new(path, line).error("", &why));
        }
    })
}

fn line_of(text: &str, span: &Range<usize>) -> usize {
    let before = text.as_bytes().get(..span.start).unwrap_or_default();
    before.iter().filter(|byte| **byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_know_their_lines() {
        let text = "a = 1\n\n[[b]]\nc = 0.10\nd.\"e f\" = true\n\n[[b]]\nc = [1,\n 'x']\n";
        let document = Document::parse(Path::new("f"), text).expect("it is TOML");
        let b = &document.entries[1];
        let Value::List(tables) = &b.value else {
            panic!("{b:?}");
        };
        let (Value::Table(first), Value::Table(second)) = (&tables[0].1, &tables[1].1) else {
            panic!("{tables:?}");
        };
        assert_eq!((first[0].line, first[0].value.text()), (4, Some("0.10")));
        assert_eq!((first[1].key.as_str(), first[1].line), ("d", 5));
        assert_eq!(second[0].value.texts(), Some(vec!["1", "x"]));
    }

    #[test]
    fn what_is_no_toml_is_named_with_its_line() {
        for (text, named) in [
            ("a = 1\nb = \n", "f: line 2: "),
            ("a = 1\na = 2\n", "f: line 2: "),
            ("a = 1979-05-27\n", "f: line 1: 1979-05-27: expected a text"),
        ] {
            let error = Document::parse(Path::new("f"), text).expect_err(text);
            assert!(error.text().starts_with(named), "{}", error.text());
            assert!(!error.text().contains('\n'), "{}", error.text());
        }
    }
}
