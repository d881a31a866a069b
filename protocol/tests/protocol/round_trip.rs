//! Tests that any typed value becomes a line that parses to the same value.

use proptest::prelude::*;
use protocol::{Command, Parsed, Reply};

use crate::values::{command, dialect, reply};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(5_000))]

    #[test]
    fn every_command_round_trips(command in command(), dialect in dialect()) {
        let line = command.display(dialect).to_string();
        let surplus = None;
        prop_assert_eq!(Command::parse(&line), Ok(Parsed { command, surplus }), "{}", line);
    }

    #[test]
    fn every_reply_round_trips(reply in reply()) {
        let line = reply.to_string();
        prop_assert_eq!(Reply::parse(&line), Ok(reply), "{}", line);
    }
}
