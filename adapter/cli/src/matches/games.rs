//! The games of a match that is prepared: played, recorded and shown.

use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use record::event::Recorder;
use record::finished::FinishedGames;
use referee::broadcast::Broadcast;
use referee::host::Host;
use referee::match_error::MatchError;
use referee::queue::is_same_worker;
use referee::tournament::Tournament;

use crate::args::OutputArgs;
use crate::fleet::purge;
use crate::matches::ending::{complete, interrupted, to_go_on};
use crate::matches::live::Screen;
use crate::matches::outputs::Derived;
use crate::matches::page::{self, MatchPage};
use crate::matches::place::Place;
use crate::output::printable;
use crate::play::text::count;
use crate::usage::Failure;

/// Outcome of a run of a match.
pub(crate) enum Finish {
    /// The status to exit with.
    Status(ExitCode),
    /// Games were removed from this ledger, and are to be played again.
    Again(PathBuf),
}

/// Plays the games that are not `done`.
pub(crate) fn play(
    tournament: Tournament,
    place: &Place,
    done: &FinishedGames,
    mut recorders: Vec<Box<dyn Recorder>>,
    host: &Host,
    output: OutputArgs,
) -> Result<Finish, Failure> {
    let plan = tournament.plan();
    let ready = place.open(plan, host)?;
    let ledger = plan.ledger.clone();
    let derived = Derived::of(plan);
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
    shown?;
    if !conclusion.again.is_empty() {
        // The recorders lock the ledger.
        drop(recorders);
        let n_removed = purge(&ledger, |name| {
            conclusion
                .again
                .iter()
                .any(|worker| is_same_worker(worker, name))
        })?;
        derived.empty()?;
        let workers = conclusion.again.into_iter().collect::<Vec<_>>().join(", ");
        let games = count(n_removed, "game");
        let line = format!("{games} of {workers} removed from {}", ledger.display());
        let _ = writeln!(io::stderr(), "{}", printable(&line));
        return Ok(Finish::Again(ledger));
    }
    Ok(Finish::Status(match conclusion.is_complete {
        true => complete(&conclusion.standing, output),
        false => interrupted(&ledger),
    }))
}

/// Adds the command that resumes the match, since the ledger keeps all finished games.
fn resumable(error: MatchError, ledger: &Path) -> Failure {
    match error {
        MatchError::Trouble(why) => Failure::Trouble(format!("{why}; {}", to_go_on(ledger))),
        error => error.into(),
    }
}
