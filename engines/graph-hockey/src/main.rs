//! `graph-hockey`: the engine on standard input and output.

use std::process::ExitCode;

fn main() -> ExitCode {
    kit::serve::main::<graph_hockey::GraphHockey>()
}
