//! Nim as an engine: the sixth game of `spec/rules.md`.

use std::process::ExitCode;

fn main() -> ExitCode {
    nim::GAME.main()
}
