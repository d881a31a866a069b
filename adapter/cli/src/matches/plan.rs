//! Conversion of the arguments of `match` into a plan: every value is checked, and every error names its flag.

use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use record::engine_spec::{EngineSpec, Program};
use record::event::Recorder;
use record::file::read_text;
use record::format::Format;
use record::game_spec::{ANY, GameSpec};
use record::ledger::ledger_games;
use record::outputs::{LogLevel, Outputs};
use record::plan::{Plan, new_plan_id};
use record::registry::Registry;
use record::schedule::n_openings;
use referee::date::today;
use referee::derived_file::{DerivedFile, KnownGames};
use referee::process::Log;
use referee::stop::Stop;

use crate::args::{MatchArgs, PlanArgs, keys};
use crate::config::EnginesFile;
use crate::game_name::{looks_like_game, missing_game, parse_game_or_any};
use crate::matches::openings::{opening_source, openings};
use crate::paths::{self, absolute};
use crate::records::files::{new_ledger, new_output, refuse_ledger};
use crate::usage::{Failure, OrFail, all_sound, refuse, usage};

/// Games of each pairing without `--games`.
const DEFAULT_GAMES: usize = 10;

/// The plan of the match that the arguments describe.
pub(crate) fn build(args: &MatchArgs, registry: Registry) -> Result<Plan, Failure> {
    let file = EnginesFile::new(args.new.engines.as_deref());
    check_words(args, &file, registry)?;
    let game = match_game(args, registry)?;
    let rules = registry.rules(&game)?;
    let engines = engines(args, &file)?;
    if rules.is_none() {
        engines.iter().try_for_each(check_without_rules)?;
    }
    let flags = &args.plan;
    if args.new.shard.is_some() && flags.seed.is_none() {
        return refuse!("--shard needs --seed N, the same for all parts");
    }
    let srand = flags.seed.unwrap_or_else(|| u64::from(fastrand::u32(..)));
    let games = flags.games.unwrap_or(DEFAULT_GAMES);
    let source = opening_source(&flags.openings, rules.is_some())?;
    let format = Format::parse(&flags.format, engines.len()).or_usage("--format")?;
    let n_openings = n_openings(format, games, !flags.noswap);
    let openings = openings(&source, rules.as_ref(), srand, n_openings)?;
    let pgn_start = pgn_start(args)?;
    // With --pgn-append, the file may exist.
    let new_pgn = args.pgn.as_deref().filter(|_| pgn_start.is_none());
    new_output("--pgn", new_pgn)?;
    let ledger = new_ledger(args.new.ledger.as_deref(), &game)?;
    let epdout = new_output("--epdout", args.epdout.as_deref())?;
    let plan = Plan {
        id: new_plan_id(),
        rules: registry.rules_spec(&game.name),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: today(),
        format,
        games,
        swaps: !flags.noswap,
        shard: args.new.shard,
        concurrency: flags.concurrency.unwrap_or(1),
        srand,
        opening_source: Some(source),
        openings,
        adjudication: flags.adjudication()?,
        adjudicate_table: adjudicate_table(flags, rules.is_some())?,
        sprt: keys::sprt(&flags.sprt)?,
        game,
        engines,
        teams: Vec::new(),
        startup_ms: flags.startup_ms,
        ping_ms: flags.ping_ms,
        search_timeout_ms: flags.search_timeout_ms,
        memory: flags.memory,
        ledger,
        pgn: args.pgn.as_deref().map(absolute),
        log: args.log.as_deref().map(absolute),
        affinity: args.new.affinity.clone().map(Option::unwrap_or_default),
        outputs: outputs(args, epdout, pgn_start),
    };
    check_distinct(&plan)?;
    check_settings(&plan).map(|()| plan)
}

/// Checks a plan by its fields, whose errors begin with their names, as flags do.
pub(crate) fn check_settings(plan: &Plan) -> Result<(), Failure> {
    let checked = plan.check_settings();
    checked.map_err(|why| Failure::Usage(format!("--{why}")))
}

/// Checks the arguments that can be judged one by one, so that all their mistakes are reported together.
fn check_words(args: &MatchArgs, file: &EnginesFile, registry: Registry) -> Result<(), Failure> {
    let game = match_game(args, registry);
    let flags = &args.plan;
    if flags.game.is_none() {
        return game.map(drop);
    }
    let engines = flags.engine.iter().map(|line| ("--engine", &line.0));
    let engines = engines.chain([("--each", &flags.each)]);
    let engines = engines.map(|(flag, words)| file.words(flag, words).map(drop));
    let keys = [
        opening_source(&flags.openings, true).map(drop),
        flags.adjudication().map(drop),
        keys::sprt(&flags.sprt).map(drop),
    ];
    all_sound([game.map(drop)].into_iter().chain(engines).chain(keys))
}

fn match_game(args: &MatchArgs, registry: Registry) -> Result<GameSpec, Failure> {
    match &args.plan.game {
        Some(text) => parse_game_or_any(text, registry),
        None => Err(misplaced_game(&args.plan).unwrap_or_else(|| missing_game(registry, ANY))),
    }
}

/// The error for a game after `--engine` or `--each`, where clap takes it for one of the engine's words.
fn misplaced_game(flags: &PlanArgs) -> Option<Failure> {
    let lists = flags.engine.iter().map(|line| &line.0);
    let mut words = lists.chain([&flags.each]).flatten();
    let word = words.find(|word| looks_like_game(word))?;
    let why = format!(
        "{word:?} is after --engine or --each: write the game before them, as in linesman match {word} --engine ..."
    );
    Some(usage("GAME", &why))
}

fn engines(args: &MatchArgs, file: &EnginesFile) -> Result<Vec<EngineSpec>, Failure> {
    let flags = &args.plan;
    let each = file.words("--each", &flags.each)?;
    let lines = flags.engine.iter().map(|line| line.0.as_slice());
    let n_missing = 2_usize.saturating_sub(flags.engine.len());
    let builtin = ["builtin".to_owned()];
    let lines = lines.chain(iter::repeat_n(&builtin[..], n_missing));
    let spec = |words: &[String]| {
        let words = file.words("--engine", words)?;
        match flags.each_wins {
            true => each.clone().spec("--engine", &words),
            false => words.spec("--engine", &each),
        }
    };
    lines.map(spec).collect()
}

/// Rejects what an engine cannot do in a game without rules. There is no built-in one; the others must answer queries about
/// each position, which pondering and some protocols exclude.
fn check_without_rules(engine: &EngineSpec) -> Result<(), Failure> {
    match engine {
        engine if engine.program == Program::Builtin => {
            refuse!("--engine: builtin: any has no built-in engine: name two engines with cmd=PATH")
        }
        engine if engine.proto.is_bridged() => refuse!(
            "--engine: proto={} has no queries, and any has no rules: add --rules cmd=PROGRAM, or name a game that linesman games lists",
            engine.proto
        ),
        engine if engine.ponder => refuse!(
            "--engine: ponder needs rules: name a game that linesman games lists, or --rules"
        ),
        _ => Ok(()),
    }
}

/// The table or the folder of tables that adjudicates games.
fn adjudicate_table(flags: &PlanArgs, has_rules: bool) -> Result<Option<PathBuf>, Failure> {
    let flag = "--adjudicate-table";
    match flags.adjudicate_table.as_deref() {
        Some(_) if !has_rules => refuse!(
            "{flag}: any has no tables: leave the flag out, or name a game that linesman games lists"
        ),
        Some("") => paths::tables().map(Some).or_usage(flag),
        path => Ok(path.map(|path| absolute(Path::new(path)))),
    }
}

/// Size in bytes of the PGN file to which the match appends; `None` if the match creates the file.
fn pgn_start(args: &MatchArgs) -> Result<Option<u64>, Failure> {
    let Some(path) = args.pgn.as_deref().filter(|_| args.new.pgn_append) else {
        return Ok(None);
    };
    if !path.exists() {
        return Ok(Some(0));
    }
    let flag = format!("--pgn: {}", path.display());
    let text = read_text(path).or_usage(&flag)?;
    let games = text.trim_start_matches('\u{feff}').trim_start();
    match games.is_empty() || games.starts_with(['[', '%', ';']) {
        true => Ok(Some(text.len() as u64)),
        false => refuse!(
            "{flag}: contains no games: name a PGN file to append to, or leave out --pgn-append"
        ),
    }
}

/// The outputs other than the PGN file and the log.
pub(crate) fn outputs(
    args: &MatchArgs,
    epdout: Option<PathBuf>,
    pgn_start: Option<u64>,
) -> Outputs {
    Outputs {
        pgn_comments: args.pgn_comments.clone(),
        pgn_start,
        epdout,
        log_level: args.log_level.unwrap_or_default(),
    }
}

/// Rejects a file that two outputs of a match would write to. Only engines may share the file of their error output.
pub(crate) fn check_distinct(plan: &Plan) -> Result<(), Failure> {
    let own = [
        ("--ledger", Some(&plan.ledger)),
        ("--pgn", plan.pgn.as_ref()),
        ("--epdout", plan.outputs.epdout.as_ref()),
        ("--log", plan.log.as_ref()),
    ];
    let engines = plan.engines.iter();
    let errors = engines.map(|engine| ("stderr=", engine.stderr.as_ref()));
    let mut files: Vec<(&str, PathBuf)> = Vec::new();
    for (flag, file) in own.into_iter().chain(errors) {
        let Some(given) = file else { continue };
        // The same for all names of an existing file.
        let file = given.canonicalize().unwrap_or_else(|_| absolute(given));
        // A device may be used several times.
        let is_device = file.exists() && !file.is_file();
        let is_same = |(other, path): &&(&str, PathBuf)| *path == file && *other != flag;
        if let Some((other, _)) = files.iter().find(is_same).filter(|_| !is_device) {
            return refuse!("{flag} and {other} name the same file: name two");
        }
        if matches!(flag, "--log" | "stderr=") {
            refuse_ledger(flag, given)?;
        }
        files.push((flag, file));
    }
    Ok(())
}

/// Opens the file of `--log`, if there is one.
pub(crate) fn open_log(path: Option<&Path>, stop: &Stop) -> Result<Option<Arc<Log>>, Failure> {
    let Some(path) = path else {
        return Ok(None);
    };
    refuse_ledger("--log", path)?;
    let log = Log::open(path, LogLevel::default(), stop.clone());
    Ok(Some(Arc::new(log.or_trouble("--log")?)))
}

/// Creates the files that a new match writes in addition to its ledger; for a resumed match, rebuilds them from the games
/// of its ledger, one by one.
pub(crate) fn open_outputs(
    plan: &Plan,
    resumed: Option<&Path>,
    registry: Registry,
) -> Result<Vec<Box<dyn Recorder>>, Failure> {
    let known = || {
        let games = resumed.map(ledger_games).transpose().or_fail()?;
        Ok::<_, Failure>(games.map(|games| Box::new(games) as KnownGames<'_>))
    };
    let mut recorders: Vec<Box<dyn Recorder>> = Vec::new();
    if let Some(path) = &plan.pgn {
        let pgn = DerivedFile::pgn(path, registry, plan, known()?);
        recorders.push(Box::new(pgn.or_fail()?));
    }
    if let Some(path) = &plan.outputs.epdout {
        let rules = registry.rules(&plan.game).ok().flatten();
        let epd = DerivedFile::epd(path, rules, known()?);
        recorders.push(Box::new(epd.or_fail()?));
    }
    Ok(recorders)
}
