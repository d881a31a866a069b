//! Nim as an engine: the sixth game of `spec/add-a-game.md`.

use std::process::ExitCode;

fn main() -> ExitCode {
    nim::GAME.main()
}
