//! The `linesman` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    linesman::run(linesman::GAMES)
}
