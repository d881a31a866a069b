//! One match over many machines, on NATS JetStream.
//!
//! A coordinator has a [`FleetControl`], to which the referee sends pairs of games and from which it receives their
//! results. A worker runs [`worker::run`], which plays pairs. Both are clients of one NATS server, whose JetStream
//! keeps pairs until they are played and results until they are recorded. [`status::read`] queries the matches and
//! workers of a server.
//!
//! Message formats are in [`wire`], subjects in `names`. Everything from the network is bounded and checked before use;
//! an invalid message is dropped and reported.

mod announcer;
mod archive;
mod ban;
mod bench;
mod cache;
mod choice;
mod content;
mod control;
mod coordinator;
mod digest;
mod fence;
mod inbox;
mod join;
mod keys;
mod link;
mod local_engine;
mod names;
mod overload;
mod pack;
mod platform;
mod presence;
mod queue;
mod removal;
mod results;
mod roles;
mod settings;
mod signing;
pub mod status;
mod store;
mod streams;
mod update;
pub mod wire;
mod work;
pub mod worker;
mod worker_registry;

pub use ban::{Banned, ban};
pub use bench::{Bench, measure};
pub use content::{Content, content_hash};
pub use control::FleetControl;
pub use keys::{new_key, public_key};
pub use link::{FleetError, Link, ServerArgs};
pub use pack::{Packed, pack};
pub use platform::host_name;
pub use removal::{Removed, remove};
pub use roles::{ServerSettings, server_config};
pub use settings::{ControlSettings, LocalEngine, WorkerSettings};
pub use signing::{TrustFile, WorkerKey, check_public, parse_trusted};
pub use update::{NewProgram, SentProgram};
pub use worker_registry::{MatchWorkers, SeenWorker};
