//! The page of `linesman gui` in a real Chromium. Needs Debian's packages chromium and chromium-driver; without them
//! each test says SKIPPED, or fails if `CI` is set.
//!
//! Screenshots are saved in `target/screenshots`, also those of failed tests.
//!
//! By default one test of each game and of each part of the page runs; with `LINESMAN_TEST_FULL=1` all do.

#[macro_use]
extern crate laws;

/// Returns from a test that is only part of the full suite.
macro_rules! full_only {
    () => {
        if !laws::testing::full() {
            return;
        }
    };
}

mod appearance;
mod boards;
mod browser;
mod driver;
mod engines;
mod feel;
mod field;
mod files;
mod game;
mod guests;
mod keyboard;
mod learning;
mod loading;
mod lobby;
mod mouse;
mod rules_program;
mod seat;
mod server;
mod stops;
mod touch;
mod tree;
mod watching;
