//! The reports of a check as JUnit XML, a format that continuous integration servers read.

use std::io;

use check::{CheckEvent, Report, Verdict};
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};

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
        let mut writer = Writer::new_with_indent(Vec::new(), b' ', 2);
        self.write(&mut writer).expect("memory takes all");
        String::from_utf8_lossy(&writer.into_inner()).into_owned() + "\n"
    }

    fn write(&self, writer: &mut Writer<Vec<u8>>) -> io::Result<()> {
        let count = |verdict| {
            let reports = self.reports.iter();
            reports.filter(|report| report.verdict == verdict).count()
        };
        let ms = self.reports.iter().map(|report| report.ms).sum();
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        writer
            .create_element("testsuites")
            .with_attribute(("name", SUITES))
            .write_inner_content(|writer| {
                writer
                    .create_element("testsuite")
                    .with_attribute(("name", clean(&self.engine).as_str()))
                    .with_attribute(("tests", self.reports.len().to_string().as_str()))
                    .with_attribute(("failures", count(Verdict::Fail).to_string().as_str()))
                    .with_attribute(("skipped", count(Verdict::Skip).to_string().as_str()))
                    .with_attribute(("time", seconds(ms).as_str()))
                    .write_inner_content(|writer| {
                        self.reports
                            .iter()
                            .try_for_each(|report| case(writer, report))
                    })?;
                Ok(())
            })?;
        Ok(())
    }
}

/// Writes a step. A warning passes, with its text as output.
fn case(writer: &mut Writer<Vec<u8>>, report: &Report) -> io::Result<()> {
    let class = format!("protocol {}", report.clause);
    writer
        .create_element("testcase")
        .with_attribute(("classname", class.trim()))
        .with_attribute(("name", report.step))
        .with_attribute(("time", seconds(report.ms).as_str()))
        .write_inner_content(|writer| {
            let said = clean(&report.text);
            match report.verdict {
                Verdict::Fail => {
                    let failure = writer.create_element("failure");
                    let failure = failure.with_attribute(("message", said.as_str()));
                    failure.write_text_content(BytesText::new(&clean(&lines(report))))?;
                }
                Verdict::Skip => {
                    let skipped = writer.create_element("skipped");
                    skipped
                        .with_attribute(("message", said.as_str()))
                        .write_empty()?;
                }
                Verdict::Warn | Verdict::Pass if !said.is_empty() => {
                    let text = format!("{}: {said}\n{}", report.verdict.word(), lines(report));
                    let output = writer.create_element("system-out");
                    output.write_text_content(BytesText::new(&clean(&text)))?;
                }
                Verdict::Warn | Verdict::Pass => {}
            }
            Ok(())
        })?;
    Ok(())
}

/// The lines that reproduce a fault, and the last lines of the engine.
fn lines(report: &Report) -> String {
    let titled = [
        ("paste:", &report.lines),
        ("last received:", &report.received),
    ];
    let shown = titled.into_iter().filter(|(_, lines)| !lines.is_empty());
    let shown = shown.map(|(title, lines)| format!("{title}\n{}\n", lines.join("\n")));
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
