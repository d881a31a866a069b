//! The field for people: as text, as a clickable diagram, and as a caption.

mod caption;
mod dot_canvas;
mod legend;
mod scale;
mod text;
mod vector;

pub(crate) use caption::explain;
pub(crate) use text::{ASCII, LETTERS, draw};
pub(crate) use vector::diagram;
