//! The `linesman-club` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    linesman_club::run(linesman::GAMES)
}
