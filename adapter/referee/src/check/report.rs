//! What a step found out.

use serde::Serialize;

/// How an engine did in one step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Verdict {
    /// It does what the clause says.
    Pass,
    /// It can be played against, but does not do what the clause says.
    Warn,
    /// It breaks the clause.
    Fail,
    /// There was nothing to test: the engine says that it does not know this, or the game is not known.
    Skip,
}

impl Verdict {
    /// All verdicts, in the order in which they are counted.
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

/// One step, done.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// The name of the step.
    pub step: &'static str,
    /// The clause of `spec/protocol.md` that it tests.
    pub clause: &'static str,
    /// How the engine did.
    pub verdict: Verdict,
    /// What was wrong, or measured; one line.
    pub text: String,
    /// The lines that show it, to be pasted into the engine; none where there is nothing to show.
    pub lines: Vec<String>,
    /// The last lines that the engine said, and the end of its standard error.
    pub heard: Vec<String>,
    /// How long the step took.
    pub ms: u64,
}

/// Why a step did not pass.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Finding {
    pub(super) verdict: Verdict,
    pub(super) text: String,
    /// Better lines to show it than those of the dialogue.
    pub(super) lines: Option<Vec<String>>,
}

/// A remark to a step that was passed, perhaps empty, or what was found.
pub(super) type Outcome = Result<String, Finding>;

impl Finding {
    fn new(verdict: Verdict, text: impl Into<String>) -> Finding {
        Finding {
            verdict,
            text: text.into(),
            lines: None,
        }
    }

    /// The finding with lines of its own.
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

/// A failure unless it holds.
pub(super) fn ensure(holds: bool, text: impl FnOnce() -> String) -> Result<(), Finding> {
    if holds { Ok(()) } else { Err(fail(text())) }
}

/// A step passed with nothing to remark.
pub(super) fn pass() -> Outcome {
    Ok(String::new())
}
