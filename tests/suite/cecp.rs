//! `linesman bridge cecp`, driven as XBoard drives it.

mod real;
mod transcripts;

use std::process::Command;

use crate::dialogue::Dialogue;
use crate::support::{begins, has};

/// The bridge of a game, started as XBoard starts it.
struct Bridge(Dialogue);

impl Bridge {
    /// Starts the bridge; `engine` follows `--engine`.
    fn start(game: &str, engine: &str) -> Bridge {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linesman-test"));
        command.args(["bridge", "cecp", game, "--engine"]);
        command.args(engine.split(' '));
        Bridge(Dialogue::new(command))
    }

    fn send(&mut self, line: &str) {
        self.0.send(line);
    }

    fn line(&self) -> String {
        self.0.line().expect("the bridge lives")
    }

    /// Reads up to a line with this beginning, and returns it; only thinking output may come before it.
    fn line_after_thinking(&self, start: &str) -> String {
        loop {
            let line = self.line();
            if line.starts_with(start) {
                return line;
            }
            let is_thinking = line
                .split(' ')
                .take(4)
                .all(|word| word.parse::<i64>().is_ok());
            assert!(is_thinking, "{line:?} where {start:?} was due");
        }
    }

    /// All output until the bridge has carried out the commands sent so far.
    fn answers(&mut self) -> Vec<String> {
        self.send("ping 99");
        let mut lines = Vec::new();
        loop {
            let line = self.line();
            if line == "pong 99" {
                return lines;
            }
            lines.push(line);
        }
    }

    /// The handshake and the setup of a game, in XBoard's order.
    fn set_up(&mut self, variant: &str) {
        self.send("xboard\nprotover 2");
        assert_eq!(self.line(), "feature done=0");
        let features = self.line();
        has(&features, format!("variants=\"{variant}\""));
        loop {
            let line = self.line();
            if line == "feature done=1" {
                break;
            }
            begins(&line, "feature option=");
        }
        self.send(&format!(
            "accepted done\nnew\nrandom\nvariant {variant}\nlevel 40 5 0\npost\nhard"
        ));
        let answers = self.answers();
        begins(&answers[0], "setup (");
        assert!(
            answers[1..].iter().all(|line| line.starts_with("piece ")),
            "{answers:?}"
        );
    }
}
