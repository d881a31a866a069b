//! The games of a match that is prepared: played, recorded and shown. And its end: the exit status, and the line that
//! says how to resume it.

use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use std::thread::available_parallelism;

use record::event::Recorder;
use record::outputs::PgnComment;
use record::plan::Plan;
use record::schedule::Schedule;
use record::stats::{Standing, Summary};
use referee::broadcast::Broadcast;
use referee::host::Host;
use referee::match_error::MatchError;
use referee::play::GameRunner;
use referee::tournament::{Scoreboard, Tournament};

use crate::args::OutputArgs;
use crate::engines::words::quote;
use crate::gui::{end_match, show_match};
use crate::matches::live::{Screen, numbers};
use crate::output::warn;
use crate::program;
use crate::usage::{Failure, INTERRUPTED, UNSOUND, refuse};

/// Records the games of a match that other machines play.
pub type Coordinate = Box<dyn FnOnce(&GameRunner, &mut Scoreboard<'_>, Schedule)>;

/// Other machines, which play the games of a match that this one schedules and records.
pub trait Machines {
    /// Connects to the machines, before the match has a ledger.
    fn connect(&self) -> Result<(), Failure>;

    /// Announces a match whose engines were started here once, to read their names and options.
    fn announce(&self, plan: &Plan, host: &Host) -> Result<Coordinate, Failure>;

    /// The flags that name the machines, for the command that resumes the match.
    fn flags(&self) -> String;
}

/// Connects to the machines that play the match.
pub(super) fn connect(machines: &dyn Machines, plan: &mut Plan) -> Result<(), Failure> {
    // The flags of a new match exclude it, but a resumed match reads it from its ledger.
    if plan.adjudicate_table.is_some() {
        return refuse!(
            "--fleet: workers do not have the table that ends games: leave out --adjudicate-table"
        );
    }
    machines.connect()?;
    plan.concurrency = 1;
    plan.affinity = None;
    Ok(())
}

/// Plays the games that are not `done`, on this machine if there are no others.
pub(super) fn play(
    tournament: Tournament,
    machines: Option<&dyn Machines>,
    done: Summary,
    mut recorders: Vec<Box<dyn Recorder>>,
    host: &Host,
    output: OutputArgs,
) -> Result<ExitCode, Failure> {
    let plan = &tournament.runner.plan.clone();
    let coordinate = machines.map(|machines| machines.announce(plan, host));
    let coordinate = coordinate.transpose()?;
    if coordinate.is_none() {
        warn_of_crowd(plan);
    }
    let hint = resume_hint(plan, machines);
    // The events and the page show each move.
    let watchers = Broadcast::new(output.json || output.gui);
    let page = output.gui.then(|| show_match(&watchers, plan, host));
    let page = page.transpose()?;
    let screen = Screen::open(watchers.watch(), plan, host.registry, output)?;
    let conclusion = match coordinate {
        Some(coordinate) => tournament.coordinate(done, &mut recorders, &watchers, coordinate),
        None => tournament.run(done, &mut recorders, &watchers),
    };
    let shown = conclusion.as_ref().map_or(Ok(()), |ended| {
        let numbers = numbers(plan, &ended.standing, &ended.summary);
        screen.close(numbers, &host.stop)
    });
    if let Some(page) = page {
        end_match(page, &conclusion, &plan.ledger, &hint, host);
    }
    let conclusion = conclusion.map_err(|error| match error {
        // The ledger keeps all finished games.
        MatchError::Trouble(why) => Failure::Trouble(format!("{why}; {hint}")),
        error => error.into(),
    })?;
    shown?;
    match conclusion.is_complete {
        true => Ok(complete(&conclusion.standing, output)),
        false => Ok(interrupted(&hint)),
    }
}

/// Warns before the first game if the engines keep more cores busy than there are.
fn warn_of_crowd(plan: &Plan) {
    let busy = plan.busy_cores();
    let cores = available_parallelism().map_or(usize::MAX, NonZero::get);
    if busy > cores {
        let games = plan.concurrency;
        warn(&format!(
            "warning: --concurrency {games} keeps {busy} cores busy, but this machine has {cores}: engines get less \
             time than their clocks show, and will lose games on time"
        ));
    }
}

/// The exit status of a complete match.
pub(crate) fn complete(standing: &Standing, output: OutputArgs) -> ExitCode {
    match output.strict && standing.has_unsound_engine() {
        true => ExitCode::from(UNSOUND),
        false => ExitCode::SUCCESS,
    }
}

pub(crate) fn interrupted(resume_hint: &str) -> ExitCode {
    warn(&format!("interrupted; {resume_hint}"));
    ExitCode::from(INTERRUPTED)
}

/// The command that resumes a match. It repeats the output files and the machines, which the ledger does not name.
pub(crate) fn resume_hint(plan: &Plan, machines: Option<&dyn Machines>) -> String {
    let outputs = &plan.outputs;
    let files = [
        ("--pgn", plan.pgn.as_ref()),
        ("--epdout", outputs.epdout.as_ref()),
        ("--log", plan.log.as_ref()),
    ];
    let word = |path: &Path| quote(path.display().to_string());
    let (program, ledger) = (program::name(), word(&plan.ledger));
    let mut line = format!("to resume: {program} match --resume {ledger}");
    for (flag, file) in files {
        line.extend(file.map(|file| format!(" {flag} {}", word(file))));
    }
    let comments = outputs.pgn_comments.iter().map(PgnComment::to_string);
    let comments = comments.collect::<Vec<_>>().join(",");
    if !comments.is_empty() {
        line += &format!(" --pgn-comments {comments}");
    }
    if let Some(machines) = machines {
        line += &format!(" {}", machines.flags());
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_that_resumes_can_be_pasted_into_a_shell() {
        let mut plan = Plan {
            ledger: "a/l".into(),
            ..Plan::default()
        };
        let command = "to resume: linesman match --resume";
        assert_eq!(resume_hint(&plan, None), format!("{command} a/l"));
        plan.ledger = "my l".into();
        plan.pgn = Some("p".into());
        plan.outputs.pgn_comments = vec![PgnComment::Nodes];
        plan.outputs.epdout = Some("an e".into());
        let outputs = "--pgn p --epdout 'an e' --pgn-comments nodes";
        assert_eq!(
            resume_hint(&plan, None),
            format!("{command} 'my l' {outputs}")
        );
    }
}
