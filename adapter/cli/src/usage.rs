//! Failures of the program and their exit codes.

use std::fmt::Display;
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;

use protocol::text::{one_line, printable, without_error_number};
use record::registry::GameError;
use referee::match_error::MatchError;
use referee::opening::FileError;

/// A match was interrupted; its ledger can be resumed.
pub const INTERRUPTED: u8 = 3;

/// With `--strict`: a game was lost by a fault other than time, or the engines disagreed about a result.
pub const UNSOUND: u8 = 4;

/// The result of a step of a command.
pub type Done<T = ()> = Result<T, Failure>;

/// The reason that a command failed.
#[derive(Debug)]
pub enum Failure {
    /// Invalid arguments: status 2.
    Usage(String),
    /// Several invalid arguments, a line for each: status 2.
    Several(Vec<String>),
    /// An engine cannot start, or a file cannot be read or written: status 1.
    Trouble(String),
    /// Standard output cannot be written: status 1; for a closed pipe, a quiet end.
    Output(io::Error),
    /// A signal arrived before there was anything to save: status 3.
    Interrupted,
    /// The user quit before a game was started: status 0.
    Left,
    /// A message of clap, which may be the help.
    Clap(Box<clap::Error>),
}

impl Failure {
    /// Shows the failure on standard error. Returns the exit status.
    pub fn report(&self) -> ExitCode {
        match self {
            Failure::Usage(text) => complain(text, 2),
            Failure::Several(texts) => texts
                .iter()
                .fold(ExitCode::from(2), |_, text| complain(text, 2)),
            Failure::Trouble(text) => complain(text, 1),
            Failure::Output(error) if error.kind() == ErrorKind::BrokenPipe => ExitCode::SUCCESS,
            Failure::Output(error) => complain(&format!("standard output: {error}"), 1),
            Failure::Interrupted => {
                // Without a started game there is nothing to resume.
                warn("interrupted before the first game: no ledger was created");
                ExitCode::from(INTERRUPTED)
            }
            Failure::Left => ExitCode::SUCCESS,
            Failure::Clap(error) => match error.print() {
                Err(full) if !error.use_stderr() => Failure::Output(full).report(),
                _ => ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2)),
            },
        }
    }

    /// The text of the failure.
    pub fn text(&self) -> String {
        match self {
            Failure::Usage(text) | Failure::Trouble(text) => without_error_number(text),
            Failure::Several(texts) => texts.join("; "),
            Failure::Output(error) => without_error_number(&error.to_string()),
            Failure::Clap(error) => error.to_string(),
            Failure::Interrupted | Failure::Left => "interrupted".to_owned(),
        }
    }

    /// The failure with what to do if this file, which it is about, does not exist.
    #[must_use]
    pub fn or_absent(self, path: &Path, advice: &str) -> Failure {
        match self {
            Failure::Trouble(why) if !path.exists() => trouble(why, advice),
            other => other,
        }
    }
}

/// Returns `Ok` if there is no failure, and otherwise the mistakes of all arguments; any other failure comes first.
pub fn all_sound(checks: impl IntoIterator<Item = Done>) -> Done {
    let mut texts = Vec::new();
    for failure in checks.into_iter().filter_map(Result::err) {
        match failure {
            Failure::Usage(text) => texts.push(text),
            Failure::Several(more) => texts.extend(more),
            other => return Err(other),
        }
    }
    // Several words may be wrong in the same way.
    texts.dedup();
    match texts.len() {
        0 => Ok(()),
        1 => Err(Failure::Usage(texts.remove(0))),
        _ => Err(Failure::Several(texts)),
    }
}

/// The usage error that names a flag.
pub fn usage(flag: &str, why: impl Display) -> Failure {
    Failure::Usage(format!("{flag}: {why}"))
}

/// The error of a file or another thing that `about` names.
pub fn trouble(about: impl Display, why: impl Display) -> Failure {
    Failure::Trouble(format!("{about}: {why}"))
}

/// Returns the usage error with this text, which begins with the flag. The arguments are those of `format!`.
#[macro_export]
macro_rules! refuse {
    ($($why:tt)*) => {
        Err($crate::usage::Failure::Usage(format!($($why)*)))
    };
}

/// Returns the failure with this text, which begins with the file or the word that it is about.
#[macro_export]
macro_rules! fail {
    ($($why:tt)*) => {
        Err($crate::usage::Failure::Trouble(format!($($why)*)))
    };
}

pub use crate::{fail, refuse};

/// The error that already names what it is about.
pub fn plain_trouble(why: impl Display) -> Failure {
    Failure::Trouble(why.to_string())
}

/// Turns an error into a failure of the program.
pub trait OrFail<T> {
    /// Wrong use: the error of this flag or argument.
    fn or_usage(self, flag: &str) -> Done<T>;

    /// Wrong use: the error names what it is about.
    fn or_refuse(self) -> Done<T>;

    /// Trouble with a file, or with another thing that `about` names.
    fn or_trouble(self, about: impl Display) -> Done<T>;

    /// Trouble: the error names what it is about.
    fn or_fail(self) -> Done<T>;
}

impl<T, E: Display> OrFail<T> for Result<T, E> {
    fn or_usage(self, flag: &str) -> Done<T> {
        self.map_err(|why| usage(flag, why))
    }

    fn or_refuse(self) -> Done<T> {
        self.map_err(|why| Failure::Usage(why.to_string()))
    }

    fn or_trouble(self, about: impl Display) -> Done<T> {
        self.map_err(|why| trouble(about, why))
    }

    fn or_fail(self) -> Done<T> {
        self.map_err(plain_trouble)
    }
}

/// Writes lines of text to standard error. If it is closed, they are lost.
pub fn warn(text: &str) {
    let _ = writeln!(io::stderr(), "{}", printable(text));
}

/// Writes one line to standard error.
fn complain(text: &str, status: u8) -> ExitCode {
    warn(&format!("error: {}", one_line(&without_error_number(text))));
    ExitCode::from(status)
}

impl From<GameError> for Failure {
    fn from(error: GameError) -> Failure {
        match error {
            GameError::Rules(why) => plain_trouble(why),
            error => usage("GAME", error),
        }
    }
}

impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        match error.is_unread {
            true => plain_trouble(error),
            false => Failure::Usage(error.to_string()),
        }
    }
}

impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Failure {
        match error {
            MatchError::Game(error) => error.into(),
            MatchError::Usage(why) => Failure::Usage(why),
            MatchError::Start(why) | MatchError::Trouble(why) => Failure::Trouble(why),
            MatchError::Stopped => Failure::Interrupted,
        }
    }
}
