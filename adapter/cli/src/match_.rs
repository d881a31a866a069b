//! `linesman match`: a match from its plan to its last line.

use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::process::ExitCode;
use std::thread;

use referee::event::Subscriber;
use referee::plan::Plan;
use referee::record::{GameRecord, LedgerError, LedgerWriter, PgnWriter, read_ledger};
use referee::registry::Registry;
use referee::schedule::schedule;
use referee::stats::Report;
use referee::stop::Stop;
use referee::tournament::{Conclusion, Host, MatchError, Tournament};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;

use crate::args::{MatchArgs, OutputArgs};
use crate::live::{Json, Live};
use crate::plan;
use crate::render;
use crate::report;
use crate::usage::{Failure, INTERRUPTED};

/// Plays the match that the arguments ask for; the status to exit with.
pub(crate) fn run(args: &MatchArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let stop = Stop::default();
    heed_signals(&stop).map_err(|error| Failure::Trouble(format!("signals: {error}")))?;
    let executable = std::env::current_exe()
        .map_err(|error| Failure::Trouble(format!("cannot find this executable: {error}")))?;
    let host = Host {
        registry,
        executable,
        stop,
    };
    match &args.resume {
        Some(path) => resume(path, &host, args.output),
        None if args.dry_run => dry_run(&plan::build(args, registry)?),
        None => begin(plan::build(args, registry)?, &host, args.output),
    }
}

fn begin(plan: Plan, host: &Host, output: OutputArgs) -> Result<ExitCode, Failure> {
    let tournament = Tournament::prepare(plan, host)?;
    let plan = tournament.plan();
    let ledger = LedgerWriter::create(&plan.ledger).map_err(cannot_write)?;
    let mut subscribers: Vec<Box<dyn Subscriber>> = vec![Box::new(ledger)];
    if let Some(path) = &plan.pgn {
        let pgn = PgnWriter::create(path, host.registry).map_err(cannot_write)?;
        subscribers.push(Box::new(pgn));
    }
    play(tournament, None, subscribers, output)
}

fn resume(path: &Path, host: &Host, output: OutputArgs) -> Result<ExitCode, Failure> {
    let ledger = read_ledger(path).map_err(|error| cannot_read(path, &error))?;
    let mut plan = ledger.plan;
    plan.ledger = path.to_owned();
    let tournament = Tournament::prepare(plan, host)?;
    let writer = LedgerWriter::resume(path, ledger.whole_bytes).map_err(cannot_write)?;
    let mut subscribers: Vec<Box<dyn Subscriber>> = vec![Box::new(writer)];
    if let Some(path) = &tournament.plan().pgn {
        let pgn = PgnWriter::rebuild(path, host.registry, tournament.plan(), &ledger.games)
            .map_err(cannot_write)?;
        subscribers.push(Box::new(pgn));
    }
    play(tournament, Some(&ledger.games), subscribers, output)
}

fn dry_run(plan: &Plan) -> Result<ExitCode, Failure> {
    let mut out = io::stdout().lock();
    for slot in schedule(plan) {
        writeln!(out, "{}", render::slot(plan, &slot)).map_err(Failure::Output)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn play(
    tournament: Tournament,
    done: Option<&[GameRecord]>,
    mut subscribers: Vec<Box<dyn Subscriber>>,
    output: OutputArgs,
) -> Result<ExitCode, Failure> {
    let ledger = tournament.plan().ledger.clone();
    if output.json {
        subscribers.push(Box::new(Json));
    } else if !output.quiet {
        if done.is_some() {
            let header = render::header(tournament.plan());
            write!(io::stdout().lock(), "{header}").map_err(Failure::Output)?;
        }
        subscribers.push(Box::new(Live::new()));
    }
    let conclusion = match tournament.run(done, &mut subscribers) {
        Err(MatchError::Subscriber(error)) if error.kind() == ErrorKind::BrokenPipe => {
            return Ok(ExitCode::from(INTERRUPTED));
        }
        other => other?,
    };
    // The progress line is wiped when its subscriber goes.
    drop(subscribers);
    if !output.json {
        let record = read_ledger(&ledger).map_err(|error| cannot_read(&ledger, &error))?;
        let numbers = Report::of(vec![record.games]).seen_in_order(&record.plan.names());
        let text = report::text(&numbers, conclusion.standing.sprt.as_ref());
        write!(io::stdout().lock(), "\n{text}").map_err(Failure::Output)?;
    }
    Ok(finish(&conclusion, &ledger))
}

fn finish(conclusion: &Conclusion, ledger: &Path) -> ExitCode {
    if conclusion.is_complete {
        return ExitCode::SUCCESS;
    }
    let ledger = ledger.display();
    let _ = writeln!(
        io::stderr(),
        "interrupted; to go on: linesman match --resume {ledger}"
    );
    ExitCode::from(INTERRUPTED)
}

fn cannot_read(path: &Path, error: &LedgerError) -> Failure {
    Failure::Trouble(format!("{}: {error}", path.display()))
}

/// The error names the file.
fn cannot_write(error: io::Error) -> Failure {
    Failure::Trouble(error.to_string())
}

/// The first SIGINT lets the running games finish; a second one, SIGTERM and SIGHUP stop at once.
fn heed_signals(stop: &Stop) -> io::Result<()> {
    let mut signals = Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let stop = stop.clone();
    thread::spawn(move || {
        for signal in signals.forever() {
            if signal == SIGINT && !stop.is_asked() {
                stop.after_games();
                let _ = writeln!(
                    io::stderr(),
                    "finishing the running games; interrupt again to stop at once"
                );
            } else {
                stop.now();
            }
        }
    });
    Ok(())
}
