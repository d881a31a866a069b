//! The games of a match, new or resumed: played, recorded and shown. And its end: the exit status, and the line that says
//! how to resume it.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread::available_parallelism;

use itertools::Itertools;
use record::event::Recorder;
use record::ledger::{Ledger, open_ledger};
use record::opening::Opening;
use record::opening::source::OpeningSource;
use record::plan::{Extension, Plan};
use record::registry::{Registry, Rules};
use record::schedule::{Schedule, n_openings};
use record::stats::{Standing, Summary};
use referee::broadcast::Broadcast;
use referee::derived_file::pause;
use referee::host::Host;
use referee::match_error::MatchError;
use referee::tournament::{Coordinate, Tournament};
use serde_json::Value;

use crate::args::{MatchArgs, OutputArgs};
use crate::engines::words::quote;
use crate::gui::{end_match, show_match};
use crate::matches::live::{Screen, numbers};
use crate::matches::openings::openings;
use crate::matches::{live, plan};
use crate::paths::absolute;
use crate::records::{source, trust};
use crate::usage::{Failure, INTERRUPTED, OrFail, UNSOUND, fail, refuse, warn};
use crate::{program, rules};

/// Plays the remaining games of a match. The ledger is locked before it is read, until the end.
pub(crate) fn resume(
    path: &Path,
    args: &MatchArgs,
    host: Host,
    machines: Option<&dyn Machines>,
) -> Result<ExitCode, Failure> {
    let (ledger, summary, writer) = open_ledger(path, pause).or_trouble(path.display())?;
    source::warn_torn(path, ledger.torn);
    if ledger.is_of_table {
        return fail!(
            "{}: a game of linesman play, which `linesman play --continue FILE` resumes",
            path.display()
        );
    }
    refuse_gone("--resume", path, &ledger.plan_line)?;
    let is_known = args.trust || trust::is_begun_here(&ledger.plan_line);
    let games = args.plan.games;
    let is_extended = games.is_some_and(|games| games > ledger.plan.games);
    let wishes = match is_known {
        true => Vec::new(),
        false => trust::wishes(&ledger.plan, is_extended),
    };
    // An extension may read a file of openings, and the records of a complete match need the rules.
    let is_asked_first = is_extended || ledger.plan.rules.is_some();
    if is_asked_first {
        trust::check("--resume", path, &wishes)?;
    }
    let registry = rules::of_plan(host.registry, &ledger.plan, path, args.trust)?;
    let host = &Host { registry, ..host };
    let extension = extension(&ledger.plan, games, host.registry)?;
    let mut plan = new_plan(path, args, &ledger, extension.as_ref())?;
    if !is_known {
        plan.engines.iter_mut().for_each(trust::use_own_tables);
    }
    plan::check_settings(&plan)?;
    let schedule = Schedule::resume(&plan, summary.results(0)).or_trouble(path.display())?;
    let standing = summary.standing(schedule.n_games());
    let is_decided = standing.sprt.is_some_and(|sprt| sprt.decision.is_some());
    if standing.games >= standing.total || is_decided {
        plan::open_outputs(&plan, Some(path), host.registry)?;
        let status = complete(&standing, args.output);
        live::show_complete(plan, standing, &summary, host.registry, args.output)?;
        return Ok(status);
    }
    if !is_asked_first {
        trust::check("--resume", path, &wishes)?;
    }
    if let Some(machines) = machines {
        connect(machines, &mut plan)?;
    }
    let hint = resume_hint(&plan, machines);
    let tournament = match Tournament::prepare(plan, host) {
        Err(MatchError::Stopped) => return Ok(interrupted(&hint)),
        tournament => tournament?,
    };
    let plan = &tournament.runner.plan;
    let mut writer = writer.with_sync(args.sync);
    if let Some(mut extension) = extension {
        extension.openings.clone_from(&plan.openings);
        writer.extend(&extension).or_fail()?;
    }
    let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(writer)];
    recorders.extend(plan::open_outputs(plan, Some(path), host.registry)?);
    play(tournament, machines, summary, recorders, host, args.output)
}

/// The plan of the ledger, with the outputs of the command line.
fn new_plan(
    path: &Path,
    args: &MatchArgs,
    ledger: &Ledger,
    extension: Option<&Extension>,
) -> Result<Plan, Failure> {
    let mut plan = ledger.plan.clone();
    path.clone_into(&mut plan.ledger);
    if let Some(extension) = extension {
        plan.extend(extension.clone());
    }
    plan.concurrency = args.plan.concurrency.unwrap_or(plan.concurrency);
    let given = |path: &Option<PathBuf>| path.as_deref().map(absolute);
    plan.pgn = given(&args.pgn);
    plan.log = given(&args.log);
    // A file that the match appended to keeps its earlier contents.
    let pgn_start = plan.outputs.pgn_start;
    let pgn_start = pgn_start.filter(|_| plan.pgn.as_ref().is_some_and(|pgn| pgn.exists()));
    plan.outputs = plan::outputs(args, given(&args.epdout), pgn_start);
    plan::check_distinct(&plan)?;
    Ok(plan)
}

/// Rejects a match that needs a flag of version 0.2 that is gone.
pub(crate) fn refuse_gone(flag: &str, path: &Path, plan_line: &[u8]) -> Result<(), Failure> {
    let line: Value = serde_json::from_slice(plan_line).unwrap_or_default();
    let plan = &line["plan"];
    let flags = [
        ("--format knockout", plan["format"] == "knockout"),
        ("--team", !plan["teams"].is_null()),
        ("--seeds", !plan["seeds"].is_null()),
        ("--arbiter", !plan["arbiter"].is_null()),
        ("--cross-check", plan["cross_check"] == true),
    ];
    if let Some((gone, _)) = flags.into_iter().find(|(_, is_needed)| *is_needed) {
        let path = path.display();
        return refuse!(
            "{flag}: {path} was begun with {gone}, which version 0.2 had: version 0.2 plays it"
        );
    }
    Ok(())
}

/// The games that `--games` adds to a match; `None` if it adds none.
fn extension(
    plan: &Plan,
    games: Option<usize>,
    registry: Registry,
) -> Result<Option<Extension>, Failure> {
    let Some(games) = games.filter(|games| *games != plan.games) else {
        return Ok(None);
    };
    if games < plan.games {
        let old = plan.games;
        return refuse!("--games: {games} is too few: the match has {old} already");
    }
    if plan.format.rounds().is_some() {
        return refuse!("--games: a match with rounds cannot be made longer: begin a new match");
    }
    let n_engines = plan.engines.len();
    if n_engines > 2 && plan.games % 2 == 1 {
        return refuse!(
            "--games: a match of {n_engines} engines with {} games a pairing, an odd number, cannot be extended: begin a new one",
            plan.games
        );
    }
    let rules = registry.rules(&plan.game)?;
    let openings = more_openings(plan, games, rules.as_ref())?;
    Ok(Some(Extension { games, openings }))
}

/// The openings of an extended match: the old ones, and more from the same source.
fn more_openings(
    plan: &Plan,
    games: usize,
    rules: Option<&Rules>,
) -> Result<Vec<Opening>, Failure> {
    if rules.is_none() && matches!(plan.opening_source, Some(OpeningSource::Random { .. })) {
        // The engines draw more openings during the match.
        return Ok(plan.openings.clone());
    }
    let n_openings = n_openings(plan.format, games, plan.swaps);
    let source = plan.opening_source.clone();
    let Some(source) = source.or_else(|| guess_source(plan, rules)) else {
        return Ok(plan.openings.clone());
    };
    let more = openings(&source, rules, plan.srand, n_openings)?;
    if !more.starts_with(&plan.openings) {
        return refuse!(
            "--games: the openings have changed since the match began: restore their file to extend it"
        );
    }
    Ok(more)
}

/// The source of an older ledger's openings, if they can be recognised as random ones.
fn guess_source(plan: &Plan, rules: Option<&Rules>) -> Option<OpeningSource> {
    let first = plan.openings.first()?;
    let plies = first.moves.len();
    let drawn = Opening::random(rules?, plies, plan.srand, 0).ok()?;
    (plies > 0 && drawn == *first).then_some(OpeningSource::Random { plies })
}

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
    let conclusion = tournament.run(done, &mut recorders, &watchers, coordinate);
    let shown = conclusion.as_ref().map_or(Ok(()), |ended| {
        let numbers = numbers(plan, &ended.summary);
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
    let is_timed = plan.engines.iter().any(|spec| spec.limit.is_time());
    let n_games = if is_timed { plan.concurrency } else { 0 };
    let busy = n_games.saturating_mul(plan.cores_of_a_game());
    let cores = available_parallelism().map_or(usize::MAX, NonZero::get);
    if busy > cores {
        let games = plan.concurrency;
        warn(&format!(
            "warning: --concurrency {games} keeps {busy} cores busy, but this machine has {cores}: engines get less \
             time than their clocks show, and will lose games on time"
        ));
    }
}

/// The exit status of a complete match: with `--strict`, whether an engine broke the rules or the protocol, crashed, hung, or
/// disagreed about a result. Losses on time do not count.
pub(crate) fn complete(standing: &Standing, output: OutputArgs) -> ExitCode {
    let n_unsound = standing.faults.illegal + standing.faults.abandoned + standing.disagreements;
    let is_unsound = output.strict && n_unsound > 0;
    ExitCode::from(if is_unsound { UNSOUND } else { 0 })
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
    let comments = outputs.pgn_comments.iter().join(",");
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
        plan.outputs.pgn_comments = vec![record::outputs::PgnComment::Nodes];
        plan.outputs.epdout = Some("an e".into());
        let outputs = "--pgn p --epdout 'an e' --pgn-comments nodes";
        assert_eq!(
            resume_hint(&plan, None),
            format!("{command} 'my l' {outputs}")
        );
    }
}
