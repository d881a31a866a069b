//! The reports of a check as JUnit XML, a format that continuous integration servers read.

use check::{CheckEvent, Report, Verdict};
use maud::{Markup, html};

use super::screen::blocks;

/// The `name` of the root element, which identifies a report of this kind.
const SUITES: &str = "linesman check";

/// `true` if a file starts like a report of this kind.
pub(super) fn is_report(start: &[u8]) -> bool {
    let start = String::from_utf8_lossy(start);
    start.starts_with("<?xml") && start.contains(&format!("<testsuites name=\"{SUITES}\""))
}

/// A test suite with one test case per step.
#[derive(Default)]
pub(super) struct JUnit {
    engine: String,
    reports: Vec<Report>,
}

impl JUnit {
    /// Stores the engine's name or the report of a step.
    pub(super) fn take(&mut self, event: &CheckEvent<'_>) {
        match event {
            CheckEvent::Started { name, .. } => (*name).clone_into(&mut self.engine),
            CheckEvent::Step(report) => self.reports.push(report.clone()),
        }
    }

    /// The contents of the file.
    pub(super) fn text(&self) -> String {
        let count = |verdict| {
            let reports = self.reports.iter();
            reports.filter(|report| report.verdict == verdict).count()
        };
        let ms = self.reports.iter().map(|report| report.ms).sum();
        // Elements without content are closed by a tag, as `html!` knows the void elements of HTML alone.
        let suites = html! {
            testsuites name=(SUITES) {
                testsuite name=(clean(&self.engine)) tests=(self.reports.len()) failures=(count(Verdict::Fail))
                    skipped=(count(Verdict::Skip)) time=(seconds(ms)) {
                    @for report in &self.reports { "\n" (case(report)) }
                    "\n"
                }
            }
        };
        let suites = suites.into_string();
        format!("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n{suites}\n")
    }
}

/// A step. A playable violation passes, with its text as output.
fn case(report: &Report) -> Markup {
    let class = format!("protocol {}", report.clause);
    let text = clean(&report.text);
    html! {
        testcase classname=(class.trim()) name=(report.step) time=(seconds(report.ms)) {
            @match report.verdict {
                Verdict::Fail => failure message=(text) { (clean(&lines(report))) },
                Verdict::Skip => skipped message=(text) {},
                Verdict::Warn | Verdict::Pass if !text.is_empty() => {
                    system-out { (report.verdict.word()) ": " (text) "\n" (clean(&lines(report))) }
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
