//! The `linesman-lab` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    linesman_lab::run(linesman::GAMES, linesman_lab::TABLES)
}
