//! The reports of a check on standard output: text, or one JSON object per line.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

use check::{CheckEvent, Report, Verdict};
use record::registry::Rules;
use serde_json::json;

use crate::output::put;
use crate::usage::Failure;

/// Shows the events of the check and counts the verdicts.
#[derive(Default)]
pub(super) struct Screen {
    pub(super) is_json: bool,
    pub(super) seed: u64,
    /// One count per verdict, by its discriminant.
    pub(super) counts: [usize; 4],
    /// Consecutive steps skipped for the same reason and not yet shown; they share one line.
    pub(super) skipped: Vec<Report>,
}

impl Screen {
    pub(super) fn show(&mut self, event: &CheckEvent<'_>) -> io::Result<()> {
        match event {
            CheckEvent::Started { name, game } if self.is_json => {
                let board = game.ok().map(Rules::board);
                let game = game.ok().map(|rules| rules.entry().name);
                let line = json!({"engine": name, "game": game, "board": board, "seed": self.seed});
                put(&line.to_string(), true)
            }
            CheckEvent::Started { name, game } => {
                let rules = match game {
                    Ok(rules) => format!("rules of {}", rules.board()),
                    Err(why) => format!("no rules ({why})"),
                };
                put(&format!("{name}: {rules}, seed {}", self.seed), false)
            }
            CheckEvent::Step(report) => {
                self.counts[report.verdict as usize] += 1;
                match self.is_json {
                    true => put(&serde_json::to_string(report)?, true),
                    false => self.show_text(report),
                }
            }
        }
    }

    fn show_text(&mut self, report: &Report) -> io::Result<()> {
        let is_new = |last: &Report| last.text != report.text;
        if report.verdict != Verdict::Skip || self.skipped.last().is_some_and(is_new) {
            self.show_skipped()?;
        }
        if report.verdict == Verdict::Skip {
            self.skipped.push(report.clone());
            return Ok(());
        }
        put(&step(report), false)
    }

    fn show_skipped(&mut self) -> io::Result<()> {
        match std::mem::take(&mut self.skipped).as_slice() {
            [] => Ok(()),
            [one] => put(&step(one), false),
            steps @ [first, .., last] => {
                let (n, why) = (steps.len(), &first.text);
                let line = format!("SKIP  {} to {} ({n} steps)  {why}", first.step, last.step);
                put(&line, false)
            }
        }
    }

    pub(super) fn status(&self) -> ExitCode {
        let n_failed = self.counts[Verdict::Fail as usize];
        ExitCode::from(u8::from(n_failed > 0))
    }

    /// Handles an output error: a closed pipe ends the output quietly, but a failed step still sets the exit code.
    pub(super) fn broken(&self, error: io::Error) -> Result<ExitCode, Failure> {
        match error.kind() {
            ErrorKind::BrokenPipe => Ok(self.status()),
            _ => Err(Failure::Output(error)),
        }
    }

    pub(super) fn conclude(&mut self) -> io::Result<()> {
        self.show_skipped()?;
        let count = |verdict: Verdict| self.counts[verdict as usize];
        let words = Verdict::ALL.map(|verdict| (verdict.word(), count(verdict)));
        if self.is_json {
            let counts = words.map(|(word, n)| (word.to_lowercase(), n));
            let counts = BTreeMap::from(counts);
            return put(&json!({ "total": counts }).to_string(), true);
        }
        let counts = words.map(|(word, n)| format!("{n} {word}"));
        put(&counts.join(", "), false)
    }
}

/// A line for the step, followed by the lines that reproduce a fault.
fn step(report: &Report) -> String {
    let verdict = report.verdict.word();
    let mut text = format!(
        "{verdict}  {:<18} {:<4}  {}",
        report.step, report.clause, report.text
    );
    text.truncate(text.trim_end().len());
    for (title, lines) in blocks(report) {
        let _ = write!(text, "\n      {title}");
        for line in lines {
            let _ = write!(text, "\n        {line}");
        }
    }
    text
}

/// The lines that reproduce a fault, and the last lines of the engine, each with its title.
pub(super) fn blocks(report: &Report) -> impl Iterator<Item = (&'static str, &Vec<String>)> {
    let titled = [
        ("paste:", &report.lines),
        ("last received:", &report.received),
    ];
    titled.into_iter().filter(|(_, lines)| !lines.is_empty())
}
