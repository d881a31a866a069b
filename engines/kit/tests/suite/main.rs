//! Tests of the crate from outside: search and session on small games with known values, and an engine as a process.

mod bench;
mod claims;
mod diagram;
mod fuse;
// The tests of tables use more of it.
#[allow(dead_code)]
mod graph;
mod mate;
mod mcts;
mod move_values;
mod negamax;
mod nim;
mod process;
mod random_graph;
mod random_tree;
mod serve;
mod session;
