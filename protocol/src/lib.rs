//! The line protocol between a game engine and its client: UGI, with UCI as a second dialect.
//!
//! Lines parse to [`Command`]s (to an engine) and [`Reply`]s (from an engine), and both are formatted as lines. This
//! crate does not depend on any game: moves and positions are text. Start with [`command`] and [`reply`]; [`mod@line`]
//! splits bytes into lines of bounded length. `spec/protocol.md` defines the meaning of the lines.
//!
//! ```
//! use protocol::{Command, Dialect, Reply};
//!
//! let parsed = Command::parse("go wtime 60000 btime 59000").unwrap();
//! assert_eq!(parsed.command.display(Dialect::Ugi).to_string(), "go p1time 60000 p2time 59000");
//!
//! let reply = Reply::parse("bestmove b2 -> c3").unwrap();
//! assert_eq!(reply.to_string(), "bestmove b2->c3");
//! ```

pub mod command;
pub mod error;
pub mod line;
pub mod option;
pub mod reply;
pub mod text;
mod words;

pub use command::{Base, Command, Dialect, Go, Parsed, Query};
pub use error::SyntaxError;
pub use line::{Line, LineReader, ProtocolOutput};
pub use option::{OptionDecl, OptionKind};
pub use reply::{Bound, Info, Reply, Score};
