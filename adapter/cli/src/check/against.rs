//! `linesman check --against`: the first position about which two engines differ.

use std::collections::HashSet;
use std::process::ExitCode;

use check::against::{Compared, Comparison, EngineFault, compare};
use kit::CheckPosition;
use protocol::Query;
use record::engine_spec::OwnProgram;
use record::opening::Opening;
use record::registry::Registry;
use referee::client::Timeouts;
use referee::player::names::unique_name;
use referee::player::{EngineConfig, EnginePlayer, Oracle, Player};
use referee::stop::Stop;
use serde_json::json;

use super::{spec, split_game};
use crate::args::CheckArgs;
use crate::output::print;
use crate::platform::{self, this_executable};
use crate::usage::{Failure, usage};

/// The name in an engine's answer to `query game`, if it answers.
fn game_of(engine: &mut EnginePlayer) -> Option<String> {
    if !engine.answers(Query::Game) {
        return None;
    }
    engine.ask("position startpos", &[Query::Game]).ok()?;
    let answer = engine.response().ok()?;
    answer.split_whitespace().next().map(str::to_owned)
}

/// The `position` line of a position that shows a rule.
fn line(position: &CheckPosition) -> String {
    format!("position {}", Opening::from(position))
}

/// Compares the engine of the arguments with another one. Returns the exit status: 1 if they differ.
pub(super) fn run(
    args: &CheckArgs,
    words: &[String],
    registry: Registry,
) -> Result<ExitCode, Failure> {
    let stop = Stop::default();
    let signalled = stop.clone();
    platform::on_signals(move |_| signalled.now())?;
    let own = this_executable()?;
    let (game, first) = split_game(&args.words, registry)?;
    let timeouts = Timeouts::from(args.timeouts);
    let start = |flag: &str, words: &[String]| {
        let mut spec = spec(flag, words)?;
        let mut name = "";
        if let Some(game) = &game {
            name = &game.name;
            let options = game.options.iter().cloned();
            spec.options
                .extend(options.map(|(name, value)| (name, Some(value))));
        }
        let own = OwnProgram::new(&own, name, registry);
        let mut config = EngineConfig::alone(&spec, own, timeouts);
        config.stop = stop.clone();
        config.is_probed = true;
        let mut player = EnginePlayer::new(config);
        let started = player.start_and_wait();
        started.map_err(|fault| Failure::Trouble(format!("{flag}: {}: {fault}", player.name())))?;
        Ok::<EnginePlayer, Failure>(player)
    };
    let mut one = start("check", &first)?;
    let mut other = start("--against", words)?;
    // The positions of a known game show its rules one by one.
    let known = game.as_ref().map(|game| game.name.clone());
    let known = known.or_else(|| game_of(&mut one));
    let entry = known.and_then(|name| registry.find(&name).ok());
    let positions = entry.map_or_else(Vec::new, kit::GameEntry::check_positions);
    let comparison = Comparison {
        starts: positions.iter().map(line).collect(),
        games: args.games,
        seed: args.seed.unwrap_or_else(|| u64::from(fastrand::u32(..))),
        timeouts,
    };
    let mut taken = HashSet::new();
    let names = [&one, &other].map(|engine| unique_name(engine.name().to_owned(), &mut taken));
    let compared = compare([&mut one, &mut other], &comparison);
    for player in [&mut one, &mut other] {
        player.quit();
    }
    let compared = compared.map_err(|EngineFault { engine, fault }| {
        usage(&format!("engine {}", names[engine]), fault)
    })?;
    let seed = comparison.seed;
    let (text, status) = match &compared {
        Compared::Equal(n_positions) if args.json => (
            json!({"equal": true, "positions": n_positions, "seed": seed}).to_string(),
            ExitCode::SUCCESS,
        ),
        Compared::Equal(n_positions) => (
            format!(
                "no difference in {n_positions} positions of {} games, seed {seed}",
                args.games
            ),
            ExitCode::SUCCESS,
        ),
        Compared::Differ(found) if args.json => (
            json!({
                "equal": false,
                "position": found.position,
                "query": found.query.map(Query::word),
                "answers": found.answers,
                "seed": seed,
            })
            .to_string(),
            ExitCode::FAILURE,
        ),
        Compared::Differ(found) => {
            let asked = found
                .query
                .map_or(String::new(), |query| format!("  query {}\n", query.word()));
            let [first, second] = &found.answers;
            (
                format!(
                    "the engines differ, seed {seed}:\n  {}\n{asked}{}: {first}\n{}: {second}",
                    found.position, names[0], names[1]
                ),
                ExitCode::FAILURE,
            )
        }
    };
    print(&text, args.json)?;
    Ok(status)
}
