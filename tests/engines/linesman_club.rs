//! The `linesman-club` executable for tests.

use std::process::ExitCode;

fn main() -> ExitCode {
    linesman_club::run(linesman::GAMES)
}
