//! The data of a table: what its events and snapshots hold.
//!
//! The table itself, with its requests, is in the crate `table`.

pub(crate) mod event;
pub(crate) mod snapshot;
pub(crate) mod tree;

pub use event::{
    AnalysedNode, Analysis, Placed, ProposalEnd, Question, ReviewedNode, RunningStudy, Studies,
    StudyKind, TableEvent,
};
pub use snapshot::{
    ClientId, ClientInfo, ClockInfo, Proposal, Proposed, RequestId, Role, SeatId, SeatInfo,
    SideAuto, SideSet, Sitter, Snapshot, Turn,
};
pub use tree::{Mover, NodeId, Ply, Tree};
