//! What can go wrong on the command line, and the exit codes that tell it.

use std::io::{self, ErrorKind, Write};
use std::process::ExitCode;

use protocol::text::without_error_number;
use referee::tournament::MatchError;

use crate::output::printable;

/// A match was interrupted; its ledger can be resumed.
pub(crate) const INTERRUPTED: u8 = 3;

/// With `--strict`: a game was lost by a fault that is no matter of time, or the engines disagreed about a result.
pub(crate) const UNSOUND: u8 = 4;

/// Why a command was not carried out.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments make no sense: status 2.
    Usage(String),
    /// An engine cannot start, or a file cannot be read or written: status 1.
    Trouble(String),
    /// Standard output cannot be written: status 1, or a quiet end where its reader has gone.
    Output(io::Error),
    /// A signal came before there was anything to save: status 3.
    Interrupted,
    /// The person left before there was anything to do: status 0.
    Left,
    /// clap's own message, which may be the help.
    Clap(Box<clap::Error>),
}

impl Failure {
    /// Says it on standard error; the status to exit with.
    pub(crate) fn report(&self) -> ExitCode {
        match self {
            Failure::Usage(text) => complain(text, 2),
            Failure::Trouble(text) => complain(text, 1),
            Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Failure::Output(error) => complain(&format!("standard output: {error}"), 1),
            Failure::Interrupted => complain_interrupted(),
            Failure::Left => ExitCode::SUCCESS,
            Failure::Clap(error) => {
                let _ = error.print();
                ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
            }
        }
    }
}

impl Failure {
    /// What went wrong, in words.
    pub(crate) fn text(&self) -> String {
        match self {
            Failure::Usage(text) | Failure::Trouble(text) => without_error_number(text),
            Failure::Output(error) => without_error_number(&error.to_string()),
            Failure::Clap(error) => error.to_string(),
            Failure::Interrupted | Failure::Left => "interrupted".to_owned(),
        }
    }
}

/// One line on standard error. An error that cannot be written is no reason to fail in another way.
fn complain(text: &str, status: u8) -> ExitCode {
    let text = without_error_number(text);
    let _ = writeln!(io::stderr(), "error: {}", printable(&text));
    ExitCode::from(status)
}

/// Nothing was begun, so nothing can be resumed.
fn complain_interrupted() -> ExitCode {
    let _ = writeln!(
        io::stderr(),
        "interrupted before the first game: no ledger was begun"
    );
    ExitCode::from(INTERRUPTED)
}

impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Failure {
        match error {
            MatchError::Game(error) => Failure::Usage(format!("GAME: {error}")),
            MatchError::Opening { .. } => Failure::Usage(format!("--openings: {error}")),
            MatchError::Option { .. } | MatchError::Drawing(_) => Failure::Usage(error.to_string()),
            MatchError::Engine { .. }
            | MatchError::Log(_)
            | MatchError::Table(_)
            | MatchError::Record(_)
            | MatchError::Trouble(_) => Failure::Trouble(error.to_string()),
            MatchError::Stopped => Failure::Interrupted,
        }
    }
}
