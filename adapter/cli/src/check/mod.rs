//! `linesman check`: runs all steps on an engine and shows their reports as text, JSON or JUnit.

mod against;
mod junit;
mod screen;

use std::process::ExitCode;

use check::own_rules::{self, OwnRules};
use check::{CheckError, CheckEvent, STEPS, Subject};
use junit::JUnit;
use record::clock::Limit;
use record::engine_spec::{EngineSpec, OwnProgram, Program};
use record::game_spec::{ANY, GameSpec};
use record::registry::{Registry, Rules};
use referee::engine::Timeouts;
use referee::process::{Launch, Orphans};
use referee::stop::Stop;
use screen::Screen;

use crate::args::CheckArgs;
use crate::config::read_words;
use crate::engines::words::Words;
use crate::game_name::{self, looks_like_game, parse_game_or_any};
use crate::matches::outputs::open_log;
use crate::platform::stop_at_once;
use crate::program::linesman;
use crate::records::own_file::OwnFile;
use crate::rules::again;
use crate::usage::{Failure, INTERRUPTED, plain_trouble, refuse};

/// Checks the engine that the arguments describe. Returns the exit status.
pub(crate) fn run(args: &CheckArgs, registry: Registry) -> Result<ExitCode, Failure> {
    if let Some(words) = &args.against {
        return against::run(args, words, registry);
    }
    let mut words = args.words.iter();
    let is_alone = words.all(|word| looks_like_game(word));
    let own = match registry.games().first() {
        Some(entry) if is_alone && entry.is_of_program() => Some(rules_alone(args, registry)?),
        _ => None,
    };
    let seed = args.seed.unwrap_or_else(|| u64::from(fastrand::u32(..)));
    // Any signal ends the check at once.
    let stop = stop_at_once()?;
    let subject = match &own {
        None => Some(subject(args, registry, seed, stop.clone())?),
        Some(_) => None,
    };
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
        Ok(()) => match screen.conclude() {
            Ok(()) => Ok(screen.status()),
            Err(error) => screen.broken(error),
        },
        Err(CheckError::Option(why)) => Err(Failure::Usage(why)),
        Err(CheckError::Rules(why)) => Err(plain_trouble(why)),
        Err(CheckError::Subscriber(error)) => screen.broken(error),
        Err(CheckError::Stopped) => match stop.failure() {
            Some(why) => Err(plain_trouble(why)),
            None => Ok(ExitCode::from(INTERRUPTED)),
        },
    }
}

/// The rules of `--rules` without an engine, twice, with processes of their own.
fn rules_alone(args: &CheckArgs, registry: Registry) -> Result<[Rules; 2], Failure> {
    check_steps(&args.only, &own_rules::steps().collect::<Vec<_>>())?;
    let text = match args.words.as_slice() {
        [] => ANY,
        [game] => game,
        words => return refuse!("GAME: {}: name one game", words.join(" ")),
    };
    let game = parse_game_or_any(text, registry)?;
    let rules = |registry| game_name::rules(registry, &game);
    Ok([rules(registry)?, rules(again(registry)?)?])
}

fn subject(
    args: &CheckArgs,
    registry: Registry,
    seed: u64,
    stop: Stop,
) -> Result<Subject, Failure> {
    let (game, words) = split_game(&args.words, registry)?;
    if let Some(spec) = &game {
        registry.rules(spec)?;
    }
    let margin_ms = read_words("check", &words)?.margin_ms();
    let spec = spec("check", &words)?;
    let is_known = game.as_ref().is_some_and(|game| game.name != ANY);
    if spec.program == Program::Builtin && !is_known {
        return refuse!("GAME: the built-in engine needs a game that linesman games lists");
    }
    let timeouts = Timeouts::from(args.timeouts).of_engine(spec.process);
    let (own, name) = (
        linesman()?,
        game.as_ref().map_or("", |game| game.name.as_str()),
    );
    let steps: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
    check_steps(&args.only, &steps)?;
    Ok(Subject {
        registry,
        launch: Launch {
            name: spec.name.clone().unwrap_or_else(|| "engine".to_owned()),
            log: open_log(args.log.as_deref(), &stop)?,
            ..Launch::of(
                &spec,
                OwnProgram::new(&own, name, registry),
                timeouts.startup,
            )
        },
        stop,
        dialect: spec.proto.into(),
        spec,
        margin_ms,
        game,
        seed,
        games: args.games,
        timeouts,
        only: args.only.clone(),
    })
}

/// The engine that these words describe, without a limit.
fn spec(flag: &str, words: &[String]) -> Result<EngineSpec, Failure> {
    let limits = |word: &&String| {
        let pair = word.split_once('=');
        pair.is_some_and(|(key, value)| Limit::parse_word(key, value).is_some())
    };
    match words.iter().find(limits) {
        Some(word) => refuse!("{flag}: {word}: each step has its own limit: leave it out"),
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
        [game] if !game.contains('/') => Ok((Some(parse_game_or_any(game, registry)?), words)),
        [program] => refuse!("GAME: {program:?} is not a game: write cmd={program} for a program"),
        [first, ..] => {
            let program = games
                .iter()
                .find(|word| word.contains('/'))
                .unwrap_or(first);
            let games = games.join(" and ");
            refuse!(
                "GAME: {games} are several games: name one, and write cmd={program} for a program"
            )
        }
    }
}

fn check_steps(only: &[String], known: &[&str]) -> Result<(), Failure> {
    match only.iter().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let known = known.join(", ");
            refuse!("--only: unknown step {name:?}: the steps are {known}")
        }
    }
}
