//! `linesman match`: a match from its plan to its last output.

use std::io::{self, Write};
use std::num::NonZero;
use std::path::Path;
use std::process::ExitCode;
use std::thread::available_parallelism;

use referee::event::{Broadcast, Recorder};
use referee::plan::Plan;
use referee::record::{GameRecord, LedgerError, LedgerWriter};
use referee::registry::Registry;
use referee::schedule::{Next, Schedule};
use referee::stats::Standing;
use referee::stop::Stop;
use referee::tournament::{Host, MatchError, Tournament};

use crate::args::{MatchArgs, OutputArgs};
use crate::live::Screen;
use crate::match_page::{self, MatchPage};
use crate::match_place::Place;
use crate::output::printable;
use crate::platform::{self, Wish, this_executable};
use crate::usage::{Failure, INTERRUPTED, UNSOUND};
use crate::{plan, records, render, resume, trust};

/// The environment of a match: this program as the built-in engine, and a stop that signals trigger.
pub(crate) fn host(registry: Registry) -> Result<Host, Failure> {
    let stop = Stop::default();
    heed_signals(&stop).map_err(|error| Failure::Trouble(format!("signals: {error}")))?;
    Ok(Host {
        registry,
        executable: this_executable()?,
        stop,
    })
}

/// Plays the match that the arguments describe. Returns the exit status.
pub(crate) fn run(args: &MatchArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let host = host(registry)?;
    if let Some(path) = &args.resume {
        return resume::run(path, args, &host);
    }
    let plan = plan::build(args, registry).map_err(|failure| args.origin.locate(failure))?;
    if let Some(saved) = &args.saved {
        saved.write(plan.srand)?;
    }
    match args.dry_run {
        true => dry_run(&plan, &host),
        false => begin(plan, args, &host),
    }
}

fn begin(mut plan: Plan, args: &MatchArgs, host: &Host) -> Result<ExitCode, Failure> {
    let place = Place::of(args, &mut plan)?;
    let mut tournament = Tournament::prepare(plan, host)?;
    let mut plan = tournament.plan().clone();
    let ledger = match args.ledger {
        Some(_) => LedgerWriter::create(&plan.ledger, &plan, args.sync.into()),
        None => LedgerWriter::create_unused(&mut plan, args.sync.into()),
    };
    let mut recorders: Vec<Box<dyn Recorder>> = vec![Box::new(ledger.map_err(cannot_write)?)];
    trust::remember(&plan.ledger);
    recorders.extend(records::create(&plan, host.registry)?);
    tournament.rename_ledger(plan.ledger);
    play(tournament, &place, &[], recorders, host, args.output)
}

fn dry_run(plan: &Plan, host: &Host) -> Result<ExitCode, Failure> {
    let rules = host.registry.rules(&plan.game).ok().flatten();
    let mut out = io::stdout().lock();
    let mut schedule = Schedule::new(plan, []);
    loop {
        if host.stop.is_asked() {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        let next = schedule.take();
        let line = match next {
            Next::Game(slot) => render::slot(plan, &slot, rules.as_ref()),
            Next::Wait => "Later rounds depend on the results of these games".to_owned(),
            Next::End => return Ok(ExitCode::SUCCESS),
        };
        writeln!(out, "{}", printable(&line)).map_err(Failure::Output)?;
        if next == Next::Wait {
            return Ok(ExitCode::SUCCESS);
        }
    }
}

pub(crate) fn play(
    tournament: Tournament,
    place: &Place,
    done: &[GameRecord],
    mut recorders: Vec<Box<dyn Recorder>>,
    host: &Host,
    output: OutputArgs,
) -> Result<ExitCode, Failure> {
    let plan = tournament.plan();
    let ready = place.open(plan, host)?;
    let ledger = plan.ledger.clone();
    let watchers = Broadcast::new(match_page::wants_moves(output));
    let page = MatchPage::open(&watchers, &ledger, host, &ready, output)?;
    let screen = Screen::open(watchers.watch(), &ledger, plan.names(), output)?;
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

/// Warns before the first game if the engines keep more cores busy than there are.
pub(crate) fn warn_of_crowd(plan: &Plan) {
    let busy = plan.busy_cores();
    let cores = available_parallelism().map_or(usize::MAX, NonZero::get);
    if busy > cores {
        let games = plan.concurrency;
        let _ = writeln!(
            io::stderr(),
            "warning: --concurrency {games} keeps {busy} cores busy and this machine has {cores}: \
             engines get less time than their clocks say, and will lose games on time"
        );
    }
}

/// The exit status of a complete match.
pub(crate) fn complete(standing: &Standing, output: OutputArgs) -> ExitCode {
    match output.strict && standing.has_unsound_engine() {
        true => ExitCode::from(UNSOUND),
        false => ExitCode::SUCCESS,
    }
}

pub(crate) fn interrupted(ledger: &Path) -> ExitCode {
    let line = format!("interrupted; {}", to_go_on(ledger));
    let _ = writeln!(io::stderr(), "{}", printable(&line));
    ExitCode::from(INTERRUPTED)
}

pub(crate) fn to_go_on(ledger: &Path) -> String {
    format!("to go on: linesman match --resume {}", ledger.display())
}

/// Adds the command that resumes the match, since the ledger keeps all finished games.
fn resumable(error: MatchError, ledger: &Path) -> Failure {
    match error {
        MatchError::Trouble(why) => Failure::Trouble(format!("{why}; {}", to_go_on(ledger))),
        error => error.into(),
    }
}

pub(crate) fn cannot_read(path: &Path, error: &LedgerError) -> Failure {
    Failure::Trouble(format!("{}: {error}", path.display()))
}

/// The error already names the file.
pub(crate) fn cannot_write(error: io::Error) -> Failure {
    Failure::Trouble(error.to_string())
}

/// The first SIGINT lets the running games finish; a second one, SIGTERM and SIGHUP stop at once.
pub(crate) fn heed_signals(stop: &Stop) -> io::Result<()> {
    let stop = stop.clone();
    platform::on_signals(move |wish| {
        if wish == Wish::Terminate || stop.is_asked() {
            return stop.now();
        }
        stop.after_games();
        let note = "finishing the running games; interrupt again to stop at once";
        let _ = writeln!(io::stderr(), "{note}");
    })
}
