//! Protocol errors, timeouts and crashes of an engine.

use std::io::{self, ErrorKind};

use protocol::text::{excerpt, without_error_number};
use protocol::{Dialect, Query};

use super::hear::MAX_GREETING;
use crate::platform;
use crate::process::Death;

/// Begins the message of a failure of the rules that a program knows.
pub(crate) const RULES_FAILURE: &str = "the rules of ";

/// An `info error` line received after a position or a `go` was sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Complaint {
    /// The rejected command.
    pub command: &'static str,
    /// The engine's message.
    pub words: String,
}

/// Reason why an engine cannot be used, or not any more.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Fault {
    /// Its process ended or closed a pipe.
    #[error("{death}{}{}", before(*due), within(*memory))]
    Died {
        /// Exit status, signal or closed pipe.
        death: Death,
        /// The reply that was expected at the time, such as `readyok`.
        due: Option<&'static str>,
        /// The cap of its memory in MiB, a likely cause.
        memory: Option<u32>,
    },
    /// The expected reply did not arrive by the deadline.
    #[error("no {0} in time")]
    Silent(&'static str),
    /// The handshake was not completed by the deadline.
    #[error("no {} in time; {}", dialect.handshake_ok(), heard_instead(*dialect, heard.as_deref()))]
    Ungreeted {
        /// The dialect of the handshake.
        dialect: Dialect,
        /// The last line that the engine wrote, if any.
        heard: Option<String>,
    },
    /// The engine did not read its input by the deadline. Holds the reply that was expected.
    #[error("did not read its input in time, before {0}")]
    Unread(&'static str),
    /// The engine sent more than 16 MiB before `ugiok` or `uciok`.
    #[error("sent more than {} MiB before {}", MAX_GREETING >> 20, .0.handshake_ok())]
    EndlessGreeting(Dialect),
    /// The engine sent more `readyok` lines than it got `isready`, or one before the answer to an earlier query.
    #[error("answers isready with more than one readyok, or before it answers an earlier query")]
    OutOfStep,
    /// The engine answered this query with this text, which is none of the possible answers.
    #[error("answers query {} with \"{}\": expected {}", query.word(), excerpt(answer), possible(*query))]
    Unintelligible {
        /// The query.
        query: Query,
        /// The answer.
        answer: String,
    },
    /// The engine sent this `bestmove` line before a `go`.
    #[error("sent an unasked move: {}", excerpt(.0))]
    Unasked(String),
    /// The engine sent this `bestmove` line, which cannot be parsed.
    #[error("sent no readable move: {}", excerpt(.0))]
    Unreadable(String),
    /// The process cannot be started, for this reason.
    #[error("cannot be started: {0}")]
    Start(String),
    /// The engine, or its protocol, cannot play this game, position or limit, for this reason.
    #[error("{0}")]
    Unsuitable(String),
    /// The engine rejects an option. The text names the option and what was expected.
    #[error("{0}")]
    Option(String),
    /// The process cannot be started because the system is short of descriptors, processes, threads or memory. Holds
    /// the complete message. Not the engine's fault.
    #[error("{0}")]
    Shortage(String),
    /// The rules that the built-in engine searches have failed. Holds the complete message. Not the engine's fault.
    #[error("{0}")]
    Rules(String),
    /// The referee was stopped. Not the engine's fault.
    #[error("stopped")]
    Stopped,
}

impl Fault {
    /// Fault for a process that could not be started.
    pub fn of_start(engine: &str, error: &io::Error) -> Fault {
        let why = without_error_number(&error.to_string());
        if error.kind() == ErrorKind::OutOfMemory || platform::is_shortage(error) {
            return Fault::Shortage(format!("engine {engine} cannot be started: {why}"));
        }
        Fault::Start(why)
    }

    /// Fault for a process that ended when this reply was due.
    pub fn died(death: Death, due: Option<&'static str>) -> Fault {
        let memory = None;
        Fault::Died { death, due, memory }
    }

    /// Adds the cap of the engine's memory to the fault of a process that ended.
    pub(crate) fn with_memory(self, memory: Option<u32>) -> Fault {
        match self {
            Fault::Died { death, due, .. } => Fault::Died { death, due, memory },
            fault => fault,
        }
    }

    /// `true` if the fault is not the engine's: the referee was stopped or the system is short of resources. No player
    /// loses.
    pub fn is_stop(&self) -> bool {
        matches!(self, Fault::Stopped | Fault::Shortage(_))
    }

    /// `true` if the process has ended or closed a pipe.
    pub fn is_death(&self) -> bool {
        matches!(self, Fault::Died { .. })
    }

    /// `true` for a timeout of an engine that is still running.
    pub fn is_silence(&self) -> bool {
        matches!(
            self,
            Fault::Silent(_) | Fault::Unread(_) | Fault::Ungreeted { .. }
        )
    }
}

/// The reply that was expected at the death of a process.
fn before(due: Option<&str>) -> String {
    due.map_or_else(String::new, |due| format!(" before sending {due}"))
}

/// The cap of the memory of a process that died.
fn within(memory: Option<u32>) -> String {
    memory.map_or_else(String::new, |mib| {
        format!("; its limit of memory is {mib} MiB")
    })
}

/// What an engine said in place of its greeting, and what may help.
fn heard_instead(dialect: Dialect, heard: Option<&str>) -> String {
    let advice = match dialect {
        Dialect::Ugi => "an engine that speaks UCI needs proto=uci",
        Dialect::Uci | Dialect::Uai => "an engine that speaks UGI needs proto=ugi",
    };
    match heard {
        Some(line) => format!("it said \"{}\": {advice}", excerpt(line)),
        None => format!("it said nothing: it must flush its output after each line, and {advice}"),
    }
}

/// The possible answers to a query.
fn possible(query: Query) -> &'static str {
    match query {
        Query::Result => "none, p1win, p2win or draw",
        _ => "true or false",
    }
}
