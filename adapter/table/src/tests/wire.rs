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
