//! A new table, as the arguments ask for it.

use record::game_spec::GameSpec;
use record::registry::Registry;
use referee::host::Host;
use table::open;

use super::arguments::{self, Defaults};
use super::begun::{Begun, open_socket, setup};
use super::{menu, size};
use crate::args::{PlayArgs, TableArgs};
use crate::game_name::{ANY_WITH_RULES, missing_game, parse_typed_game, rules};
use crate::platform::CaughtSignals;
use crate::usage::{Failure, OrFail};

/// Opens a new table. `asks` says whether the person can be asked for the size of the board and the level.
pub(super) fn begin(args: &PlayArgs, host: Host, asks: bool) -> Result<Begun, Failure> {
    let server = open_socket(args)?;
    let game = game(args, host.registry, asks)?;
    let mut args = args.clone();
    if asks && meets_the_built_in(&args) && !rules(host.registry, &game)?.are_of_program() {
        args.table.level = Some(size::ask_level(&game)?);
    }
    let args = &args;
    let defaults = Defaults::of(&args.table)?;
    let mut seats = arguments::seats(&args.table, &defaults, args.listen.is_some())?;
    let note = match &args.learn {
        Some(file) => {
            let engines = seats.iter_mut().flatten().map(|seat| &mut seat.spec);
            Some(arguments::learn(engines, file, &game, host.registry)?)
        }
        None => None,
    };
    let guests = arguments::guests(&seats, args.listen.is_some())?;
    let plan = arguments::plan(&args.table, game, &seats, Default::default(), host.registry)?;
    let mut setup = setup(&args.table, plan, defaults.helper()?, None, guests, host);
    setup.keeps_ledger = args.puzzles.is_none();
    setup.keeps_guests = server.is_some();
    setup.reconnect = args.guests.reconnect;
    let signals = CaughtSignals::catch()?;
    Ok(Begun {
        table: open(setup.clone())?,
        setup,
        signals,
        server,
        note,
    })
}

/// `true` if the arguments leave the players and the strength of the engine to the program.
fn meets_the_built_in(args: &PlayArgs) -> bool {
    let TableArgs { p1, p2, level, .. } = &args.table;
    let is_usual = p1.is_empty() && p2.is_empty() && level.is_none();
    is_usual
        && args.listen.is_none()
        && args.learn.is_none()
        && args.puzzles.is_none()
        && !args.json
}

/// The game of the arguments. At a terminal, the program asks the user for missing parts.
fn game(args: &PlayArgs, registry: Registry, asks: bool) -> Result<GameSpec, Failure> {
    let Some(text) = &args.game else {
        return if asks {
            menu::choose(registry)
        } else {
            Err(missing_game(registry, ANY_WITH_RULES))
        };
    };
    let mut game = parse_typed_game(text, registry).or_usage("GAME")?;
    let rules = rules(registry, &game)?;
    if asks && game.options.is_empty() {
        size::ask(rules.entry(), &mut game)?;
    }
    Ok(game)
}
