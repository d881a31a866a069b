//! Nim, the game of the kit's unit tests, as an engine: the sixth game of `spec/add-a-game.md`, built for the tests
//! only.

use std::process::ExitCode;

#[path = "../../engines/kit/tests/suite/nim.rs"]
mod nim;

fn main() -> ExitCode {
    kit::GameEntry::of::<nim::Nim>(&nim::ABOUT).main()
}
