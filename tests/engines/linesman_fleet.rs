//! The `linesman-fleet` executable for tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    linesman_fleet::run(linesman::GAMES)
}
