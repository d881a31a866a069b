//! `linesman` with a sixth game: Nim, the example of `spec/add-a-game.md`.

use std::process::ExitCode;

use referee::registry::{GameEntry, Registry};

#[path = "../../engines/kit/tests/nim/mod.rs"]
mod nim;

static GAMES: Registry = Registry(&[GameEntry::of::<nim::Nim>(
    "take stones from heaps; the last stone wins",
)]);

fn main() -> ExitCode {
    linesman::run(GAMES)
}
