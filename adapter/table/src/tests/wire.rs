//! The JSON examples in `spec/table.md` match the requests and events.

use std::collections::BTreeSet;

use record::event::Event;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::request::TableCommand;

const PAGE: &str = include_str!("../../../../spec/table.md");

/// The lines of the page's JSON code blocks.
fn examples() -> Vec<&'static str> {
    let blocks = PAGE.split("```json\n").skip(1);
    let lines = blocks.filter_map(|block| block.split("```").next());
    lines.flat_map(str::lines).collect()
}

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
fn the_page_shows_every_request_and_event_as_it_is() {
    let (mut commands, mut events) = (BTreeSet::new(), BTreeSet::new());
    for line in examples() {
        if line.starts_with(r#"{"command""#) {
            let value = check_same::<TableCommand>(line);
            let command: TableCommand = serde_json::from_str(line).expect("a command");
            assert_eq!(command.word(), word(&value, "command"));
            commands.insert(word(&value, "command"));
        } else {
            events.insert(word(&check_same::<Event>(line), "event"));
        }
    }
    assert_eq!(commands.len(), 39, "{commands:?}");
    assert_eq!(events.len(), 33, "{events:?}");
    for word in commands.union(&events) {
        assert!(
            PAGE.contains(&format!("`{word}`")),
            "{word} is not explained"
        );
    }
}
