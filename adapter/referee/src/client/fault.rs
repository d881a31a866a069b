//! What an engine can do wrong, as far as the protocol goes.

use std::fmt;
use std::io::{self, ErrorKind};

use protocol::Dialect;
use protocol::text::{excerpt, without_error_number};

use crate::platform;
use crate::process::Death;

/// Why an engine cannot be talked with, or not any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// Its process ended or closed a pipe.
    Died {
        /// How.
        death: Death,
        /// The word that was due, as `readyok`, if one was.
        due: Option<&'static str>,
    },
    /// This word was due and did not come by the deadline.
    Silent(&'static str),
    /// The handshake was not completed by the deadline.
    Ungreeted {
        /// In which dialect it was begun.
        dialect: Dialect,
        /// The last line that the engine wrote, if it wrote any.
        heard: Option<String>,
    },
    /// It did not read its input by the deadline, with this word due.
    Unread(&'static str),
    /// It sent this `bestmove` line before any was asked for.
    Unasked(String),
    /// It sent this `bestmove` line, which names no move.
    Unreadable(String),
    /// It cannot be started, for this reason.
    Start(String),
    /// It does not take an option: which, and what was expected.
    Option(String),
    /// It cannot be started since this system lacks descriptors, processes, threads or memory: the whole sentence. Not
    /// the engine's fault.
    Shortage(String),
    /// Everything was told to stop. Not the engine's fault.
    Stopped,
}

impl Fault {
    /// Why the process of this engine could not be started.
    pub(crate) fn of_start(engine: &str, error: &io::Error) -> Fault {
        let why = without_error_number(&error.to_string());
        if error.kind() == ErrorKind::OutOfMemory || platform::is_shortage(error) {
            return Fault::Shortage(format!("engine {engine} cannot be started: {why}"));
        }
        Fault::Start(why)
    }

    /// Whether this is nobody's loss: the referee stops, or cannot go on.
    pub fn is_stop(&self) -> bool {
        matches!(self, Fault::Stopped | Fault::Shortage(_))
    }

    /// Whether the process is gone.
    pub fn is_death(&self) -> bool {
        matches!(self, Fault::Died { .. })
    }

    /// Whether time ran out, and not the engine.
    pub fn is_silence(&self) -> bool {
        matches!(
            self,
            Fault::Silent(_) | Fault::Unread(_) | Fault::Ungreeted { .. }
        )
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Died { death, due: None } => death.fmt(f),
            Fault::Died {
                death,
                due: Some(due),
            } => write!(f, "{death} with {due} due"),
            Fault::Silent(due) => write!(f, "no {due} in time"),
            Fault::Ungreeted { dialect, heard } => {
                let due = dialect.handshake_ok();
                let advice = match dialect {
                    Dialect::Ugi => "an engine that speaks UCI needs proto=uci",
                    Dialect::Uci => "an engine that speaks UGI needs proto=ugi",
                };
                match heard {
                    Some(line) => write!(
                        f,
                        "no {due} in time; it said \"{}\": {advice}",
                        excerpt(line)
                    ),
                    None => write!(
                        f,
                        "no {due} in time; it said nothing: it must flush its output after each line, and {advice}"
                    ),
                }
            }
            Fault::Unread(due) => write!(f, "did not read its input in time, with {due} due"),
            Fault::Unasked(line) => write!(f, "unasked move: {}", excerpt(line)),
            Fault::Unreadable(line) => write!(f, "sent no readable move: {}", excerpt(line)),
            Fault::Start(why) => write!(f, "cannot be started: {why}"),
            Fault::Option(why) | Fault::Shortage(why) => f.write_str(why),
            Fault::Stopped => f.write_str("stopped"),
        }
    }
}
