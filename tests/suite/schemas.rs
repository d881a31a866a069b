//! The JSON schemas in `spec/` are made from the types, and what is written matches them.

use std::fs;
use std::path::{Path, PathBuf};

use record::event::Event;
use schemars::{JsonSchema, schema_for};
use serde_json::{Value, json};
use table::{TableCommand, TableEvent};

use crate::support::Folder;

/// If set, the schemas are rewritten instead of compared.
const UPDATE: &str = "LINESMAN_UPDATE_SCHEMAS";

/// A line of `linesman play --json`.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is used")]
enum TableLine {
    Request(TableCommand),
    Event(TableEvent),
}

fn file(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../spec/{name}.schema.json"))
}

#[test]
fn the_schemas_are_those_of_the_types() {
    for (name, schema) in [
        ("match", schema_for!(Event)),
        ("table", schema_for!(TableLine)),
        ("page", gui::page_schema()),
    ] {
        let made = serde_json::to_string_pretty(&schema).expect("plain data") + "\n";
        if std::env::var_os(UPDATE).is_some() {
            fs::write(file(name), &made).expect("a schema");
        }
        let kept = fs::read_to_string(file(name)).unwrap_or_default();
        assert!(
            kept == made,
            "spec/{name}.schema.json is not that of the types: run this test with {UPDATE}=1"
        );
    }
}

/// The examples of the pages, and a match.
#[test]
fn what_is_written_matches() {
    let table = Schema::of("table");
    let examples = include_str!("../../spec/table.examples.jsonl");
    examples.lines().for_each(|line| table.check(line));
    assert!(!table.matches(&json!({"command": "dance"})));
    assert!(!table.matches(&json!({"command": "play", "code": 5})));
    let matches = Schema::of("match");
    let page = include_str!("../../spec/match.md").lines();
    let examples: Vec<_> = page
        .filter(|line| line.starts_with("{\"event\":"))
        .collect();
    let folder = Folder::new("schemas");
    let line = "LINESMAN match susan --games 4 --each nodes=20 --format swiss --json --ledger l";
    let played = folder.shell(line).exits(0).stdout;
    assert!(examples.len() > 8 && played.len() > 40);
    for line in examples
        .into_iter()
        .chain(played.iter().map(String::as_str))
    {
        matches.check(line);
    }
}

/// A schema of `spec/`.
pub(crate) struct Schema(Value);

impl Schema {
    pub(crate) fn of(name: &str) -> Schema {
        let text = fs::read_to_string(file(name)).expect("a schema");
        Schema(serde_json::from_str(&text).expect("JSON"))
    }

    /// Checks that a line matches.
    pub(crate) fn check(&self, line: &str) {
        let value = serde_json::from_str(line).unwrap_or_else(|why| panic!("{line}: {why}"));
        assert!(self.matches(&value), "{line}");
    }

    /// `true` if a value matches.
    pub(crate) fn matches(&self, value: &Value) -> bool {
        self.fits(value, &self.0)
    }

    /// `true` if a value fits a part of the schema.
    fn fits(&self, value: &Value, rule: &Value) -> bool {
        let Value::Object(rules) = rule else {
            return rule == true;
        };
        rules.iter().all(|(keyword, rule)| {
            let mut parts = rule.as_array().into_iter().flatten();
            let mut members = value.as_object().into_iter().flatten();
            match keyword.as_str() {
                "$ref" => {
                    let path = rule.as_str().expect("a path").trim_start_matches('#');
                    self.fits(value, self.0.pointer(path).expect("a definition"))
                }
                "type" if rule.is_array() => parts.any(|kind| is_of(value, kind)),
                "type" => is_of(value, rule),
                "const" => value == rule,
                "enum" => parts.any(|one| one == value),
                "anyOf" => parts.any(|part| self.fits(value, part)),
                "oneOf" => parts.filter(|part| self.fits(value, part)).count() == 1,
                "allOf" => parts.all(|part| self.fits(value, part)),
                "minimum" => value.is_null() || value.as_f64() >= rule.as_f64(),
                "maximum" => value.is_null() || value.as_f64() <= rule.as_f64(),
                "minItems" => value.as_array().map(Vec::len) >= n_items(rule),
                "maxItems" => value.as_array().map(Vec::len) <= n_items(rule),
                "required" => parts.all(|name| value.get(name.as_str().expect("a name")).is_some()),
                "properties" => members
                    .all(|(name, part)| rule.get(name).is_none_or(|rule| self.fits(part, rule))),
                "additionalProperties" => members.all(|(name, part)| {
                    let is_named = rules
                        .get("properties")
                        .is_some_and(|names| names.get(name).is_some());
                    is_named || self.fits(part, rule)
                }),
                "items" => {
                    let mut items = value.as_array().into_iter().flatten();
                    items.all(|item| self.fits(item, rule))
                }
                "prefixItems" => {
                    let items = value.as_array().into_iter().flatten();
                    items.zip(parts).all(|(item, rule)| self.fits(item, rule))
                }
                "$schema" | "title" | "description" | "$defs" | "format" | "default" => true,
                other => panic!("{other} is not tested"),
            }
        })
    }
}

fn n_items(rule: &Value) -> Option<usize> {
    rule.as_u64().and_then(|count| count.try_into().ok())
}

fn is_of(value: &Value, kind: &Value) -> bool {
    match kind.as_str().expect("a type") {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "null" => value.is_null(),
        other => panic!("type {other}"),
    }
}
