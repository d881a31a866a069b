//! The board for people: as text, as a diagram that can be clicked, and in words.

mod caption;
mod layout;
mod loops;
mod text;
mod vector;

pub(crate) use caption::explain;
pub(crate) use text::{FAR_SIDE, draw};
pub(crate) use vector::diagram;
