//! Is this engine sound? Everything that the protocol asks of an engine, step by step, and its rules against ours.
//!
//! [`run`] takes a [`Subject`] through [`STEPS`] and tells a [`Report`] of each. A step gets a fresh process that was
//! greeted and given its options, so whatever one step does to it, the next goes on; and the lines that a step sent
//! show again what it found. What is known of the engine beforehand is a `Case`, what is said to it a `Dialogue`.
//! Nothing here prints.

mod report;
mod steps;

mod case;
mod dialogue;
mod notes;
mod path;
mod search;

mod ends;
mod endurance;
mod handshake;
mod interrupt;
mod limits;
mod position;
mod query;
mod ready;
mod robustness;
mod rules;
mod thought;
mod timing;

mod contrast;
mod games;
mod shrink;

use std::fmt;
use std::io;
use std::time::{Duration, Instant};

use protocol::Dialect;

pub use report::{Report, Verdict};
pub use steps::{STEPS, Step};

use crate::plan::{EngineSpec, GameSpec};
use crate::player::Timeouts;
use crate::process::Launch;
use crate::registry::Registry;
use crate::stop::Stop;
use case::{Case, Unmet};
use dialogue::Dialogue;
use report::{Finding, Outcome, skip};

/// How long a process may take to quit before it is killed.
const GRACE: Duration = Duration::from_millis(300);

/// What is checked, and how.
#[derive(Debug, Clone)]
pub struct Subject {
    /// The games whose rules are known.
    pub registry: Registry,
    /// The process.
    pub launch: Launch,
    /// The words that describe it: its options and the time that is forgiven.
    pub spec: EngineSpec,
    /// How it is spoken to.
    pub dialect: Dialect,
    /// The game; where absent, the engine is asked.
    pub game: Option<GameSpec>,
    /// What random choices are drawn with.
    pub seed: u64,
    /// Games whose positions are held against the rules.
    pub games: usize,
    /// Ends the run.
    pub stop: Stop,
    /// How long answers may take.
    pub patience: Timeouts,
    /// The names of the steps to take; all where empty.
    pub only: Vec<String>,
}

/// What becomes known in a run.
#[derive(Debug)]
pub enum News<'a> {
    /// The engine shook hands.
    Met {
        /// The name that it gave itself.
        name: &'a str,
        /// The name of the game, or why it is not known.
        game: Result<&'static str, &'a str>,
    },
    /// A step was taken.
    Step(Report),
}

/// Why a run did not come to its end.
#[derive(Debug)]
pub enum CheckError {
    /// The engine does not take an option that it was to be given.
    Option(String),
    /// Whoever is told failed.
    Subscriber(io::Error),
    /// The run was told to stop.
    Stopped,
}

impl fmt::Display for CheckError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            CheckError::Option(why) => f.write_str(why),
            CheckError::Subscriber(error) => error.fmt(f),
            CheckError::Stopped => f.write_str("stopped"),
        }
    }
}

impl std::error::Error for CheckError {}

/// Takes an engine through all steps that were asked for, and tells of each as it is done.
///
/// # Errors
/// An option that the engine does not take; an error of whoever is told; a wish to stop.
pub fn run(
    subject: &Subject,
    tell: &mut dyn FnMut(News<'_>) -> io::Result<()>,
) -> Result<(), CheckError> {
    let begun = Instant::now();
    let is_wanted =
        |step: &&Step| subject.only.is_empty() || subject.only.iter().any(|name| name == step.name);
    let wanted = STEPS.iter().filter(is_wanted);
    let mut case = match Case::meet(subject) {
        Ok(case) => case,
        Err(Unmet::Option(why)) => return Err(CheckError::Option(why)),
        Err(Unmet::Finding(..)) if subject.stop.is_asked() => return Err(CheckError::Stopped),
        Err(Unmet::Finding(finding, lines, heard)) => {
            let mut first = report(&STEPS[0], Err(finding), begun);
            (first.lines, first.heard) = (lines, heard);
            return tell_unmet(first, wanted, tell).map_err(CheckError::Subscriber);
        }
    };
    let name = case.greeting.names.first().map_or("", String::as_str);
    let game = case.game();
    tell(News::Met { name, game }).map_err(CheckError::Subscriber)?;
    for step in wanted {
        let report = take(step, &mut case);
        if subject.stop.is_asked() {
            return Err(CheckError::Stopped);
        }
        tell(News::Step(report)).map_err(CheckError::Subscriber)?;
    }
    Ok(())
}

/// Tells that there was no handshake, and that nothing else can be tested.
fn tell_unmet<'a>(
    first: Report,
    wanted: impl Iterator<Item = &'a Step>,
    tell: &mut dyn FnMut(News<'_>) -> io::Result<()>,
) -> io::Result<()> {
    tell(News::Step(first))?;
    for step in wanted.filter(|step| step.name != STEPS[0].name) {
        let skipped = Err(skip("the engine does not shake hands"));
        tell(News::Step(report(step, skipped, Instant::now())))?;
    }
    Ok(())
}

/// Takes one step with a process of its own.
fn take(step: &Step, case: &mut Case<'_>) -> Report {
    let begun = Instant::now();
    let subject = case.subject;
    let mut dialogue = match Dialogue::start(subject) {
        Ok(dialogue) => dialogue,
        Err(finding) => return report(step, Err(finding), begun),
    };
    let greeted = dialogue.greet(&case.options);
    let outcome = greeted.and_then(|()| (step.run)(case, &mut dialogue));
    let mut report = report(step, outcome, begun);
    if matches!(report.verdict, Verdict::Fail | Verdict::Warn) {
        if report.lines.is_empty() {
            report.lines = dialogue.notes().to_paste();
        }
        report.heard = dialogue.last_words();
    }
    case.junk.append(dialogue.take_junk());
    dialogue.end(GRACE);
    report
}

fn report(step: &Step, outcome: Outcome, begun: Instant) -> Report {
    let (verdict, text, lines) = match outcome {
        Ok(text) => (Verdict::Pass, text, None),
        Err(Finding {
            verdict,
            text,
            lines,
        }) => (verdict, text, lines),
    };
    Report {
        step: step.name,
        clause: step.clause,
        verdict,
        text,
        lines: lines.unwrap_or_default(),
        heard: Vec::new(),
        ms: begun.elapsed().as_millis() as u64,
    }
}
