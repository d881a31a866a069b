//! `linesman check`: runs all steps on an engine and shows their reports as text, JSON or JUnit.

mod against;
mod junit;
mod screen;

use std::process::ExitCode;
use std::sync::Arc;

use check::own_rules::{self, OwnRules};
use check::{CheckError, CheckEvent, STEPS, Subject};
use junit::JUnit;
use record::clock::LimitWord;
use record::engine_spec::{EngineSpec, OwnProgram, Program};
use record::game_spec::{ANY, GameSpec};
use record::outputs::LogLevel;
use record::registry::{Registry, Rules};
use referee::process::{Launch, Log, Orphans};
use referee::stop::Stop;
use screen::Screen;

use crate::args::CheckArgs;
use crate::config::read_words;
use crate::engines::words::Words;
use crate::game_name::{self, looks_like_game, parse_game};
use crate::matches::outputs::refuse_ledger;
use crate::platform::{self, this_executable};
use crate::records::own_file::OwnFile;
use crate::rules::again;
use crate::usage::{Failure, INTERRUPTED, OrFail, refuse, usage};

/// Checks the engine that the arguments describe. Returns the exit status.
pub(crate) fn run(args: &CheckArgs, registry: Registry) -> Result<ExitCode, Failure> {
    if let Some(words) = &args.against {
        return against::run(args, words, registry);
    }
    let stop = Stop::default();
    let mut words = args.words.iter();
    let is_alone = words.all(|word| looks_like_game(word));
    let own = match registry.games().first() {
        Some(entry) if is_alone && entry.is_of_program() => Some(rules_alone(args, registry)?),
        _ => None,
    };
    let subject = match &own {
        None => Some(subject(args, registry, stop.clone())?),
        Some(_) => None,
    };
    let seed = subject
        .as_ref()
        .map_or_else(|| seed(args), |subject| subject.seed);
    // Any signal ends the check at once.
    let asked = stop.clone();
    platform::on_signals(move |_| asked.now())?;
    let junit = args.junit.as_deref();
    let junit = junit.map(|path| OwnFile::check(path, "--junit", junit::is_report));
    let mut junit = junit.transpose()?.map(|file| (file, JUnit::default()));
    let mut screen = Screen {
        is_json: args.json,
        seed,
        ..Screen::default()
    };
    let _orphans = Orphans::adopt();
    let mut emit = |event: CheckEvent<'_>| {
        if let Some((_, suite)) = &mut junit {
            suite.take(&event);
        }
        screen.show(&event)
    };
    let checked = match (&subject, &own) {
        (Some(subject), _) => check::run(subject, &mut emit),
        (None, Some([rules, again])) => {
            let own = OwnRules {
                rules,
                again,
                games: args.games,
                seed,
                only: &args.only,
                stop: stop.clone(),
            };
            own_rules::run(&own, &mut emit)
        }
        (None, None) => Ok(()),
    };
    if let Some((file, suite)) = junit {
        file.write(suite.text())?;
    }
    match checked {
        Ok(()) => {}
        Err(CheckError::Option(why)) => return Err(Failure::Usage(why)),
        Err(CheckError::Rules(why)) => return Err(Failure::Trouble(why)),
        Err(CheckError::Subscriber(error)) => return screen.broken(error),
        Err(CheckError::Stopped) => {
            return match stop.failure() {
                Some(why) => Err(Failure::Trouble(why.to_owned())),
                None => Ok(ExitCode::from(INTERRUPTED)),
            };
        }
    }
    match screen.conclude() {
        Ok(()) => Ok(screen.status()),
        Err(error) => screen.broken(error),
    }
}

fn seed(args: &CheckArgs) -> u64 {
    args.seed.unwrap_or_else(|| u64::from(fastrand::u32(..)))
}

/// The rules of `--rules` without an engine, twice, with processes of their own.
fn rules_alone(args: &CheckArgs, registry: Registry) -> Result<[Rules; 2], Failure> {
    for name in &args.only {
        if !own_rules::steps().any(|step| step == name) {
            let known: Vec<&str> = own_rules::steps().collect();
            return refuse!(
                "--only: unknown step {name:?}: expected {}",
                known.join(", ")
            );
        }
    }
    let text = match args.words.as_slice() {
        [] => ANY,
        [game] => game,
        words => return refuse!("GAME: {}: expected one game", words.join(" ")),
    };
    let game = parse_game(text, registry)?;
    let rules = |registry| game_name::rules(registry, &game);
    Ok([rules(registry)?, rules(again(registry)?)?])
}

fn subject(args: &CheckArgs, registry: Registry, stop: Stop) -> Result<Subject, Failure> {
    let (game, words) = split_game(&args.words, registry)?;
    if let Some(spec) = &game {
        registry.rules(spec)?;
    }
    let margin_ms = read_words("check", &words)?.margin_ms();
    let spec = spec("check", &words)?;
    let is_known = game.as_ref().is_some_and(|game| game.name != ANY);
    if spec.program == Program::Builtin && !is_known {
        return refuse!("GAME: missing or any: expected the game of the built-in engine");
    }
    for name in &args.only {
        check_step(name)?;
    }
    Ok(Subject {
        registry,
        launch: launch(args, &spec, game.as_ref(), registry, &stop)?,
        stop,
        dialect: spec.proto.into(),
        spec,
        margin_ms,
        game,
        seed: seed(args),
        games: args.games,
        timeouts: args.timeouts.into(),
        only: args.only.clone(),
    })
}

/// The engine that these words describe, without a limit.
fn spec(flag: &str, words: &[String]) -> Result<EngineSpec, Failure> {
    let limits = |word: &&String| {
        let pair = word.split_once('=');
        pair.is_some_and(|(key, value)| LimitWord::parse(key, value).is_some())
    };
    match words.iter().find(limits) {
        Some(word) => refuse!("{flag}: {word}: expected no limit, since each step has its own"),
        None => read_words(flag, words)?.spec(flag, &Words::default()),
    }
}

/// Separates the game from the words of the engine.
fn split_game(
    words: &[String],
    registry: Registry,
) -> Result<(Option<GameSpec>, Vec<String>), Failure> {
    let (games, words): (Vec<String>, Vec<String>) = words
        .iter()
        .cloned()
        .partition(|word| looks_like_game(word));
    match games.as_slice() {
        [] => Ok((None, words)),
        [game] if !game.contains('/') => Ok((Some(parse_game(game, registry)?), words)),
        [first, others @ ..] => {
            let is_path = |word: &&String| word.contains('/');
            let program = games.iter().find(is_path).unwrap_or(first);
            let why = match others {
                [] => format!("{program:?} is not a game: expected cmd={program} for a program"),
                _ => format!(
                    "{} are several games: expected one, and cmd={program} for a program",
                    games.join(" and ")
                ),
            };
            Err(usage("GAME", &why))
        }
    }
}

fn check_step(name: &str) -> Result<(), Failure> {
    if STEPS.iter().any(|step| step.name == name) {
        return Ok(());
    }
    let names: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    refuse!(
        "--only: unknown step {name:?}: expected {}",
        names.join(", ")
    )
}

fn launch(
    args: &CheckArgs,
    spec: &EngineSpec,
    game: Option<&GameSpec>,
    registry: Registry,
    stop: &Stop,
) -> Result<Launch, Failure> {
    let own = this_executable()?;
    let game = game.map_or("", |game| game.name.as_str());
    let open_log = |path| {
        refuse_ledger("--log", path)?;
        Log::open(path, LogLevel::default(), stop.clone()).or_trouble("--log")
    };
    let log = args.log.as_deref().map(open_log).transpose()?;
    Ok(Launch {
        name: spec.name.clone().unwrap_or_else(|| "engine".to_owned()),
        log: log.map(Arc::new),
        ..Launch::of(spec, OwnProgram::new(&own, game, registry))
    })
}
