//! The games of a match that is prepared: played, recorded and shown.

use std::path::Path;
use std::process::ExitCode;

use record::event::Recorder;
use record::finished::FinishedGames;
use referee::broadcast::Broadcast;
use referee::host::Host;
use referee::match_error::MatchError;
use referee::tournament::Tournament;

use crate::args::OutputArgs;
use crate::matches::ending::{complete, interrupted, to_go_on};
use crate::matches::live::Screen;
use crate::matches::page::{self, MatchPage};
use crate::matches::place::Place;
use crate::usage::Failure;

/// Plays the games that are not `done`; the status to exit with.
pub(crate) fn play(
    tournament: Tournament,
    place: &Place,
    done: &FinishedGames,
    mut recorders: Vec<Box<dyn Recorder>>,
    host: &Host,
    output: OutputArgs,
) -> Result<ExitCode, Failure> {
    let plan = tournament.plan();
    let ready = place.open(plan, host)?;
    let ledger = plan.ledger.clone();
    let watchers = Broadcast::new(page::wants_moves(output));
    let page = MatchPage::open(&watchers, &ledger, host, &ready, output)?;
    let screen = Screen::open(watchers.watch(), plan, host.registry, output)?;
    let conclusion = ready.run(tournament, done, &mut recorders, &watchers);
    let shown = match &conclusion {
        Ok(conclusion) => screen.close(conclusion.standing.sprt, &host.stop),
        Err(_) => Ok(()),
    };
    page.close(&conclusion, &ledger, host);
    let conclusion = conclusion.map_err(|error| resumable(error, &ledger))?;
    shown.map(|()| match conclusion.is_complete {
        true => complete(&conclusion.standing, output),
        false => interrupted(&ledger),
    })
}

/// Adds the command that resumes the match, since the ledger keeps all finished games.
fn resumable(error: MatchError, ledger: &Path) -> Failure {
    match error {
        MatchError::Trouble(why) => Failure::Trouble(format!("{why}; {}", to_go_on(ledger))),
        error => error.into(),
    }
}
