//! `projex`: the engine on standard input and output.

fn main() {}
