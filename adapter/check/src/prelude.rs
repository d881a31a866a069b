//! Names that most steps use.

pub(super) use protocol::text::excerpt;
pub(super) use protocol::{Command, Query, Reply};
pub(super) use record::opening::Opening;

pub(super) use crate::case::board;
pub(super) use crate::dialogue::{Dialogue, PAUSE};
pub(super) use crate::output::{OutputLine, no_best_move, only_errors, silent};
pub(super) use crate::report::{Checked, Finding, Outcome, ensure, fail, pass, skip, warning};
