//! The result of a step.

use serde::Serialize;

/// The verdict on one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// The engine meets the clause.
    Pass,
    /// The engine is playable, but deviates from the clause.
    Warn,
    /// The engine breaks the clause.
    Fail,
    /// Not tested: the engine does not support this, or the game is unknown.
    Skip,
}

impl Verdict {
    /// All verdicts, in the order of the summary.
    pub const ALL: [Verdict; 4] = [Verdict::Pass, Verdict::Fail, Verdict::Warn, Verdict::Skip];

    /// The word that is shown.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Pass => "PASS",
            Verdict::Warn => "WARN",
            Verdict::Fail => "FAIL",
            Verdict::Skip => "SKIP",
        }
    }
}

/// The report on one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The name of the step.
    pub step: &'static str,
    /// The clause of `spec/protocol.md` that it tests.
    pub clause: &'static str,
    /// The verdict.
    pub verdict: Verdict,
    /// The fault or the measurement, on one line.
    pub text: String,
    /// The lines to paste into the engine to reproduce the fault; empty if it passed.
    pub lines: Vec<String>,
    /// The last lines of the engine's standard output, then of its standard error.
    #[serde(rename = "heard")]
    pub received: Vec<String>,
    /// The time that the step took, in milliseconds.
    pub ms: u64,
}

/// Why a step did not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    pub(super) text: String,
    /// Lines that reproduce the fault, if there are shorter ones than all that were sent.
    pub(super) lines: Option<Vec<String>>,
    /// The last lines of the process that showed it, if a later one took its place.
    pub(super) received: Option<Vec<String>>,
}

/// A remark on a passed step (may be empty), or the reason why it did not pass.
pub(super) type Outcome = Result<String, Finding>;

impl Finding {
    fn new(verdict: Verdict, text: impl Into<String>) -> Finding {
        Finding {
            verdict,
            text: text.into(),
            lines: None,
            received: None,
        }
    }

    /// What a passed step remarks, in the form of a finding.
    pub(super) fn passed(text: String) -> Finding {
        Finding::new(Verdict::Pass, text)
    }

    /// The finding with its own lines to reproduce it.
    pub(super) fn shown_by(self, lines: Vec<String>) -> Finding {
        Finding {
            lines: Some(lines),
            ..self
        }
    }
}

pub(super) fn fail(text: impl Into<String>) -> Finding {
    Finding::new(Verdict::Fail, text)
}

pub(super) fn warn(text: impl Into<String>) -> Finding {
    Finding::new(Verdict::Warn, text)
}

pub(super) fn skip(text: impl Into<String>) -> Finding {
    Finding::new(Verdict::Skip, text)
}

/// Fails with `text` unless `holds`.
pub(super) fn ensure(holds: bool, text: impl FnOnce() -> String) -> Result<(), Finding> {
    if holds { Ok(()) } else { Err(fail(text())) }
}

/// Passes a step without a remark.
pub(super) fn pass() -> Outcome {
    Ok(String::new())
}
