//! The data of a table: what its events and snapshots hold.

mod command;
mod event;
mod people;
mod refusal;
mod snapshot;
mod study;
mod tree;

pub use command::{Command, CommandId, Help, TableCommand, Users, Voice, When};
pub use event::{Analysis, Placed, ProposalEnd, Question, TableEvent};
pub use people::{
    ClientId, ClientInfo, RequestId, Role, SeatId, SeatPlayer, SeatSpec, SideAuto, SideSet,
};
pub use refusal::{Amount, Refusal};
pub use snapshot::{
    Action, ActionArgs, ActionId, ClockInfo, Place, Proposal, Proposed, SeatInfo, Sitter, Snapshot,
    TableView, Turn,
};
pub use study::{AnalysedNode, ReviewedNode, RunningStudy, Studies, StudyEnd, StudyKind};
pub use tree::{Mover, NodeId, Ply, Tree};
