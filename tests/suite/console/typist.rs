//! Someone who types at a pseudo-terminal, and waits for what he expects to see.

use std::process::Command;

use rexpect::ReadUntil;
use rexpect::process::{Signal, WaitStatus};
use rexpect::reader::{Options, Regex};
use rexpect::session::{PtySession, spawn_with_options};

use crate::support::Folder;

/// Far beyond what any answer here takes: a test that gets there hangs.
const PATIENCE_MS: u64 = 120_000;

/// Someone at a terminal.
pub(super) struct Typist {
    terminal: PtySession,
}

impl Typist {
    /// Sits down at `linesman` with these words, split at blanks. What a terminal would not show is left out.
    pub(super) fn new(folder: &Folder, words: &str) -> Typist {
        Typist::sit_down(folder, words, "1", true)
    }

    /// As [`new`](Typist::new), with all that is written, and `NO_COLOR` set to this.
    pub(super) fn raw(folder: &Folder, words: &str, no_color: &str) -> Typist {
        Typist::sit_down(folder, words, no_color, false)
    }

    fn sit_down(folder: &Folder, words: &str, no_color: &str, strips: bool) -> Typist {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linesman-test"));
        command
            .args(words.split_whitespace())
            .current_dir(folder.path("."))
            .env("TERM", "xterm")
            .env("NO_COLOR", no_color);
        let options = Options::new()
            .timeout_ms(Some(PATIENCE_MS))
            .strip_ansi_escape_codes(strips);
        let terminal = spawn_with_options(command, options).expect("linesman starts at a terminal");
        Typist { terminal }
    }

    /// Waits until a text is there; what was written before it.
    pub(super) fn sees(&mut self, text: &str) -> String {
        let seen = self.terminal.exp_string(text);
        seen.unwrap_or_else(|error| panic!("{text:?} is not seen: {error}"))
    }

    /// Waits until a pattern is there; what was written before it, and what it found.
    pub(super) fn finds(&mut self, pattern: &str) -> (String, String) {
        let regex = Regex::new(pattern).expect("a pattern");
        let seen = self.terminal.exp_any(vec![ReadUntil::Regex(regex)]);
        seen.unwrap_or_else(|error| panic!("{pattern} is not seen: {error}"))
    }

    /// Types a line.
    pub(super) fn types(&mut self, line: &str) {
        self.terminal
            .send_line(line)
            .expect("the terminal takes it");
    }

    /// Types characters, without the end of a line.
    pub(super) fn presses(&mut self, keys: &str) {
        self.terminal.send(keys).expect("the terminal takes it");
        self.terminal.flush().expect("the terminal takes it");
    }

    /// Presses Ctrl and a letter.
    pub(super) fn controls(&mut self, letter: char) {
        self.terminal
            .send_control(letter)
            .expect("the terminal takes it");
    }

    /// Sends SIGTERM.
    pub(super) fn terminates(&mut self) {
        let told = self.terminal.process_mut().signal(Signal::SIGTERM);
        told.expect("it runs");
    }

    /// Waits for the end; what was written before it.
    pub(super) fn leaves(mut self) -> String {
        let rest = self.terminal.exp_eof().expect("linesman ends");
        match self.terminal.process().wait() {
            Ok(WaitStatus::Exited(_, 0)) => rest,
            other => panic!("{other:?} after {rest}"),
        }
    }

    /// Ends the program as nothing can be caught.
    pub(super) fn kills(mut self) {
        let killed = self.terminal.process_mut().kill(Signal::SIGKILL);
        killed.expect("it can be killed");
    }
}
