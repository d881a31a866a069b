//! The page of `linesman gui` in a real Chromium. Needs Debian's packages chromium and chromium-driver; without them
//! each test says SKIPPED.
//!
//! What the windows show is stored in `target/screenshots`, also that of a test that fails.

mod boards;
mod browser;
mod driver;
mod engines;
mod files;
mod game;
mod guests;
mod keyboard;
mod mouse;
mod server;
mod sixth_game;
mod stops;
mod touch;
mod tour;
mod tree;
mod typing;
mod watching;
