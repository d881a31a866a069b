//! The program `linesman`.

use std::process::ExitCode;

fn main() -> ExitCode {
    linesman::run(linesman::GAMES)
}
