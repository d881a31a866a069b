//! Runs the steps of a check, each with a new process.

use std::io;
use std::time::Instant;

use protocol::text::excerpt;
use record::registry::Rules;

use crate::case::{Case, Subject};
use crate::dialogue::Dialogue;
use crate::handshake;
use crate::report::{Finding, FindingKind, Outcome, Report, Verdict, skip};
use crate::script::{STEPS, Step};

/// An event of a check.
#[derive(Debug)]
pub enum CheckEvent<'a> {
    /// The first handshake succeeded.
    Started {
        /// The engine's `id name`, shortened to 80 characters.
        name: &'a str,
        /// The rules, or the reason why they are not known.
        game: Result<&'a Rules, &'a str>,
    },
    /// A step ended.
    Step(Report),
}

/// Reason why a check ended early.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// The engine rejects one of the given options.
    #[error("{0}")]
    Option(String),
    /// `emit` failed.
    #[error(transparent)]
    Subscriber(io::Error),
    /// The check was stopped.
    #[error("stopped")]
    Stopped,
    /// The program that knows the rules has failed. The text names it.
    #[error("{0}")]
    Rules(String),
}

/// Runs the selected steps on an engine and emits the report of each one when it ends.
///
/// # Errors
/// If the engine rejects an option, `emit` fails, a rules program fails, or the check is stopped.
pub fn run(
    subject: &Subject,
    emit: &mut dyn FnMut(CheckEvent<'_>) -> io::Result<()>,
) -> Result<(), CheckError> {
    let started_at = Instant::now();
    let is_wanted =
        |step: &&Step| subject.only.is_empty() || subject.only.iter().any(|name| name == step.name);
    let wanted = STEPS.iter().filter(is_wanted);
    let mut emit = |event: CheckEvent<'_>| emit(event).map_err(CheckError::Subscriber);
    let mut case = match handshake::begin(subject) {
        Ok(case) => case,
        Err(_) if subject.stop.is_asked() => return Err(CheckError::Stopped),
        Err(finding) => {
            let first = &STEPS[0];
            emit(CheckEvent::Step(report(
                first.name,
                first.clause,
                Err(finding),
                started_at,
            )))?;
            return wanted
                .filter(|step| step.name != first.name)
                .try_for_each(|step| {
                    let skipped = Err(skip!("the handshake failed"));
                    emit(CheckEvent::Step(report(
                        step.name,
                        step.clause,
                        skipped,
                        Instant::now(),
                    )))
                });
        }
    };
    let name = case.identity.names.first().map(|name| excerpt(name));
    let name = &name.unwrap_or_default();
    let refused = |why| CheckError::Option(format!("engine {name}: {why}"));
    case.options = case
        .options_for(case.rules.as_ref().ok())
        .map_err(refused)?;
    let game = case.game();
    emit(CheckEvent::Started { name, game })?;
    for step in wanted {
        let report = run_step(step, &mut case);
        if subject.stop.is_asked() {
            return Err(CheckError::Stopped);
        }
        // Then the step says nothing about the engine.
        if let Some(why) = case.game().ok().and_then(|rules| rules.start().fault()) {
            return Err(CheckError::Rules(why));
        }
        emit(CheckEvent::Step(report))?;
    }
    Ok(())
}

/// Runs one step with a new process.
fn run_step(step: &Step, case: &mut Case<'_>) -> Report {
    let started_at = Instant::now();
    let mut dialogue = match Dialogue::start(case) {
        Ok(dialogue) => dialogue,
        Err(finding) => return report(step.name, step.clause, Err(finding), started_at),
    };
    let is_set_up = dialogue.set_up(&case.options);
    let outcome = is_set_up.and_then(|()| step.run(&mut dialogue));
    let outcome = outcome.map_err(|finding| match finding.verdict {
        Verdict::Fail | Verdict::Warn => dialogue.with_evidence(finding),
        Verdict::Pass | Verdict::Skip => finding,
    });
    let non_replies = std::mem::take(&mut dialogue.transcript.non_replies);
    dialogue.end();
    case.non_replies.append(non_replies);
    if let Err(finding) = &outcome
        && finding.kind == FindingKind::Refusal
    {
        case.refused_in.get_or_insert(step.name);
    }
    report(step.name, step.clause, outcome, started_at)
}

/// The report of a step with this outcome.
pub(super) fn report(
    step: &'static str,
    clause: &'static str,
    outcome: Outcome,
    started_at: Instant,
) -> Report {
    let finding = outcome.map_or_else(|finding| finding, |text| Finding::new(Verdict::Pass, text));
    Report {
        step,
        clause,
        verdict: finding.verdict,
        text: finding.text,
        lines: finding.lines,
        received: finding.received,
        ms: started_at.elapsed().as_millis() as u64,
    }
}
