//! One match over many machines, on NATS JetStream.
//!
//! The coordinator of a match is a [`FleetControl`]: the referee puts pairs of games into it and gets their results from it.
//! A worker is [`worker::run`]: it plays what it gets. Both are clients of one NATS server, whose JetStream keeps pairs until
//! they are played, and results until they are recorded. [`status::read`] asks who is there.
//!
//! What the messages hold is in [`wire`], where they go in `names`. Everything that comes from the network is bounded and
//! checked before it is used: a message that is none costs itself and a note.

mod announcer;
mod archive;
mod bench;
mod cache;
mod content;
mod control;
mod coordinator;
mod crew;
mod inbox;
mod join;
mod link;
mod local_engine;
mod names;
mod pack;
mod platform;
mod presence;
mod queue;
mod removal;
mod results;
pub mod status;
mod store;
mod streams;
pub mod wire;
mod work;
pub mod worker;

pub use bench::{Bench, measure};
pub use content::{Content, content_hash};
pub use control::{ControlSettings, FleetControl};
pub use crew::{CrewView, SeenWorker};
pub use link::{FleetError, Link, ServerArgs};
pub use pack::{Packed, pack};
pub use removal::{Removed, remove};
