//! `linesman` with a sixth game: Nim, the example of `spec/add-a-game.md`.

use std::process::ExitCode;

use kit::GameEntry;
use record::registry::Registry;

#[path = "../../engines/kit/tests/suite/nim.rs"]
mod nim;

static NIM: GameEntry = GameEntry::of::<nim::Nim>(&nim::ABOUT).checked_at(nim::CHECK_POSITIONS);

static GAMES: Registry = Registry(&[&NIM]);

fn main() -> ExitCode {
    linesman::run(GAMES, &[])
}
