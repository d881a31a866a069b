//! Arguments into a plan: every value checked, every error naming its flag.

use std::path::{Path, PathBuf};

use referee::adjudication::Adjudication;
use referee::date::{stamp, today};
use referee::opening::{self, Opening};
use referee::plan::{EngineSpec, Format, GameSpec, Plan, Program};
use referee::registry::{Registry, Rules};
use referee::schedule::n_pairs;
use referee::stats::Sprt;

use crate::args::{EngineWords, FormatArg, MatchArgs};
use crate::keys::{self, Keys};
use crate::usage::Failure;
use crate::words::{Words, absolute};

/// Random plies of an opening where nothing else is said.
const DEFAULT_PLIES: usize = 2;

/// The match that the arguments ask for.
pub(crate) fn build(args: &MatchArgs, registry: Registry) -> Result<Plan, Failure> {
    let game = match_game(args)?;
    let rules = registry
        .rules(&game)
        .map_err(|error| usage("GAME", &error))?;
    let engines = engines(&args.words, rules.is_some())?;
    check_pondering(args, &engines, rules.is_some())?;
    let srand = args.srand.unwrap_or_else(|| u64::from(fastrand::u32(..)));
    let n_openings = n_pairs(args.games, !args.noswap);
    let openings = openings(&args.openings, rules.as_ref(), srand, n_openings)?;
    let (ledger, pgn) = new_records(args.ledger.as_deref(), args.pgn.as_deref(), &game)?;
    Ok(Plan {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: today(),
        format: match args.format {
            FormatArg::RoundRobin => Format::RoundRobin,
            FormatArg::Gauntlet => Format::Gauntlet,
        },
        games: args.games,
        swaps: !args.noswap,
        concurrency: args.concurrency,
        srand,
        openings,
        adjudication: Adjudication {
            max_plies: args.max_plies,
            draw: args.draw.as_deref().map(keys::draw).transpose()?,
            resign: args.resign.as_deref().map(keys::resign).transpose()?,
        },
        sprt: sprt(args, engines.len())?,
        arbiter: arbiter(args, rules.is_some())?,
        cross_check: cross_check(args, rules.is_some())?,
        game,
        engines,
        startup_ms: args.patience.startup_ms,
        ping_ms: args.patience.ping_ms,
        search_timeout_ms: args.search_timeout_ms,
        ledger,
        pgn,
        log: args.log.as_deref().map(absolute),
    })
}

/// The error that names a flag.
pub(crate) fn usage(flag: &str, why: &dyn std::fmt::Display) -> Failure {
    Failure::Usage(format!("{flag}: {why}"))
}

/// `NAME[:OPTION=VALUE,...]`.
pub(crate) fn parse_game(text: &str) -> Result<GameSpec, Failure> {
    GameSpec::parse(text).map_err(|why| usage("GAME", &why))
}

fn match_game(args: &MatchArgs) -> Result<GameSpec, Failure> {
    match &args.game {
        Some(text) => parse_game(text),
        None => Err(missing_game(&args.words)),
    }
}

/// A game that stands after `--engine` was taken for one of its words.
fn missing_game(words: &EngineWords) -> Failure {
    let lists = words.engines.iter().chain([&words.each]);
    match lists.flatten().find(|word| looks_like_game(word)) {
        Some(word) => usage(
            "GAME",
            &format!(
                "{word:?} stands after --engine or --each: expected it before them, as in linesman match {word} --engine ..."
            ),
        ),
        None => {
            Failure::Usage("GAME is missing: expected one that linesman games lists".to_owned())
        }
    }
}

/// Whether a word among those of an engine is none of them, but a game with or without options.
pub(crate) fn looks_like_game(word: &str) -> bool {
    let name = word.split([':', '=']).next();
    !matches!(word, "builtin" | "ponder")
        && !word.starts_with("option.")
        && name == word.split(':').next()
}

fn engines(words: &EngineWords, has_builtin: bool) -> Result<Vec<EngineSpec>, Failure> {
    let each = Words::read("--each", &words.each)?;
    let mut all = words
        .engines
        .iter()
        .map(|words| Words::read("--engine", words))
        .collect::<Result<Vec<_>, _>>()?;
    while all.len() < 2 {
        all.push(Words::builtin());
    }
    let specs = all
        .into_iter()
        .map(|words| words.spec("--engine", &each))
        .collect::<Result<Vec<_>, _>>()?;
    if !has_builtin && specs.iter().any(|spec| spec.program == Program::Builtin) {
        return Err(usage(
            "--engine",
            &"builtin: expected two engines with cmd=PATH, for any has no built-in engine",
        ));
    }
    Ok(specs)
}

/// Engines that are asked about each position cannot think on the other's time as well.
fn check_pondering(
    args: &MatchArgs,
    engines: &[EngineSpec],
    has_rules: bool,
) -> Result<(), Failure> {
    if engines.iter().any(|spec| spec.ponder) && (args.cross_check || !has_rules) {
        return Err(usage(
            "--engine",
            &"ponder: expected a game of the catalogue, without --cross-check",
        ));
    }
    Ok(())
}

fn arbiter(args: &MatchArgs, has_rules: bool) -> Result<Option<EngineSpec>, Failure> {
    let Some(words) = &args.arbiter else {
        return Ok(None);
    };
    if has_rules {
        return Err(usage(
            "--arbiter",
            &"the rules of the game decide: expected the game any",
        ));
    }
    let spec = Words::read("--arbiter", words)?.spec("--arbiter", &Words::default())?;
    Ok(Some(spec))
}

fn cross_check(args: &MatchArgs, has_rules: bool) -> Result<bool, Failure> {
    if args.cross_check && !has_rules {
        return Err(usage(
            "--cross-check",
            &"any has no rules to check against: expected a game of the catalogue",
        ));
    }
    Ok(args.cross_check)
}

fn sprt(args: &MatchArgs, n_engines: usize) -> Result<Option<Sprt>, Failure> {
    let test = args.sprt.as_deref().map(keys::sprt).transpose()?;
    if test.is_some() && n_engines != 2 {
        return Err(usage(
            "--sprt",
            &format!("{n_engines} engines: expected two"),
        ));
    }
    Ok(test)
}

const EXPECTED_OPENINGS: &str =
    "none, random:plies=N, or file=F with order=sequential or random, start=K and plies=N";

/// One opening for each of `n_openings` pairs.
fn openings(
    words: &[String],
    rules: Option<&Rules>,
    srand: u64,
    n_openings: usize,
) -> Result<Vec<Opening>, Failure> {
    let mut keys = Keys::new("--openings", EXPECTED_OPENINGS, words);
    if keys.has("none") || (words.is_empty() && rules.is_none()) {
        keys.end()?;
        return Ok(vec![Opening::default()]);
    }
    if let Some(path) = keys.find("file") {
        return file_openings(Path::new(path), keys, rules, srand, n_openings);
    }
    let plies = match keys.number("random:plies", |_| true)? {
        Some(plies) => plies,
        None if words.is_empty() => DEFAULT_PLIES,
        None => return Err(keys.bad(&words.join(" "))),
    };
    keys.end()?;
    let rules = rules.ok_or_else(|| {
        usage(
            "--openings",
            &"random moves need rules: expected none or file=F",
        )
    })?;
    (0..n_openings as u64)
        .map(|index| Opening::random(rules, plies, srand, index))
        .collect::<Result<_, _>>()
        .map_err(|refusal| usage("--openings", &refusal))
}

fn file_openings(
    path: &Path,
    mut keys: Keys<'_>,
    rules: Option<&Rules>,
    srand: u64,
    n_openings: usize,
) -> Result<Vec<Opening>, Failure> {
    let start: usize = keys.number("start", |start| *start > 0)?.unwrap_or(1);
    let plies = keys.number("plies", |_| true)?;
    let is_random = match keys.find("order") {
        None | Some("sequential") => false,
        Some("random") => true,
        Some(other) => return Err(keys.bad(&format!("order={other}"))),
    };
    keys.end()?;
    let mut all = opening::load(path, plies, rules).map_err(|error| usage("--openings", &error))?;
    if is_random {
        fastrand::Rng::with_seed(srand).shuffle(&mut all);
    }
    let index = |index: usize| (start - 1 + index) % all.len();
    Ok((0..n_openings.min(all.len()))
        .map(|at| all[index(at)].clone())
        .collect())
}

/// The ledger, which gets a name of its own where none is given, and the PGN file beside it: two new files.
pub(crate) fn new_records(
    ledger: Option<&Path>,
    pgn: Option<&Path>,
    game: &GameSpec,
) -> Result<(PathBuf, Option<PathBuf>), Failure> {
    let named = ledger.map_or_else(|| default_ledger(game), Path::to_owned);
    let ledger = new_file("--ledger", &named)?;
    let pgn = pgn.map(|path| new_file("--pgn", path)).transpose()?;
    if pgn.as_ref() == Some(&ledger) {
        return Err(usage(
            "--pgn",
            &"expected another file than that of --ledger",
        ));
    }
    Ok((ledger, pgn.as_deref().map(absolute)))
}

/// A name that no file has.
fn default_ledger(game: &GameSpec) -> PathBuf {
    let stem = format!("{}-{}", game.name, stamp());
    (1..)
        .map(|n| {
            if n == 1 {
                format!("{stem}.jsonl")
            } else {
                format!("{stem}-{n}.jsonl")
            }
        })
        .map(PathBuf::from)
        .find(|path| !path.exists())
        .expect("numbers do not run out")
}

/// Records are never overwritten.
fn new_file(flag: &str, path: &Path) -> Result<PathBuf, Failure> {
    if path.exists() {
        let path = path.display();
        return Err(usage(flag, &format!("{path} exists: expected a new file")));
    }
    Ok(path.to_owned())
}
