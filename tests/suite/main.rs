//! The executable of the referee with sound and with faulty engines.

mod any;
mod check;
mod clocks;
mod command_line;
mod console;
mod dialogue;
mod endings;
mod faults;
mod fingerprints;
mod full;
mod guides;
mod matches;
mod numbers;
mod openings;
mod pictures;
mod records;
mod restarts;
mod samples;
mod scarcity;
mod shortage;
mod strict_client;
mod suite_files;
mod suites;
mod support;
mod tables;
mod typing;
