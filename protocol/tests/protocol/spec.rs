//! Tests that the examples of `spec/protocol.md` are valid lines, and that its error messages are the actual ones.

use protocol::{Command, Reply};

const SPEC: &str = include_str!("../../../spec/protocol.md");

/// The lines of all transcripts.
fn transcripts() -> impl Iterator<Item = &'static str> {
    let blocks = SPEC.split("```text\n").skip(1);
    blocks.flat_map(|block| block.split("```").next().unwrap_or_default().lines())
}

#[test]
fn transcripts_hold_commands_and_replies() {
    let (commands, replies): (Vec<_>, Vec<_>) =
        transcripts().partition(|line| line.starts_with("> "));
    assert!(commands.len() > 40 && replies.len() > 40);
    for line in replies {
        Reply::parse(line).expect(line);
    }
    for line in commands {
        let parsed = Command::parse(&line[2..]);
        let is_refused = line == "> position startpos c3";
        assert_eq!(parsed.is_err(), is_refused, "{line}: {parsed:?}");
    }
}

#[test]
fn errors_are_worded_as_in_the_table() {
    let table = SPEC.lines().filter_map(|row| row.strip_prefix("| `"));
    let rows = table.filter_map(|row| row.strip_suffix("` |")?.split_once("` | `"));
    let errors: Vec<_> = rows
        .filter(|(_, text)| text.contains(": expected"))
        .collect();
    assert_eq!(errors.len(), 5);
    for (line, text) in errors {
        let found = match Command::parse(line) {
            Ok(parsed) => parsed.surplus.expect(line).to_string(),
            Err(error) => error.to_string(),
        };
        let text = text.trim_end_matches('…');
        assert!(found.starts_with(text), "{line}: {found}");
    }
}
