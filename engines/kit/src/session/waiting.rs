//! The lines that arrive during a job, and wait for its end.

use std::collections::VecDeque;

use protocol::{Command, Parsed};

use crate::Rejection;

/// Maximum number of lines that wait for the end of a job.
const MAX_WAITING: usize = 1_000;
/// Maximum size of all of them in bytes. A command takes up to about 25 times the memory of its line.
const MAX_WAITING_BYTES: usize = 4 << 20;

/// A line that came while a job runs.
pub(super) struct WaitingLine {
    pub(super) parsed: Parsed,
    pub(super) text: String,
    /// Set if a `stop` came after it: a `go` then ends at once.
    pub(super) is_stopped: bool,
}

/// The lines in order.
#[derive(Default)]
pub(super) struct WaitingLines(pub(super) VecDeque<WaitingLine>);

impl WaitingLines {
    /// Adds a line.
    ///
    /// # Errors
    /// There are too many, or they are too long.
    pub(super) fn push(&mut self, parsed: Parsed, text: &str) -> Result<(), Rejection> {
        let n_bytes: usize = self.0.iter().map(|line| line.text.len()).sum();
        let limit = match self.0.len() < MAX_WAITING {
            true if n_bytes + text.len() <= MAX_WAITING_BYTES => {
                self.0.push_back(WaitingLine {
                    parsed,
                    text: text.to_owned(),
                    is_stopped: false,
                });
                return Ok(());
            }
            true => format!("{MAX_WAITING_BYTES} bytes"),
            false => format!("{MAX_WAITING} lines"),
        };
        let word = text.split_whitespace().next().unwrap_or_default();
        let why = format!("{word}: {limit} are waiting for the end of the search: send stop first");
        Err(Rejection(why))
    }

    /// Lets each `go` end as soon as it starts, since all of them came before this `stop`.
    pub(super) fn stop(&mut self) {
        self.0.iter_mut().for_each(|line| line.is_stopped = true);
    }

    /// Starts the clock of the first `go ponder` that is not stopped. Returns `false` if there is none.
    pub(super) fn ponderhit(&mut self) -> bool {
        let waiting = self.0.iter_mut().filter(|line| !line.is_stopped);
        let mut pondering = waiting.filter_map(|line| match &mut line.parsed.command {
            Command::Go(go) if go.ponder => Some(&mut go.ponder),
            _ => None,
        });
        pondering.next().map(|ponder| *ponder = false).is_some()
    }
}

/// `true` if a command that arrives during a job must wait for its end.
pub(super) fn must_wait(command: &Command) -> bool {
    !matches!(
        command,
        Command::Blank
            | Command::IsReady
            | Command::Stop
            | Command::PonderHit
            | Command::Debug(_)
            | Command::Quit
    )
}
