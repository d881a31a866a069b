//! Tools that improve engines and never play: learning, tuning, mining and tables. `linesman-lab` is the program over them.
//!
//! An engine at play needs none of this. [`learn`] plays games of an engine against itself and trains its weights on them,
//! [`tune`] fits a weighted sum to recorded games, [`mine`](mod@mine) finds positions with a forced win, [`prove`] proves
//! the values of a position's moves, [`tablebase`] builds and verifies tables. All but tables work on
//! [`DynHistory`](kit::DynHistory), so a game's search is compiled in its own crate alone.

pub mod learn;
pub mod mine;
pub mod parallel;
pub mod prove;
pub mod tablebase;
pub mod tune;
