//! `graph-hockey`: the engine on standard input and output.

fn main() {}
