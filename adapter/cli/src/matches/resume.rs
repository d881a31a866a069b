//! `linesman match --resume`: continues an interrupted match, or extends one.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use record::event::Recorder;
use record::ledger::{Ledger, open_ledger};
use record::opening::Opening;
use record::opening::source::OpeningSource;
use record::outputs::Outputs;
use record::plan::{Extension, Plan};
use record::registry::{Registry, Rules};
use record::schedule::{Schedule, n_openings};
use record::stats::Summary;
use referee::derived_file::pause;
use referee::host::Host;
use referee::match_error::MatchError;
use referee::tournament::Tournament;
use serde_json::Value;

use super::games::{Machines, complete, connect, interrupted, play, resume_hint};
use crate::args::MatchArgs;
use crate::matches::openings::openings;
use crate::matches::{live, outputs};
use crate::paths::absolute;
use crate::records::{source, trust};
use crate::rules;
use crate::usage::{Failure, OrFail, fail, refuse};

/// Plays the remaining games of a match. The ledger is locked before it is read, until the end.
pub(crate) fn run(
    path: &Path,
    args: &MatchArgs,
    host: Host,
    machines: Option<&dyn Machines>,
) -> Result<ExitCode, Failure> {
    let (ledger, writer) = open_ledger(path, pause).or_trouble(path.display())?;
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
    plan.check_learning().or_usage("--concurrency")?;
    let summary = ledger.games;
    let schedule = Schedule::resume(&plan, summary.results(0)).or_trouble(path.display())?;
    let standing = summary.standing(schedule.n_games());
    let is_decided = standing.sprt.is_some_and(|sprt| sprt.decision.is_some());
    if standing.games >= standing.total || is_decided {
        outputs::open(&plan, Some(path), host.registry)?;
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
    recorders.extend(outputs::open(plan, Some(path), host.registry)?);
    play(tournament, machines, summary, recorders, host, args.output)
}

/// The plan of the ledger, with the outputs of the command line.
fn new_plan(
    path: &Path,
    args: &MatchArgs,
    ledger: &Ledger<Summary>,
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
    plan.outputs = Outputs {
        epdout: given(&args.epdout),
        ..outputs::outputs(args, pgn_start)
    };
    outputs::check_distinct(&plan)?;
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
