//! The reports of a check: text or one JSON object per line on standard output, and JUnit XML.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, ErrorKind};
use std::process::ExitCode;

use check::{CheckEvent, Report, Verdict};
use maud::{Markup, html};
use record::registry::Rules;
use serde_json::json;

use crate::output::put;
use crate::usage::{Done, Failure};

/// Shows the events of the check, and keeps its reports.
#[derive(Default)]
pub(super) struct Screen {
    pub(super) is_json: bool,
    pub(super) seed: u64,
    engine: String,
    reports: Vec<Report>,
    /// Number of reports that are shown. Those after it are of steps skipped for the same reason, which share a line.
    n_shown: usize,
}

impl Screen {
    pub(super) fn show(&mut self, event: CheckEvent<'_>) -> io::Result<()> {
        let report = match event {
            CheckEvent::Started { name, game } => {
                name.clone_into(&mut self.engine);
                return put(&self.heading(name, game), self.is_json);
            }
            CheckEvent::Step(report) => report,
        };
        let is_skipped = report.finding.verdict == Verdict::Skip;
        let is_same = |first: &Report| is_skipped && first.finding.text == report.finding.text;
        if !self.is_json && !self.reports.get(self.n_shown).is_none_or(is_same) {
            self.show_skipped()?;
        }
        let line = match self.is_json {
            true => serde_json::to_string(&report)?,
            false => step(&report),
        };
        self.reports.push(report);
        if is_skipped && !self.is_json {
            return Ok(());
        }
        self.n_shown = self.reports.len();
        put(&line, self.is_json)
    }

    fn heading(&self, name: &str, game: Result<&Rules, &str>) -> String {
        let (seed, rules) = (self.seed, game.ok());
        match game {
            _ if self.is_json => json!({
                "engine": name,
                "game": rules.map(|rules| rules.entry().name),
                "board": rules.map(Rules::board),
                "seed": seed,
            })
            .to_string(),
            Ok(rules) => format!("{name}: rules of {}, seed {seed}", rules.board()),
            Err(why) => format!("{name}: no rules ({why}), seed {seed}"),
        }
    }

    fn show_skipped(&mut self) -> io::Result<()> {
        let line = match &self.reports[self.n_shown..] {
            [] => return Ok(()),
            [one] => step(one),
            steps @ [first, .., last] => {
                let (n, why) = (steps.len(), &first.finding.text);
                format!("SKIP  {} to {} ({n} steps)  {why}", first.step, last.step)
            }
        };
        self.n_shown = self.reports.len();
        put(&line, false)
    }

    fn count(&self, verdict: Verdict) -> usize {
        let reports = self.reports.iter();
        reports
            .filter(|report| report.finding.verdict == verdict)
            .count()
    }

    pub(super) fn status(&self) -> ExitCode {
        ExitCode::from(u8::from(self.count(Verdict::Fail) > 0))
    }

    /// Handles an output error: a closed pipe ends the output quietly, but a failed step still sets the exit code.
    pub(super) fn broken(&self, error: io::Error) -> Done<ExitCode> {
        match error.kind() {
            ErrorKind::BrokenPipe => Ok(self.status()),
            _ => Err(Failure::Output(error)),
        }
    }

    pub(super) fn conclude(&mut self) -> io::Result<()> {
        self.show_skipped()?;
        let words = Verdict::ALL.map(|verdict| (verdict.word(), self.count(verdict)));
        if self.is_json {
            let counts = BTreeMap::from(words.map(|(word, n)| (word.to_lowercase(), n)));
            return put(&json!({ "total": counts }).to_string(), true);
        }
        let counts = words.map(|(word, n)| format!("{n} {word}"));
        put(&counts.join(", "), false)
    }
}

/// A line for the step, followed by the lines that reproduce a fault.
fn step(report: &Report) -> String {
    let verdict = report.finding.verdict.word();
    let mut text = format!(
        "{verdict}  {:<18} {:<4}  {}",
        report.step, report.clause, report.finding.text
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
fn blocks(report: &Report) -> impl Iterator<Item = (&'static str, &Vec<String>)> {
    let titled = [
        ("paste:", &report.finding.lines),
        ("last received:", &report.finding.received),
    ];
    titled.into_iter().filter(|(_, lines)| !lines.is_empty())
}

/// The `name` of the root element, which identifies a report of this kind.
const SUITES: &str = "linesman check";

/// `true` if a file starts like a report of this kind.
pub(super) fn is_report(start: &[u8]) -> bool {
    let start = String::from_utf8_lossy(start);
    start.starts_with("<?xml") && start.contains(&format!("<testsuites name=\"{SUITES}\""))
}

impl Screen {
    /// The reports as JUnit XML, a format that continuous integration servers read: a test suite with one test case per
    /// step.
    pub(super) fn junit(&self) -> String {
        let ms = self.reports.iter().map(|report| report.ms).sum();
        // Elements without content are closed by a tag, as `html!` knows the void elements of HTML alone.
        let suites = html! {
            testsuites name=(SUITES) {
                testsuite name=(clean(&self.engine)) tests=(self.reports.len()) failures=(self.count(Verdict::Fail))
                    skipped=(self.count(Verdict::Skip)) time=(seconds(ms)) {
                    @for report in &self.reports { "\n" (case(report)) }
                    "\n"
                }
            }
        };
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{}\n",
            suites.into_string()
        )
    }
}

/// A step. A playable violation passes, with its text as output.
fn case(report: &Report) -> Markup {
    let class = format!("protocol {}", report.clause);
    let text = clean(&report.finding.text);
    html! {
        testcase classname=(class.trim()) name=(report.step) time=(seconds(report.ms)) {
            @match report.finding.verdict {
                Verdict::Fail => failure message=(text) { (clean(&lines(report))) },
                Verdict::Skip => skipped message=(text) {},
                Verdict::Warn | Verdict::Pass if !text.is_empty() => {
                    system-out { (report.finding.verdict.word()) ": " (text) "\n" (clean(&lines(report))) }
                },
                Verdict::Warn | Verdict::Pass => {},
            }
        }
    }
}

/// The lines that reproduce a fault, and the last lines of the engine.
fn lines(report: &Report) -> String {
    let shown = blocks(report).map(|(title, lines)| format!("{title}\n{}\n", lines.join("\n")));
    shown.collect()
}

/// Replaces each character that XML does not allow by `?`.
fn clean(text: &str) -> String {
    let is_xml = |c: char| !c.is_control() || matches!(c, '\n' | '\t');
    let is_xml = |c: char| is_xml(c) && !matches!(c, '\u{fffe}' | '\u{ffff}');
    text.chars()
        .map(|c| if is_xml(c) { c } else { '?' })
        .collect()
}

fn seconds(ms: u64) -> String {
    format!("{}.{:03}", ms / 1000, ms % 1000)
}
