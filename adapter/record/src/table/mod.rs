//! The data of a table: what its events and snapshots hold.
//!
//! The table itself, with its requests, is in the crate `table`.

pub(crate) mod event;
pub(crate) mod snapshot;
pub(crate) mod tree;

pub use snapshot::{ClientId, RequestId, Role, SideSet, ClientInfo, ClockInfo, Proposal, Proposed, SeatInfo, Sitter, Snapshot, Turn, SeatId, SideAuto};
pub use event::{Analysis, Placed, ProposalEnd, Question, TableEvent, AnalysedNode, ReviewedNode, RunningStudy, Studies, StudyKind};
pub use tree::{Mover, NodeId, Ply, Tree};
