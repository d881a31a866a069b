//! `graph-hockey`: the engine on standard input and output.

use std::process::ExitCode;

fn main() -> ExitCode {
    graph_hockey::GAME.main()
}
