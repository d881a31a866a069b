//! `linesman` with a sixth game: Nim, the example of `spec/rules.md`.

use std::process::ExitCode;

use record::registry::Registry;

static GAMES: Registry = Registry(&[&nim::GAME]);

fn main() -> ExitCode {
    linesman::run(GAMES)
}
