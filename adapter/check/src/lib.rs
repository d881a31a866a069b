//! Tests an engine step by step: the protocol, the timing, and its rules against the referee's.
//!
//! [`run`] runs [`STEPS`] on a [`Subject`] and emits a [`Report`] for each. A step begins with completed handshake and
//! options, in a process that earlier steps used only as every client may. A fault must show in a new process, so steps do
//! not affect each other, and the lines sent by a step reproduce its fault. A `Case` holds the facts that all steps share; a
//! `Dialogue` exchanges lines with the engine. Nothing here prints.

mod report;
mod run;

mod case;
mod dialogue;
mod search;
mod transcript;

mod handshake;
mod long_game;
mod mates;
mod positions;
mod query;
mod script;
mod thought;
mod timing;

mod compare;
mod games;
mod shrink;

pub mod against;
pub mod own_rules;
pub mod solve;
pub mod suite;

#[cfg(test)]
#[path = "../../referee/src/tests/nim_table.rs"]
mod nim_table;
#[cfg(test)]
#[path = "../../record/src/tests/testing.rs"]
#[allow(dead_code)]
mod record_testing;

pub use case::Subject;
pub use report::{Report, Verdict};
pub use run::{CheckError, CheckEvent, run};
pub use script::{STEPS, Step};

/// Names that most steps use.
mod prelude {
    pub(super) use protocol::text::excerpt;
    pub(super) use protocol::{Command, Query, Reply};
    pub(super) use record::opening::Opening;

    pub(super) use crate::case::{board, legal};
    pub(super) use crate::dialogue::{Dialogue, PAUSE};
    pub(super) use crate::report::{
        Checked, Finding, FindingKind, Outcome, ensure, fail, pass, skip, skip_unless, warning,
    };
    pub(super) use crate::transcript::OutputLine;
}
