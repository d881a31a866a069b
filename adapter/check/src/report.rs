//! Results of steps.

use serde::Serialize;

/// The verdict on one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// The engine meets the clause.
    Pass,
    /// The engine deviates from the clause, but can play.
    Warn,
    /// The engine violates the clause.
    Fail,
    /// Not tested, because the engine does not support it or the game is unknown.
    Skip,
}

impl Verdict {
    /// All verdicts, in the order of the summary.
    pub const ALL: [Verdict; 4] = [Verdict::Pass, Verdict::Fail, Verdict::Warn, Verdict::Skip];

    /// The word shown to the user.
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
    /// The tested clause of `spec/protocol.md`.
    pub clause: &'static str,
    /// What it found.
    #[serde(flatten)]
    pub finding: Finding,
    /// Duration of the step in milliseconds.
    pub ms: u64,
}

/// The result of a step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The verdict.
    pub verdict: Verdict,
    /// The fault or measurement, as one line.
    pub text: String,
    /// Input lines that reproduce the fault; empty if the step passed. While a step runs, only those that are fewer than all
    /// lines sent.
    pub lines: Vec<String>,
    /// The last lines of the engine's standard output, then of its standard error.
    #[serde(rename = "heard")]
    pub received: Vec<String>,
    /// The subject, for steps that continue after it.
    #[serde(skip)]
    pub(super) kind: FindingKind,
}

/// The kinds of findings that steps tell apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum FindingKind {
    #[default]
    Other,
    /// The engine rejects a legal position.
    Refusal,
    /// A wrong answer about a position.
    WrongAnswer,
}

/// A result, or the reason why the step did not pass.
pub(super) type Checked<T> = Result<T, Finding>;

/// The text of a passed step; may be empty.
pub(super) type Outcome = Checked<String>;

impl Finding {
    /// Creates a finding that is shown with all lines of its process.
    pub(super) fn new(verdict: Verdict, text: String) -> Finding {
        Finding {
            verdict,
            text,
            lines: Vec::new(),
            received: Vec::new(),
            kind: FindingKind::Other,
        }
    }
}

/// Creates the finding of a failed step. The arguments are those of `format!`.
macro_rules! fail {
    ($($text:tt)*) => {
        $crate::report::Finding::new($crate::report::Verdict::Fail, format!($($text)*))
    };
}

/// Like [`fail`], for a deviation with which the engine can play.
macro_rules! warning {
    ($($text:tt)*) => {
        $crate::report::Finding::new($crate::report::Verdict::Warn, format!($($text)*))
    };
}

/// Like [`fail`], for a step that does not apply.
macro_rules! skip {
    ($($text:tt)*) => {
        $crate::report::Finding::new($crate::report::Verdict::Skip, format!($($text)*))
    };
}

/// Fails the step with this text unless the condition holds.
macro_rules! ensure {
    ($holds:expr, $($text:tt)*) => {
        if !$holds {
            return Err($crate::report::fail!($($text)*));
        }
    };
}

/// Skips the step with this text unless the condition holds.
macro_rules! skip_unless {
    ($holds:expr, $($text:tt)*) => {
        if !$holds {
            return Err($crate::report::skip!($($text)*));
        }
    };
}

pub(super) use {ensure, fail, skip, skip_unless, warning};

/// Passes a step without text.
pub(super) fn pass() -> Outcome {
    Ok(String::new())
}
