//! The `linesman-lab` executable for tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    linesman_lab::run(linesman::GAMES, linesman_lab::TABLES)
}
