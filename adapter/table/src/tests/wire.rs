//! The examples in `spec/table.examples.jsonl` match the requests and events, and `spec/play.md` explains them.

use std::collections::BTreeSet;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::model::TableCommand;
use crate::model::{TableEvent, Voice};

const PAGE: &str = include_str!("../../../../spec/play.md");
const EXAMPLES: &str = include_str!("../../../../spec/table.examples.jsonl");

fn check_same<T: Serialize + DeserializeOwned>(line: &str) -> Value {
    let read: T = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
    let written = serde_json::to_value(&read).expect("plain data");
    let shown: Value = serde_json::from_str(line).expect("JSON");
    assert_eq!(written, shown);
    shown
}

fn word(value: &Value, key: &str) -> String {
    value[key].as_str().expect("a word").to_owned()
}

#[test]
fn every_request_and_event_has_an_example_and_is_on_the_page() {
    let (mut commands, mut events) = (BTreeSet::new(), BTreeSet::new());
    for line in EXAMPLES.lines() {
        if line.starts_with(r#"{"command""#) {
            let value = check_same::<TableCommand>(line);
            let command: TableCommand = serde_json::from_str(line).expect("a command");
            assert_eq!(command.id().name(Voice::Json), word(&value, "command"));
            commands.insert(word(&value, "command"));
        } else {
            events.insert(word(&check_same::<TableEvent>(line), "event"));
        }
    }
    assert_eq!(commands.len(), 35, "{commands:?}");
    assert_eq!(events.len(), 32, "{events:?}");
    for word in commands.union(&events) {
        assert!(
            PAGE.contains(&format!("`{word}`")),
            "{word} is not explained"
        );
    }
}

/// `true` if a value matches a schema, for the keywords that `spec/table.schema.json` contains.
fn matches(value: &Value, schema: &Value, root: &Value) -> bool {
    let rules = schema.as_object().expect("an object");
    rules.iter().all(|(keyword, rule)| {
        let parts = || rule.as_array().expect("a list").iter();
        match keyword.as_str() {
            "$ref" => {
                let path = rule.as_str().expect("a path").trim_start_matches('#');
                matches(value, root.pointer(path).expect("a definition"), root)
            }
            "type" => match rule.as_str().expect("a type") {
                "object" => value.is_object(),
                "array" => value.is_array(),
                "string" => value.is_string(),
                "boolean" => value.is_boolean(),
                "integer" => value.is_i64(),
                "number" => value.is_number(),
                "null" => value.is_null(),
                other => panic!("type {other}"),
            },
            "const" => value == rule,
            "enum" => parts().any(|one| one == value),
            "anyOf" => parts().any(|one| matches(value, one, root)),
            "minimum" => value.as_f64() >= rule.as_f64(),
            "maximum" => value.as_f64() <= rule.as_f64(),
            "required" => parts().all(|name| value.get(name.as_str().expect("a name")).is_some()),
            "properties" => {
                let mut properties = rule.as_object().expect("properties").iter();
                properties.all(|(name, rule)| {
                    let part = value.get(name);
                    part.is_none_or(|part| matches(part, rule, root))
                })
            }
            "items" => {
                let mut items = value.as_array().into_iter().flatten();
                items.all(|item| matches(item, rule, root))
            }
            "$schema" | "title" | "description" | "$defs" => true,
            other => panic!("keyword {other}"),
        }
    })
}

#[test]
fn the_schema_describes_requests_and_events() {
    const SCHEMA: &str = include_str!("../../../../spec/table.schema.json");
    let schema: Value = serde_json::from_str(SCHEMA).expect("JSON");
    let is_valid = |value: &Value| matches(value, &schema, &schema);
    for line in EXAMPLES.lines() {
        let example: Value = serde_json::from_str(line).expect("JSON");
        assert!(is_valid(&example), "{line}");
        let key = ["command", "event"]
            .into_iter()
            .find(|key| example.get(key).is_some());
        let key = key.expect("a request or an event");
        let defined = &schema["$defs"][if key == "command" { "request" } else { "event" }];
        let kinds = defined["anyOf"].as_array().expect("kinds");
        let kind = kinds
            .iter()
            .find(|kind| kind["properties"][key]["const"] == example[key]);
        let kind = kind.expect(line);
        let required = kind["required"].as_array().expect("names");
        for name in example.as_object().expect("an object").keys() {
            assert!(kind["properties"].get(name).is_some(), "{name}: {line}");
            let mut lacking = example.clone();
            lacking.as_object_mut().expect("an object").remove(name);
            let is_required = required.iter().any(|required| required == name);
            assert_eq!(is_valid(&lacking), !is_required, "{name}: {line}");
            if key == "command" {
                let read = serde_json::from_value::<TableCommand>(lacking);
                assert_eq!(read.is_err(), is_required, "{name}: {line}");
            }
            let mut wrong = example.clone();
            wrong[name] = serde_json::json!([[[]]]);
            assert!(!is_valid(&wrong), "{name}: {line}");
        }
    }
}
