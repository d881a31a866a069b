//! Tests of the kit on small games with known values: search, session, an engine as a process. That one of the games passes
//! the laws.

mod bench;
mod claims;
mod diagram;
mod fuse;
// The tests of tables use more of it.
#[allow(dead_code)]
mod graph;
mod laws_of_nim;
mod mate;
mod process;
mod random_graph;
mod random_tree;
mod serve;
mod session;
mod uct;
