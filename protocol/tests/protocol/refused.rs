//! The errors of lines that are refused, as a table: `refused.txt`.

use protocol::{Command, Reply};

#[test]
fn errors_name_the_word_and_what_was_expected() {
    let error = |line: &str| match line.split_at(2) {
        ("> ", line) => Command::parse(line).err().map(|error| error.to_string()),
        (_, line) => Reply::parse(line).err().map(|error| error.to_string()),
    };
    let table = include_str!("refused.txt").lines().skip(1);
    for (line, expected) in table.map(|row| row.split_once(" | ").expect("a row")) {
        assert_eq!(error(line).as_deref(), Some(expected), "{line}");
    }
}
