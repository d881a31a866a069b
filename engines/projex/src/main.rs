//! `projex`: the engine on standard input and output.

use std::process::ExitCode;

fn main() -> ExitCode {
    projex::GAME.main()
}
