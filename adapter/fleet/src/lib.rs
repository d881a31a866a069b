//! One match over many machines, on NATS JetStream.
//!
//! A coordinator ([`FleetControl`]) puts pairs of games into a queue and records their results. A worker
//! ([`worker::run`]) plays pairs. Both are clients of one NATS server, whose JetStream keeps pairs until they are played
//! and results until they are recorded. [`status::read`] queries the matches and workers of a server.
//!
//! Message formats are in [`wire`], streams in `streams`. An invalid message is dropped and reported.

mod archive;
mod bench;
mod cache;
mod content;
mod coordinator;
mod dispatch;
mod join;
mod link;
mod local_engine;
mod platform;
mod reports;
pub mod status;
mod store;
mod streams;
pub mod wire;
pub mod worker;

pub use bench::{Bench, measure};
pub use content::content;
pub use coordinator::FleetControl;
pub use link::{FleetError, Link, ServerArgs};
pub use worker::WorkerSettings;

#[cfg(test)]
#[path = "../../record/src/tests/testing.rs"]
#[allow(dead_code)]
mod record_testing;
