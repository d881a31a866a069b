//! The board for people: as text, as a clickable diagram, and as a caption.

mod caption;
mod loops;
mod text;
mod vector;

pub(crate) use caption::explain;
pub(crate) use text::{FAR_SIDE, draw};
pub(crate) use vector::diagram;
