//! Names that most steps use.

pub(super) use protocol::text::excerpt;
pub(super) use protocol::{Command, Query, Reply};
pub(super) use record::opening::Opening;

pub(super) use crate::case::board;
pub(super) use crate::dialogue::{Dialogue, PAUSE};
pub(super) use crate::output_line::OutputLine;
pub(super) use crate::ready::snapshot;
pub(super) use crate::report::{Checked, Finding, Outcome, ensure, fail, pass, skip, warning};
