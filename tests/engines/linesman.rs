//! `linesman` as the tests run it.

use std::process::ExitCode;

fn main() -> ExitCode {
    linesman::run(linesman::GAMES)
}
