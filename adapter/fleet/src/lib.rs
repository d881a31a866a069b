//! One match over many machines, on NATS JetStream.
//!
//! The coordinator of a match is a [`FleetControl`]: the referee puts pairs of games into it and gets their results from it.
//! A worker is [`worker::run`]: it plays what it gets. Both are clients of one NATS server, whose JetStream keeps pairs until
//! they are played, and results until they are recorded. [`status::read`] asks who is there.
//!
//! What the messages hold is in [`wire`], where they go in `names`. Everything that comes from the network is bounded and
//! checked before it is used: a message that is none costs itself and a note.

mod bench;
mod content;
mod control;
mod crew;
mod inbox;
mod join;
mod link;

mod names;
mod platform;
mod presence;
mod queue;
pub mod status;
mod streams;
pub mod wire;
pub mod worker;

pub use bench::{Bench, measure};
pub use content::content_hash;
pub use control::{ControlSettings, FleetControl};
pub use link::{FleetError, Link, ServerArgs};
