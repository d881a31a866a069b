//! `linesman check`: runs all steps on an engine and shows their reports as text, JSON or JUnit.

use std::collections::HashSet;
use std::process::ExitCode;

use check::against::{Comparison, Halt, compare};
use check::own_rules::{self, OwnRules};
use check::{CheckError, CheckEvent, STEPS, Subject};
use kit::{CheckPosition, GameEntry};
use protocol::Query;
use record::clock::Limit;
use record::engine_spec::{EngineSpec, OwnProgram, Program};
use record::game_spec::{ANY, GameSpec};
use record::opening::Opening;
use record::registry::{Registry, Rules};
use referee::engine::{self, Engine, EngineConfig, Timeouts, answer, quit, unique_name};
use referee::process::{Launch, Orphans};
use referee::stop::Stop;
use screen::Screen;
use serde_json::json;

use crate::args::CheckArgs;
use crate::config::read_words;
use crate::engines::words::Words;
use crate::game_name::{self, looks_like_game, parse_game_or_any};
use crate::matches::plan::open_log;
use crate::output::print;
use crate::platform::stop_at_once;
use crate::program::linesman;
use crate::records::files::OwnFile;
use crate::rules::again;
use crate::usage::{Done, Failure, INTERRUPTED, plain_trouble, refuse, usage};

mod screen;

/// Checks the engine that the arguments describe. Returns the exit status.
pub(crate) fn run(args: &CheckArgs, registry: Registry) -> Done<ExitCode> {
    if let Some(words) = &args.against {
        return compare_engines(args, words, registry);
    }
    let is_of_program = |entry: &&GameEntry| entry.is_of_program();
    let are_rules = registry.games().first().is_some_and(is_of_program)
        && args.words.iter().all(|word| looks_like_game(word));
    let seed = seed(args);
    // Any signal ends the check at once.
    let stop = stop_at_once()?;
    let junit = args.junit.as_deref();
    let junit = junit.map(|path| OwnFile::check(path, "--junit", screen::is_report));
    let junit = junit.transpose()?;
    let mut screen = Screen::default();
    (screen.is_json, screen.seed) = (args.json, seed);
    let _orphans = Orphans::adopt();
    let mut emit = |event: CheckEvent<'_>| screen.show(event);
    let checked = if are_rules {
        let [rules, again] = &rules_alone(args, registry)?;
        let own = OwnRules {
            rules,
            again,
            games: args.games,
            seed,
            only: &args.only,
            stop: stop.clone(),
        };
        own_rules::run(&own, &mut emit)
    } else {
        check::run(&subject(args, registry, seed, stop.clone())?, &mut emit)
    };
    if let Some(file) = junit {
        file.write(screen.junit())?;
    }
    match checked.and_then(|()| screen.conclude().map_err(CheckError::Subscriber)) {
        Ok(()) => Ok(screen.status()),
        Err(CheckError::Option(why)) => Err(Failure::Usage(why)),
        Err(CheckError::Rules(why)) => Err(plain_trouble(why)),
        Err(CheckError::Subscriber(error)) => screen.broken(error),
        Err(CheckError::Stopped) => match stop.failure() {
            Some(why) => Err(plain_trouble(why)),
            None => Ok(ExitCode::from(INTERRUPTED)),
        },
    }
}

fn seed(args: &CheckArgs) -> u64 {
    args.seed.unwrap_or_else(|| u64::from(fastrand::u32(..)))
}

/// The rules of `--rules` without an engine, twice, with separate processes.
fn rules_alone(args: &CheckArgs, registry: Registry) -> Done<[Rules; 2]> {
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

fn subject(args: &CheckArgs, registry: Registry, seed: u64, stop: Stop) -> Done<Subject> {
    let (game, words) = split_game(&args.words, registry)?;
    if let Some(spec) = &game {
        registry.rules(spec)?;
    }
    let margin_ms = read_words("check", &words)?.margin_ms;
    let spec = spec("check", &words)?;
    if spec.program == Program::Builtin && game.as_ref().is_none_or(|game| game.name == ANY) {
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
fn spec(flag: &str, words: &[String]) -> Done<EngineSpec> {
    match words.iter().find(|word: &&String| {
        let pair = word.split_once('=');
        pair.is_some_and(|(key, value)| Limit::parse_word(key, value).is_some())
    }) {
        Some(word) => refuse!("{flag}: {word}: each step has its own limit: leave it out"),
        None => read_words(flag, words)?.spec(flag, &Words::default()),
    }
}

/// Separates the game from the words of the engine.
fn split_game(words: &[String], registry: Registry) -> Done<(Option<GameSpec>, Vec<String>)> {
    let (games, words): (Vec<String>, Vec<String>) = words
        .iter()
        .cloned()
        .partition(|word| looks_like_game(word));
    match games.as_slice() {
        [] => Ok((None, words)),
        [game] if !game.contains('/') => Ok((Some(parse_game_or_any(game, registry)?), words)),
        several => {
            let is_path = |word: &&String| word.contains('/');
            let program = several.iter().find(is_path).unwrap_or(&several[0]);
            let games = several.join(" and ");
            refuse!("GAME: {games}: name one game, and write cmd={program} for a program")
        }
    }
}

fn check_steps(only: &[String], known: &[&str]) -> Done {
    match only.iter().find(|name| !known.contains(&name.as_str())) {
        None => Ok(()),
        Some(name) => {
            let known = known.join(", ");
            refuse!("--only: unknown step {name:?}: the steps are {known}")
        }
    }
}

/// The name in an engine's answer to `query game`, if it answers.
fn game_of(engine: &mut Engine) -> Option<String> {
    if !engine.config.answers.contains(&Query::Game) {
        return None;
    }
    let answer = answer(engine, "position startpos", Query::Game).ok()?;
    answer.split_whitespace().next().map(str::to_owned)
}

/// Compares the engine of the arguments with another one. Returns the exit status: 1 if they differ.
fn compare_engines(args: &CheckArgs, words: &[String], registry: Registry) -> Done<ExitCode> {
    let stop = stop_at_once()?;
    let own = linesman()?;
    let (game, first) = split_game(&args.words, registry)?;
    let timeouts = Timeouts::from(args.timeouts);
    let start = |flag: &str, words: &[String]| {
        let mut spec = spec(flag, words)?;
        let options = game.iter().flat_map(|game| game.options.iter().cloned());
        let options = options.map(|(name, value)| (name, Some(value)));
        spec.options.extend(options);
        let name = game.as_ref().map_or("", |game| &game.name);
        let own = OwnProgram::new(&own, name, registry);
        let mut config = EngineConfig::alone(&spec, own, timeouts);
        config.stop = stop.clone();
        config.is_probed = true;
        let mut player = Engine::new(config);
        let started = engine::start(&mut player);
        started.map_err(|fault| Failure::Trouble(format!("{flag}: {}: {fault}", player.name())))?;
        Ok::<Engine, Failure>(player)
    };
    let mut one = start("check", &first)?;
    let mut other = start("--against", words)?;
    // The positions of a known game show its rules one by one.
    let known = game.as_ref().map(|game| game.name.clone());
    let known = known.or_else(|| game_of(&mut one));
    let entry = known.and_then(|name| registry.find(&name).ok());
    let positions = CheckPosition::parse_table(entry.map_or("", |entry| entry.check_positions));
    let comparison = Comparison {
        starts: positions.iter().map(Opening::from).collect(),
        games: args.games,
        seed: seed(args),
        timeouts,
    };
    let mut taken = HashSet::new();
    let names = [&one, &other].map(|engine| unique_name(engine.name().to_owned(), &mut taken));
    let compared = compare([&mut one, &mut other], &comparison);
    for player in [&mut one, &mut other] {
        quit(player);
    }
    let found = match compared {
        Ok(n_positions) => Ok(n_positions),
        Err(Halt::Differ(found)) => Err(found),
        Err(Halt::Fault(engine, fault)) => {
            return Err(usage(&format!("engine {}", names[engine]), fault));
        }
    };
    let seed = comparison.seed;
    let (object, text) = match &found {
        Ok(n_positions) => (
            json!({"equal": true, "positions": n_positions, "seed": seed}),
            format!(
                "no difference in {n_positions} positions of {} games, seed {seed}",
                args.games
            ),
        ),
        Err(found) => {
            let query = found.query.map(Query::word);
            let asked = query.map_or(String::new(), |word| format!("  query {word}\n"));
            let (position, answers) = (format!("position {}", found.position), &found.answers);
            let ([one, other], [first, second]) = (&names, answers);
            (
                json!({"equal": false, "position": position, "query": query, "answers": answers, "seed": seed}),
                format!(
                    "the engines differ, seed {seed}:\n  {position}\n{asked}{one}: {first}\n{other}: {second}"
                ),
            )
        }
    };
    let text = if args.json { object.to_string() } else { text };
    print(&text, args.json)?;
    Ok(ExitCode::from(u8::from(found.is_err())))
}
