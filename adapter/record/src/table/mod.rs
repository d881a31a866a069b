//! The data of a table: what its events and snapshots hold.
//!
//! The table itself, with its requests, is in the crate `table`.

pub(crate) mod client_id;
pub(crate) mod event;
pub(crate) mod seat_id;
pub(crate) mod snapshot;
pub(crate) mod study;
pub(crate) mod tree;

pub use client_id::{ClientId, RequestId, Role, SideSet};
pub use event::{Analysis, Placed, ProposalEnd, Question, TableEvent};
pub use seat_id::{SeatId, SideAuto};
pub use snapshot::{ClientInfo, ClockInfo, Proposal, Proposed, SeatInfo, Sitter, Snapshot, Turn};
pub use study::{AnalysedNode, ReviewedNode, RunningStudy, Studies, StudyKind};
pub use tree::{Mover, NodeId, Ply, Tree};
