//! Tests of the crate from outside: proofs and tables of small games whose truth is known.

// The tests of the kit use more of it.
#[allow(dead_code)]
#[path = "../../../kit/src/tests/graph.rs"]
mod graph;
mod puzzle;
mod tables;
mod tables_answers;
mod tables_files;
