//! `linesman-club`: board games by e-mail, as a filter without a daemon.
//!
//! A mail server or a user passes in one message at a time. [`Club::receive`] carries out its commands in one
//! transaction of a SQLite file, the *store*, and stores the resulting e-mails in the same transaction.
//! [`Club::settle`] sends them afterwards; if the process ends in between, the next run sends them. The store is
//! authoritative. The ledger files next to it are copies for other commands of Linesman.
//!
//! A game is a table (crate `table`), opened from its journal for each message, with the players as clients. So
//! rules, journal and text diagrams are those of the table. Only `commands` prints. No code names a game, or passes a
//! part of a message to a shell or a path. `spec/club.md` documents the commands.
//!
//! Reading order: `commands` (the program), `message` (bytes to text), `script` (text to commands), `club`
//! (commands to transactions), `outbox` (outgoing e-mails and their delivery).

mod commands;

mod authentication;
mod message;
mod script;

mod club;
mod error;
mod game;
mod outbox;
mod store;
mod user;

// Names that most files need, by one path.
use authentication::is_authentic;
use error::{misread, refuse};
use game::{ClosedBoard, Engines, OpenBoard};
use message::{Incoming, is_address};
use outbox::{Answered, Draft, OWN_HEADER, Sent, WIDTH, compose, letter, wrap, wrap_lines};
use script::{Line, OwnLine, Words, is_number, number, takes_text, word};
use store::{DAY, ENGINE_NAME, HOUR};
use user::{User, fold, is_same_token, is_token, new_token};

pub use club::{Club, Report};
pub use commands::run;
pub use error::{Answer, ClubError};
pub use message::MAX_BYTES;
pub use outbox::Post;
