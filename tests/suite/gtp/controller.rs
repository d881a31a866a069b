//! A GTP controller: one command, one answer.

use std::process::Command;

use crate::dialogue::Dialogue;

/// A bridge under a controller's commands.
pub(super) struct Controller(Dialogue);

impl Controller {
    /// Starts `linesman bridge gtp` with these arguments.
    pub(super) fn new(words: &[&str]) -> Controller {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linesman-test"));
        command.args(["bridge", "gtp"]).args(words);
        Controller(Dialogue::new(command))
    }

    /// Sends a command and returns the answer without its prefix; an error is the bridge's message.
    pub(super) fn try_ask(&mut self, command: &str) -> Result<String, String> {
        self.0.send(command);
        let mut lines = Vec::new();
        loop {
            match self.0.line() {
                Some(line) if line.is_empty() => break,
                Some(line) => lines.push(line),
                None => panic!("{command}: the bridge has ended"),
            }
        }
        let text = lines.join("\n");
        let rest = text.get(1..).unwrap_or_default();
        let rest = rest.strip_prefix(' ').unwrap_or(rest).to_owned();
        match text.as_bytes().first() {
            Some(b'=') => Ok(rest),
            Some(b'?') => Err(rest),
            _ => panic!("{command}: {text:?} is no answer"),
        }
    }

    /// As [`try_ask`](Controller::try_ask), for a command that must succeed.
    #[track_caller]
    pub(super) fn ask(&mut self, command: &str) -> String {
        let answer = self.try_ask(command);
        answer.unwrap_or_else(|why| panic!("{command}: {why}"))
    }

    /// The words of an answer.
    #[track_caller]
    pub(super) fn words(&mut self, command: &str) -> Vec<String> {
        let answer = self.ask(command);
        answer.split_whitespace().map(str::to_owned).collect()
    }
}
