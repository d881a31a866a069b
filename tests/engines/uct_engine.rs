//! Plain UCT with random playouts as an engine of any game, the baseline of `tests/strength.sh`: `uct-engine GAME`.

use std::io;
use std::process::ExitCode;

use bridge::Lines;
use record::game_spec::GameSpec;

fn main() -> ExitCode {
    let game = std::env::args().nth(1).unwrap_or_default();
    let Ok(Some(rules)) = linesman::GAMES.rules(&GameSpec::new(&game, [])) else {
        return ExitCode::from(2);
    };
    let lines = Lines::read(io::stdin(), crossbeam_channel::never(), None);
    let lines = lines.expect("a thread");
    let served = bridge::ugi::run_builtin(linesman::GAMES, rules, &lines, &mut io::stdout().lock());
    ExitCode::from(u8::from(served.is_err()))
}
