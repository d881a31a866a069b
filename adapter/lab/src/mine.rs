//! `linesman-lab mine`: makes a suite from self-play games of the built-in engine.

use std::io::{self, Write};
use std::process::ExitCode;

use lab::mine::{Mined, MiningSettings, mine};
use record::opening::Opening;
use record::registry::Registry;

use crate::args::MineArgs;
use crate::long_work::bar;
use linesman::game_name::{parse_game, rules};
use linesman::output::printable;
use linesman::usage::{Failure, OrFail, refuse};

/// Mines positions and writes them as a suite.
pub(crate) fn run(args: &MineArgs, registry: Registry) -> Result<ExitCode, Failure> {
    let spec = parse_game(&args.game, registry)?;
    let rules = rules(registry, &spec)?;
    if args.longest < args.shortest {
        return refuse!(
            "--longest {}: give at least --shortest, {}",
            args.longest,
            args.shortest
        );
    }
    let settings = MiningSettings {
        games: args.games as u64,
        seed: args.seed,
        mistakes: args.mistakes,
        count: args.count,
        nodes: args.nodes as u64,
        shortest: args.shortest,
        longest: args.longest,
    };
    let engine = rules.open(&Opening::default()).or_usage("GAME")?;
    let bar = bar(settings.games, "games".to_owned());
    let mined = mine(engine.as_ref(), &settings, &|n| bar.set_position(n));
    bar.finish_and_clear();
    let mined = mined.or_fail()?;
    let mut out = io::stdout().lock();
    writeln!(out, "game {spec}").map_err(Failure::Output)?;
    for (mined, number) in mined.iter().zip(1..) {
        let id = format!("{}.{}.{number:02}", spec.name, args.seed);
        writeln!(out, "{}", printable(&line(mined, &id))).map_err(Failure::Output)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn line(mined: &Mined, id: &str) -> String {
    let (fen, best, plies) = (&mined.fen, &mined.best, mined.plies);
    format!("{fen}; bm {best}; win {plies}; id \"{id}\";")
}
