//! The data of a table: what its events and snapshots hold.

mod event;
mod people;
mod snapshot;
mod study;
mod tree;

pub use event::{Analysis, Placed, ProposalEnd, Question, TableEvent};
pub use people::{ClientId, ClientInfo, RequestId, Role, SeatId, SideAuto, SideSet};
pub use snapshot::{ClockInfo, Proposal, Proposed, SeatInfo, Sitter, Snapshot, Turn};
pub use study::{AnalysedNode, ReviewedNode, RunningStudy, Studies, StudyKind};
pub use tree::{Mover, NodeId, Ply, Tree};
