//! Tests of the crate from outside: tables of small games whose truth is known.

// By its path, since a trait of the lab is implemented for it. The tests of the search use more of it.
#[allow(dead_code)]
#[path = "../../../../tests/laws/tests/suite/graph.rs"]
mod graph;
mod move_values;
mod tables;
mod tables_answers;
mod tables_files;
