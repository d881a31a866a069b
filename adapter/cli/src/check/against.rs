//! `linesman check --against`: the first position about which two engines differ.

use std::collections::HashSet;
use std::process::ExitCode;

use check::against::{Comparison, compare};
use kit::CheckPosition;
use protocol::Query;
use record::engine_spec::OwnProgram;
use record::opening::Opening;
use record::registry::Registry;
use referee::engine::{self, Engine, EngineConfig, Timeouts, answer, quit, unique_name};
use serde_json::json;

use super::{spec, split_game};
use crate::args::CheckArgs;
use crate::output::print;
use crate::platform::stop_at_once;
use crate::program::linesman;
use crate::usage::{Failure, usage};

/// The name in an engine's answer to `query game`, if it answers.
fn game_of(engine: &mut Engine) -> Option<String> {
    if !engine.config.answers().contains(&Query::Game) {
        return None;
    }
    let answer = answer(engine, "position startpos", Query::Game).ok()?;
    answer.split_whitespace().next().map(str::to_owned)
}

/// Compares the engine of the arguments with another one. Returns the exit status: 1 if they differ.
pub(super) fn run(
    args: &CheckArgs,
    words: &[String],
    registry: Registry,
) -> Result<ExitCode, Failure> {
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
        seed: args.seed.unwrap_or_else(|| u64::from(fastrand::u32(..))),
        timeouts,
    };
    let mut taken = HashSet::new();
    let names = [&one, &other].map(|engine| unique_name(engine.name().to_owned(), &mut taken));
    let compared = compare([&mut one, &mut other], &comparison);
    for player in [&mut one, &mut other] {
        quit(player);
    }
    let compared =
        compared.map_err(|(engine, fault)| usage(&format!("engine {}", names[engine]), fault))?;
    let (seed, n_positions) = (comparison.seed, compared.n_positions);
    let (object, text) = match &compared.difference {
        None => (
            json!({"equal": true, "positions": n_positions, "seed": seed}),
            format!(
                "no difference in {n_positions} positions of {} games, seed {seed}",
                args.games
            ),
        ),
        Some(found) => {
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
    Ok(ExitCode::from(u8::from(compared.difference.is_some())))
}
