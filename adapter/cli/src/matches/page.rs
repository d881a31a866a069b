//! The page of a running match.

use std::path::Path;

use referee::broadcast::Broadcast;
use referee::host::Host;
use referee::match_error::MatchError;
use referee::scoreboard::Conclusion;

use crate::args::OutputArgs;
use crate::matches::place::Ready;
use crate::usage::Failure;

/// `true` if the output or the page shows each move.
pub(crate) fn wants_moves(output: OutputArgs) -> bool {
    output.json || output.gui
}

/// The page of the match, if it is shown.
pub(crate) struct MatchPage {
    server: Option<gui::Server>,
}

impl MatchPage {
    /// Serves the page if requested, and writes its address to standard error.
    pub(crate) fn open(
        events: &Broadcast,
        ledger: &Path,
        host: &Host,
        ready: &Ready,
        output: OutputArgs,
    ) -> Result<MatchPage, Failure> {
        let show = || crate::gui::show_match(events, ledger, host, ready.workers());
        let server = output.gui.then(show).transpose()?;
        Ok(MatchPage { server })
    }

    /// Sends the end of the match to the page, and waits until its viewers have received it.
    pub(crate) fn close(self, ended: &Result<Conclusion, MatchError>, ledger: &Path, host: &Host) {
        if let Some(server) = self.server {
            crate::gui::end_match(server, ended, ledger, host);
        }
    }
}
