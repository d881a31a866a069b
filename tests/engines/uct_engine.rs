//! Plain UCT with random playouts as an engine of any game, the baseline of `tests/strength.sh`: `uct-engine GAME`.

use std::process::ExitCode;

use kit::game_entry::{GameSource, Opened, PositionLine};
use kit::{GameEntry, OptionDecl, Options};

/// The rules of a game without its engine: the session then plays by playouts.
#[derive(Debug)]
struct RulesAlone(&'static dyn GameSource);

impl GameSource for RulesAlone {
    fn options(&self) -> Vec<OptionDecl> {
        self.0.options()
    }

    fn open(&self, options: &Options, line: PositionLine<'_>) -> Opened {
        self.0.open(options, line)
    }
}

fn main() -> ExitCode {
    let name = std::env::args().nth(1).unwrap_or_default();
    let Ok(game) = linesman::GAMES.find(&name) else {
        return ExitCode::from(2);
    };
    let rules = Box::leak(Box::new(RulesAlone(game.source)));
    GameEntry::of_source(game.name, rules, &[]).serve(&Options::new(rules.options()))
}
