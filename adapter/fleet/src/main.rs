//! The `linesman-fleet` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    linesman_fleet::run(linesman::GAMES)
}
