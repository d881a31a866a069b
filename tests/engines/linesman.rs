//! The `linesman` executable for tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    linesman::run(linesman::GAMES)
}
