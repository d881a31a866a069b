//! `linesman-lab table`: builds, verifies, describes and samples tables of perfect play.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Instant;

use indicatif::HumanCount;
use kit::Value;
use kit::options::or_list;
use kit::tablebase::{TableInfo, Tablebase, read_info};
use lab::tablebase::{BuildError, BuildProgress, CheckedPositions, TableBuilder, VerifyError};
use record::game_spec::GameSpec;
use record::registry::{Registry, Rules};
use serde_json::json;

use crate::args::{BuildArgs, InfoArgs, SampleArgs, TableCommand, VerifyArgs};
use crate::long_work::{bar, stop_on_signals, threads};
use linesman::game_name::{self, parse_game};
use linesman::output::{finish, say};
use linesman::paths;
use linesman::usage::{Failure, INTERRUPTED, OrFail, plain_trouble, refuse, trouble, usage};

/// Runs a subcommand of `table`.
pub(crate) fn run(
    command: &TableCommand,
    registry: Registry,
    builders: &[TableBuilder],
) -> Result<ExitCode, Failure> {
    let (file, done) = match command {
        TableCommand::Build(args) => return build(args, registry, builders),
        TableCommand::Verify(args) => (&args.file, verify(args, registry, builders)),
        TableCommand::Info(args) => (&args.file, info(args, registry)),
        TableCommand::Sample(args) => (&args.file, sample(args, registry)),
    };
    let advice = "linesman-lab table build GAME writes a table, and names its file";
    done.map_err(|why| why.or_absent(file, advice))
}

fn build(
    args: &BuildArgs,
    registry: Registry,
    builders: &[TableBuilder],
) -> Result<ExitCode, Failure> {
    let rules = rules(args, registry)?;
    let builder = builder(&rules, builders)?;
    let plan = (builder.plan)(rules.options()).or_usage("GAME")?;
    let path = match &args.out {
        Some(path) => path.clone(),
        None => {
            let folder = paths::tables().or_trouble("the folder for tables")?;
            fs::create_dir_all(&folder).or_trouble("the folder for tables")?;
            folder.join(&plan.file_name)
        }
    };
    let needs = format!(
        "{}: {} positions, {} of memory, {}",
        plan.name,
        HumanCount(plan.n_indices),
        mebibytes(plan.n_bytes),
        path.display()
    );
    say(&needs)?;
    if args.dry_run {
        return Ok(ExitCode::SUCCESS);
    }
    let stop = stop_on_signals()?;
    let bar = bar(0, String::new());
    let threads = threads(args.threads, &stop);
    let began = Instant::now();
    let mut tell = |BuildProgress { stage, done, of }| {
        bar.set_length(of);
        bar.set_position(done);
        bar.set_message(stage);
    };
    let built = (builder.build)(rules.options(), &path, threads, &mut tell);
    bar.finish_and_clear();
    match built {
        Ok(info) => {
            say(&format!("built in {:.1} s", began.elapsed().as_secs_f64()))?;
            describe(&rules, &path, &info)
        }
        Err(error @ BuildError::Stopped) => {
            say(&error.to_string())?;
            Ok(ExitCode::from(INTERRUPTED))
        }
        Err(error @ BuildError::Exists(_)) => Err(error).or_refuse(),
        Err(error) => Err(plain_trouble(error)),
    }
}

fn verify(
    args: &VerifyArgs,
    registry: Registry,
    builders: &[TableBuilder],
) -> Result<ExitCode, Failure> {
    let (rules, _) = read(&args.file, registry)?;
    let table = open(&rules, &args.file)?;
    let sample = match args.sample {
        None => CheckedPositions::All,
        Some(n) => CheckedPositions::Random {
            n: n as u64,
            seed: args.seed,
        },
    };
    let stop = stop_on_signals()?;
    let bar = bar(0, String::new());
    let began = Instant::now();
    let threads = threads(args.threads, &stop);
    let mut tell = |done, of| {
        bar.set_length(of);
        bar.set_position(done);
        bar.set_message("positions verified");
    };
    let verify = builder(&rules, builders)?.verify;
    let verified = verify(rules.options(), &args.file, sample, threads, &mut tell);
    bar.finish_and_clear();
    let n = verified.map_err(|error| Failure::Trouble(wrong(&args.file, &table, &error)))?;
    if stop.load(Relaxed) {
        let n = HumanCount(n);
        say(&format!("stopped: {n} positions are correct so far"))?;
        return Ok(ExitCode::from(INTERRUPTED));
    }
    let seconds = began.elapsed().as_secs_f64();
    let text = format!(
        "{}: {} positions are correct, verified in {seconds:.1} s",
        args.file.display(),
        HumanCount(n)
    );
    finish(&text, false)
}

/// The text of a failed verification, with the position written out.
fn wrong(path: &Path, table: &Tablebase, error: &VerifyError) -> String {
    match error {
        VerifyError::Wrong { number, what } => {
            let position = fen(table, *number);
            format!("{}: position {position}: {what}", path.display())
        }
        VerifyError::Memory { .. } => format!("{error} (--sample N)"),
        VerifyError::Table(error) => error.to_string(),
    }
}

fn info(args: &InfoArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let (rules, info) = read(&args.file, registry)?;
    if !args.json {
        return describe(&rules, &args.file, &info);
    }
    let line = json!({
        "game": info.identity.game,
        "options": info.identity.options,
        "positions": info.counts.won + info.counts.lost + info.counts.drawn,
        "won": info.counts.won,
        "lost": info.counts.lost,
        "drawn": info.counts.drawn,
        "start": info.start.to_string(),
        "longest-win": info.longest_win.map(|(plies, _)| plies),
        "bytes": info.n_bytes,
    });
    finish(&line.to_string(), true)
}

/// Indices drawn at most for each position of a sample, in case a value is rare.
const MAX_DRAWS: usize = 1_000;

/// Writes random positions as a suite. A value that is too rare has fewer positions than the others.
fn sample(args: &SampleArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let (rules, info) = read(&args.file, registry)?;
    let table = open(&rules, &args.file)?;
    let mut missing = [args.count.div_ceil(3); 3];
    let mut rng = fastrand::Rng::with_seed(args.seed);
    let mut chosen = HashSet::new();
    let spec = GameSpec::with_words(&info.identity.game, &info.identity.options);
    let mut lines = vec![format!("game {spec}")];
    for _ in 0..args.count.saturating_mul(MAX_DRAWS) {
        let Some(position) = table.position(rng.u64(..info.identity.n_indices)) else {
            continue;
        };
        if position.outcome().is_some() {
            continue;
        }
        let value = table.value(position.as_ref()).or_fail()?;
        let position = position.fen();
        let missing = match value {
            None => continue,
            Some(Value::Win(_)) => &mut missing[0],
            Some(Value::Loss(_)) => &mut missing[1],
            Some(Value::Draw) => &mut missing[2],
        };
        if let Some(value) = value.filter(|_| *missing > 0)
            && chosen.insert(position.clone())
        {
            *missing -= 1;
            lines.push(format!("{position}; {value};"));
            if chosen.len() == args.count {
                break;
            }
        }
    }
    finish(&lines.join("\n"), false)
}

/// Shows a summary of a table.
fn describe(rules: &Rules, path: &Path, info: &TableInfo) -> Result<ExitCode, Failure> {
    let counts = info.counts;
    let n_positions = counts.won + counts.lost + counts.drawn;
    let mut lines = vec![format!(
        "{}: {}, {}",
        path.display(),
        info.identity,
        mebibytes(info.n_bytes)
    )];
    for (name, n) in [
        ("positions", n_positions),
        ("won", counts.won),
        ("lost", counts.lost),
        ("drawn", counts.drawn),
    ] {
        let percent = 100.0 * n as f64 / n_positions.max(1) as f64;
        let n = HumanCount(n).to_string();
        lines.push(format!("{name:<12}{n:>14} {percent:5.1}%"));
    }
    lines.push(format!("{:<12}{}", "start", plies(info.start)));
    if let Some((longest, number)) = info.longest_win {
        let position = fen(&open(rules, path)?, number);
        let longest = plies(Value::Win(longest));
        lines.push(format!("{:<12}{longest}: {position}", "longest"));
    }
    finish(&lines.join("\n"), false)
}

fn plies(value: Value) -> String {
    match value {
        Value::Win(1) => "win in 1 ply".to_owned(),
        Value::Win(plies) => format!("win in {plies} plies"),
        Value::Loss(1) => "loss in 1 ply".to_owned(),
        Value::Loss(plies) => format!("loss in {plies} plies"),
        Value::Draw => "draw".to_owned(),
    }
}

/// The rules of the game and options in the arguments of `table build`.
fn rules(args: &BuildArgs, registry: Registry) -> Result<Rules, Failure> {
    let mut spec = parse_game(&args.game, registry)?;
    for option in &args.option {
        let Some((name, value)) = option.split_once('=') else {
            return refuse!("--option: {option:?}: write NAME=VALUE");
        };
        spec.options.push((name.to_owned(), value.to_owned()));
    }
    game_name::rules(registry, &spec)
}

fn builder<'a>(rules: &Rules, builders: &'a [TableBuilder]) -> Result<&'a TableBuilder, Failure> {
    let name = rules.entry().name;
    let found = builders.iter().find(|builder| builder.game == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = builders.iter().map(|builder| builder.game).collect();
        usage(
            "GAME",
            format!("{name} has no tables: choose {}", or_list(&names)),
        )
    })
}

/// The rules of a table's game, and the description in its file.
fn read(path: &Path, registry: Registry) -> Result<(Rules, TableInfo), Failure> {
    let info = read_info(path).or_fail()?;
    let spec = GameSpec::with_words(&info.identity.game, &info.identity.options);
    let rules = game_name::rules(registry, &spec);
    Ok((
        rules.map_err(|why| trouble(path.display(), why.text()))?,
        info,
    ))
}

fn open(rules: &Rules, path: &Path) -> Result<Tablebase, Failure> {
    let table = Tablebase::of_board(rules.start().as_ref(), path);
    let foreign = || trouble(path.display(), "not a table of this program");
    table.or_fail()?.ok_or_else(foreign)
}

/// The position string of an index; empty if no position has it.
fn fen(table: &Tablebase, number: u64) -> String {
    let position = table.position(number);
    position.map_or_else(String::new, |position| position.fen())
}

fn mebibytes(n_bytes: u64) -> String {
    format!("{} MiB", HumanCount(n_bytes.div_ceil(1 << 20)))
}
