//! The engine's program.

use std::process::ExitCode;

fn main() -> ExitCode {
    nim::GAME.main()
}
