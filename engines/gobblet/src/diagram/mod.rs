//! The board for people: as text, as a diagram that can be clicked, and in words.

mod caption;
mod text;
mod threats;
mod vector;

pub(crate) use caption::explain;
pub(crate) use text::{OFF_BOARD, PEEK, draw};
pub(crate) use vector::diagram;
