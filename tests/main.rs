//! The referee from outside: the executable against engines that behave, and against engines that do not.

mod any;
mod check;
mod clocks;
mod command_line;
mod endings;
mod faults;
mod full;
mod matches;
mod numbers;
mod openings;
mod restarts;
mod support;
