//! Protocol errors, timeouts and crashes of an engine.

use std::io::{self, ErrorKind};

use protocol::text::{excerpt, without_error_number};
use protocol::{Dialect, Query};

use crate::platform;
use crate::process::Death;

/// Maximum output of an engine before `ugiok`, in bytes.
pub(super) const MAX_GREETING: usize = 1 << 24;

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
    /// Its process ended or closed a pipe. Holds the exit status, signal or pipe, and the reply that was expected.
    #[error("{0}")]
    Died(String),
    /// The expected reply did not arrive by the deadline.
    #[error("no {0} in time")]
    Silent(&'static str),
    /// The handshake was not completed by the deadline. Holds what may help.
    #[error("{0}")]
    Ungreeted(String),
    /// The engine did not read its input by the deadline. Holds the reply that was expected.
    #[error("did not read its input in time, before {0}")]
    Unread(&'static str),
    /// The engine sent more than 16 MiB before `ugiok` or `uciok`.
    #[error("sent more than {} MiB before {}", MAX_GREETING >> 20, .0.handshake_ok())]
    EndlessGreeting(Dialect),
    /// The engine sent more `readyok` lines than it got `isready`, or one before the answer to an earlier query.
    #[error("answers isready with more than one readyok, or before it answers an earlier query")]
    OutOfStep,
    /// The engine answered a query with none of the possible answers.
    #[error("{0}")]
    Unintelligible(String),
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
        let before = due.map_or_else(String::new, |due| format!(" before sending {due}"));
        Fault::Died(format!("{death}{before}"))
    }

    /// Adds the cap of the engine's memory in MiB, a likely cause, to the fault of a process that ended.
    pub(crate) fn with_memory(mut self, memory: Option<u32>) -> Fault {
        if let (Fault::Died(why), Some(mib)) = (&mut self, memory) {
            why.push_str(&format!("; its limit of memory is {mib} MiB"));
        }
        self
    }

    /// Fault for a handshake that was not completed, with the last line that the engine wrote, if any.
    pub fn ungreeted(dialect: Dialect, heard: Option<&str>) -> Fault {
        let advice = match dialect {
            Dialect::Ugi => "an engine that speaks UCI needs proto=uci",
            Dialect::Uci | Dialect::Uai => "an engine that speaks UGI needs proto=ugi",
        };
        const NOTHING: &str = "nothing: it must flush its output after each line, and";
        let heard = heard.map(|line| format!("\"{}\":", excerpt(line)));
        let heard = heard.as_deref().unwrap_or(NOTHING);
        let ok = dialect.handshake_ok();
        Fault::Ungreeted(format!("no {ok} in time; it said {heard} {advice}"))
    }

    /// Fault for this answer to a query.
    pub(crate) fn unintelligible(query: Query, answer: &str) -> Fault {
        let possible = match query {
            Query::Result => "none, p1win, p2win or draw",
            _ => "true or false",
        };
        let (word, answer) = (query.word(), excerpt(answer));
        let why = format!("answers query {word} with \"{answer}\": expected {possible}");
        Fault::Unintelligible(why)
    }

    /// `true` if the fault is not the engine's: the referee was stopped or the system is short of resources. No player
    /// loses.
    pub fn is_stop(&self) -> bool {
        matches!(self, Fault::Stopped | Fault::Shortage(_))
    }

    /// `true` if the process has ended or closed a pipe.
    pub fn is_death(&self) -> bool {
        matches!(self, Fault::Died(_))
    }

    /// `true` for a timeout of an engine that is still running.
    pub fn is_silence(&self) -> bool {
        matches!(
            self,
            Fault::Silent(_) | Fault::Unread(_) | Fault::Ungreeted(_)
        )
    }
}
