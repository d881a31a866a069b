//! Tests of the crate from outside: search and session on small games with known values, and an engine as a process.

mod bench;
mod claims;
mod diagram;
mod fuse;
mod graph;
mod laws;
mod mate;
mod mcts;
mod move_values;
mod nim;
mod process;
mod puzzle;
mod random_graph;
mod random_tree;
mod serve;
mod session;
mod tables;
mod tables_answers;
mod tables_files;
