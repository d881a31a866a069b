//! Tools that improve engines: learning, tuning, mining, puzzles and tables; and the laws that games are tested by.
//!
//! An engine at play needs none of this. [`learn`] plays games of an engine against itself and trains its weights on them,
//! [`tune`] fits a weighted sum to recorded games, [`mine`](mod@mine) finds positions with a forced win, [`puzzle`] proves the
//! values of positions, [`tablebase`] builds and verifies tables. All but tables work on
//! [`DynEngine`](kit::DynEngine), so a game's search is compiled in its own crate alone.
//!
//! [`laws`] is the test suite that every game passes; [`testing`] has builders for tests.

pub mod laws;
pub mod learn;
pub mod mine;
pub mod puzzle;
pub mod tablebase;
pub mod testing;
pub mod tune;
