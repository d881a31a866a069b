//! Seats as the page sends them. The suite, which talks to the server without a page, uses this file too.

use serde_json::{Value, json};

/// A seat as a page sends it, from the words of `--p1`.
pub(crate) fn seat(words: &str) -> Value {
    let (kind, rest) = words.split_once(' ').unwrap_or((words, ""));
    let level = rest.strip_prefix("'option.Skill Level=");
    let level = level.and_then(|level| level.trim_end_matches('\'').parse::<u32>().ok());
    match kind {
        "human" => json!({"kind": "person", "name": rest.strip_prefix("name=")}),
        "remote" => json!({"kind": "guest", "name": rest.strip_prefix("name=")}),
        "builtin" if rest.is_empty() || level.is_some() => {
            json!({"kind": "engine", "level": level})
        }
        "builtin" => json!({"kind": "engine", "limit": rest}),
        _ if kind.starts_with("conf=") => json!({"kind": "listed", "name": &kind[5..]}),
        _ => {
            let path = words.strip_prefix("cmd=").expect("a program");
            json!({"kind": "program", "engine": {"program": {"command": {"path": path}}}})
        }
    }
}
