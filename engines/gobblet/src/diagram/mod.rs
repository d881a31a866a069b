//! The board for people: as text, as a clickable diagram, and as a caption.

mod caption;
mod text;
mod vector;

pub(crate) use caption::explain;
pub(crate) use text::{OFF_BOARD, PEEK, draw};
pub(crate) use vector::diagram;
