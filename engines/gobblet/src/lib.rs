//! Gobblet! and Gobblet! Jr. (Blue Orange): rules, notation and engine.
