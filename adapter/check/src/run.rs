//! Runs the steps of a check. Steps share a process until one leaves it other than new.

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

/// Steps that need a new process: they test its first position, or what many searches do to it.
const ALONE: [&str; 3] = ["uginewgame", "200-games", "long-games"];

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
        |name: &str| subject.only.is_empty() || subject.only.iter().any(|only| only == name);
    let mut emit = |event: CheckEvent<'_>| emit(event).map_err(CheckError::Subscriber);
    let mut case = match handshake::begin(subject) {
        Ok(case) => case,
        Err(_) if subject.stop.is_asked() => return Err(CheckError::Stopped),
        Err(finding) => {
            let (first, others) = STEPS.split_first().expect("there are steps");
            emit(ended(first.name, first.clause, Err(finding), started_at))?;
            let mut others = others.iter().filter(|step| is_wanted(step.name));
            return others.try_for_each(|step| {
                let skipped = Err(skip!("the handshake failed"));
                emit(ended(step.name, step.clause, skipped, Instant::now()))
            });
        }
    };
    let name = case.identity.names.first().map(|name| excerpt(name));
    let name = &name.unwrap_or_default();
    let refused = |why| CheckError::Option(format!("engine {name}: {why}"));
    let options = case.options_for(case.rules.as_ref().ok());
    case.options = options.map_err(refused)?;
    let game = case.rules.as_ref().map_err(String::as_str);
    emit(CheckEvent::Started { name, game })?;
    let mut shared = None;
    for step in STEPS.iter().filter(|step| is_wanted(step.name)) {
        let started_at = Instant::now();
        let outcome = run_step(step, &case, &mut shared);
        if subject.stop.is_asked() {
            return Err(CheckError::Stopped);
        }
        // Then the step says nothing about the engine.
        if let Some(why) = game.ok().and_then(|rules| rules.start().fault()) {
            return Err(CheckError::Rules(why));
        }
        emit(ended(step.name, step.clause, outcome, started_at))?;
    }
    Ok(())
}

/// Runs a step with the process of the steps before it, if that is as good as new; a fault found so must show in a new
/// process too. The process is kept for the next step unless the step ends with a fault.
fn run_step<'a>(step: &Step, case: &'a Case<'a>, shared: &mut Option<Dialogue<'a>>) -> Outcome {
    if let Some(mut dialogue) = shared.take()
        && !ALONE.contains(&step.name)
        && dialogue.renew()
    {
        let outcome = step.run(&mut dialogue);
        if !is_fault(&outcome) {
            *shared = Some(dialogue);
            return outcome;
        }
    }
    let mut dialogue = Dialogue::start(case)?;
    let is_set_up = dialogue.set_up(case.options.clone());
    let outcome = is_set_up.and_then(|()| step.run(&mut dialogue));
    if !is_fault(&outcome) {
        *shared = Some(dialogue);
        return outcome;
    }
    outcome.map_err(|finding| {
        if finding.kind == FindingKind::Refusal && case.refused_in.get().is_none() {
            case.refused_in.set(Some(step.name));
        }
        dialogue.with_evidence(finding)
    })
}

fn is_fault(outcome: &Outcome) -> bool {
    let is_fault = |finding: &Finding| matches!(finding.verdict, Verdict::Fail | Verdict::Warn);
    outcome.as_ref().is_err_and(is_fault)
}

/// The end of a step with this outcome.
pub(super) fn ended(
    step: &'static str,
    clause: &'static str,
    outcome: Outcome,
    started_at: Instant,
) -> CheckEvent<'static> {
    CheckEvent::Step(Report {
        step,
        clause,
        finding: outcome.map_or_else(|finding| finding, |text| Finding::new(Verdict::Pass, text)),
        ms: started_at.elapsed().as_millis() as u64,
    })
}
