//! Board games by e-mail: a filter, no daemon.
//!
//! A mail server, or a person, hands in one message at a time. [`Club::receive`] carries out its commands in one
//! transaction of a SQLite file, the *store*, and keeps the letters that answer in the same transaction.
//! [`Club::settle`] hands them over afterwards: whatever ends the process in between, the next run sends them. So the
//! store is the truth; the ledgers beside it are copies for the other commands of Linesman.
//!
//! A game is a [table](referee::table), opened from its journal for each message; players are its clients, so the rules,
//! the journal and the board as text are the table's. The library prints nothing, names no game, and passes nothing of a
//! message on to a shell or a path. `spec/mail.md` documents the commands.
//!
//! Reading order: `message` (bytes to text), `script` (text to commands), `club` (commands to transactions), `letter`
//! (what is sent), `post` (how it leaves).

mod message;
mod script;

mod club;
mod error;
mod game;
mod letter;
mod outbox;
mod platform;
mod post;
mod store;
mod token;

pub use club::{Club, Report, Settings};
pub use error::ClubError;
pub use message::MAX_BYTES;
pub use post::Post;
