//! Conversion of the arguments of `match` into a plan: every value is checked, and every error names its flag.

use std::path::PathBuf;

use record::adjudication::Adjudication;
use record::date::today;
use record::engine_spec::{EngineSpec, Program};
use record::format::Format;
use record::game_spec::{ANY, GameSpec};
use record::outputs::Outputs;
use record::plan::{Plan, new_plan_id};
use record::registry::Registry;
use record::rules_spec::RulesSpec;
use record::schedule::{n_openings, n_rounds};
use record::stats::Sprt;

use crate::args::{EngineWords, FormatArg, MatchArgs, keys};
use crate::config::EnginesFile;
use crate::engines::words::Words;
use crate::game_name::{looks_like_game, missing_game, parse_game};
use crate::matches::openings::{opening_source, openings};
use crate::matches::outputs;
use crate::paths;
use crate::paths::absolute;
use crate::records::new_files::{new_file, new_records};
use crate::usage::{Failure, OrFail, all_sound, refuse, usage};

/// Games of each pairing without `--games`.
const DEFAULT_GAMES: usize = 10;

/// The plan of the match that the arguments describe.
pub(crate) fn build(args: &MatchArgs, registry: Registry) -> Result<Plan, Failure> {
    check_words(args, registry)?;
    let game = match_game(args, registry)?;
    let rules = registry.rules(&game)?;
    let engines = engines(args, rules.is_some())?;
    check_engines(&engines, rules.is_some())?;
    if args.shard.is_some() && args.srand.is_none() {
        return refuse!("--shard: without --srand: expected the same --srand N for all parts");
    }
    let srand = args.srand.unwrap_or_else(|| u64::from(fastrand::u32(..)));
    let games = args.games.unwrap_or(DEFAULT_GAMES);
    let source = opening_source(&args.openings, rules.is_some())?;
    let format = format(args.format, engines.len());
    let n_openings = n_openings(format, games, !args.noswap);
    let openings = openings(&source, rules.as_ref(), srand, n_openings)?;
    let pgn_start = outputs::pgn_start(args)?;
    // With --pgn-append, the file may exist.
    let new_pgn = args.pgn.as_deref().filter(|_| pgn_start.is_none());
    let (ledger, _) = new_records(args.ledger.as_deref(), new_pgn, &game)?;
    let epdout = args.epdout.as_deref();
    let epdout = epdout.map(|path| new_file("--epdout", path)).transpose()?;
    let outputs = Outputs {
        epdout: epdout.as_deref().map(absolute),
        ..outputs::outputs(args, pgn_start)
    };
    let plan = Plan {
        id: new_plan_id(),
        rules: RulesSpec::of(registry, &game.name),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: today(),
        format,
        games,
        swaps: !args.noswap,
        shard: args.shard,
        concurrency: args.concurrency.unwrap_or(1),
        srand,
        opening_source: Some(source),
        openings,
        adjudication: Adjudication {
            max_plies: args.max_plies,
            draw: args.draw.as_deref().map(keys::draw).transpose()?,
            resign: args.resign.as_deref().map(keys::resign).transpose()?,
        },
        adjudicate_table: adjudicate_table(args, rules.is_some())?,
        sprt: sprt(args, engines.len())?,
        game,
        engines,
        teams: Vec::new(),
        startup_ms: args.timeouts.startup_ms,
        ping_ms: args.timeouts.ping_ms,
        search_timeout_ms: args.search_timeout.search_timeout_ms,
        memory: args.memory,
        ledger,
        pgn: args.pgn.as_deref().map(absolute),
        log: args.log.as_deref().map(absolute),
        affinity: args.affinity.clone().map(Option::unwrap_or_default),
        outputs,
    };
    outputs::check_distinct(&plan)?;
    plan.check_learning().or_usage("--concurrency")?;
    plan.check_format().or_usage("--format")?;
    plan.check_settings().map(|()| plan).or_refuse()
}

/// Checks the arguments that can be judged one by one, so that all their mistakes are reported together.
fn check_words(args: &MatchArgs, registry: Registry) -> Result<(), Failure> {
    let game = match_game(args, registry);
    if args.game.is_none() {
        return game.map(drop);
    }
    let file = EnginesFile::new(args.engines.as_deref());
    let engines = args.words.engines.iter().map(|words| ("--engine", words));
    let engines = engines.chain([("--each", &args.words.each)]);
    let engines = engines.map(|(flag, words)| file.words(flag, words).map(drop));
    let (draw, resign, sprt) = (&args.draw, &args.resign, &args.sprt);
    let keys = [
        opening_source(&args.openings, true).map(drop),
        draw.as_deref()
            .map_or(Ok(()), |words| keys::draw(words).map(drop)),
        resign
            .as_deref()
            .map_or(Ok(()), |words| keys::resign(words).map(drop)),
        sprt.as_deref()
            .map_or(Ok(()), |words| keys::sprt(words).map(drop)),
    ];
    all_sound([game.map(drop)].into_iter().chain(engines).chain(keys))
}

fn format(arg: FormatArg, n_engines: usize) -> Format {
    match arg {
        FormatArg::RoundRobin => Format::RoundRobin,
        FormatArg::Gauntlet => Format::Gauntlet,
        FormatArg::Swiss(rounds) => Format::Swiss {
            rounds: rounds.unwrap_or_else(|| n_rounds(n_engines)),
        },
    }
}

fn match_game(args: &MatchArgs, registry: Registry) -> Result<GameSpec, Failure> {
    match &args.game {
        Some(text) => parse_game(text, registry),
        None => Err(misplaced_game(&args.words).unwrap_or_else(|| missing_game(registry, ANY))),
    }
}

/// The error for a game after `--engine` or `--each`, where clap takes it for one of the engine's words.
fn misplaced_game(words: &EngineWords) -> Option<Failure> {
    let lists = words.engines.iter().chain([&words.each]);
    let word = lists.flatten().find(|word| looks_like_game(word))?;
    let why = format!(
        "{word:?} is after --engine or --each: expected it before them, as in linesman match {word} --engine ..."
    );
    Some(usage("GAME", &why))
}

fn engines(args: &MatchArgs, has_builtin: bool) -> Result<Vec<EngineSpec>, Failure> {
    let words = &args.words;
    let file = EnginesFile::new(args.engines.as_deref());
    let each = file.words("--each", &words.each)?;
    let mut all = words
        .engines
        .iter()
        .map(|words| file.words("--engine", words))
        .collect::<Result<Vec<_>, _>>()?;
    while all.len() < 2 {
        all.push(Words::builtin());
    }
    let specs = all
        .into_iter()
        .map(|words| words.spec("--engine", &each))
        .collect::<Result<Vec<_>, _>>()?;
    if !has_builtin && specs.iter().any(|spec| spec.program == Program::Builtin) {
        return refuse!(
            "--engine: builtin: any has no built-in engine: expected two engines with cmd=PATH"
        );
    }
    Ok(specs)
}

/// Rejects pondering if the engines must answer queries about each position, and engines of protocols without queries if
/// nothing else knows the rules.
fn check_engines(engines: &[EngineSpec], has_rules: bool) -> Result<(), Failure> {
    if let Some(spec) = engines
        .iter()
        .find(|spec| spec.proto.is_bridged() && !has_rules)
    {
        return refuse!(
            "--engine: proto={} has no queries, and any has no rules: expected --rules cmd=PROGRAM, or a game that linesman games lists",
            spec.proto
        );
    }
    if engines.iter().any(|spec| spec.ponder) && !has_rules {
        return refuse!("--engine: ponder: expected a game of the catalogue");
    }
    Ok(())
}

/// The table or the folder of tables that adjudicates games.
fn adjudicate_table(args: &MatchArgs, has_rules: bool) -> Result<Option<PathBuf>, Failure> {
    let flag = "--adjudicate-table";
    let Some(path) = &args.adjudicate_table else {
        return Ok(None);
    };
    if !has_rules {
        return refuse!("{flag}: any has no tables: expected a game of the catalogue");
    }
    let path = match path {
        Some(path) => absolute(path),
        None => paths::tables().or_usage(flag)?,
    };
    Ok(Some(path))
}

fn sprt(args: &MatchArgs, n_engines: usize) -> Result<Option<Sprt>, Failure> {
    let test = args.sprt.as_deref().map(keys::sprt).transpose()?;
    if test.is_some() && n_engines != 2 {
        return refuse!("--sprt: {n_engines} engines: expected two");
    }
    Ok(test)
}
