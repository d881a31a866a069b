//! Tests of the crate from outside: tables of small games whose truth is known.

// The tests of the kit use more of it.
#[allow(dead_code)]
#[path = "../../../kit/src/tests/graph.rs"]
mod graph;
mod move_values;
mod tables;
mod tables_answers;
mod tables_files;
