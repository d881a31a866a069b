//! Proposals that wait for an answer.

use record::table::{NodeId, Proposal};

use crate::journal::Journal;

/// An open proposal, and the action that acceptance carries out.
pub(super) struct Pending {
    pub(super) proposal: Proposal,
    pub(super) action: Action,
}

/// An action that needs consent.
pub(super) enum Action {
    Draw,
    GoTo { node: NodeId, is_held: bool },
    NewGame(Box<Journal>),
    Rematch,
    Hints,
}
