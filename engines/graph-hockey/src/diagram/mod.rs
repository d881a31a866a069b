//! The field for people: as text, as a diagram that can be clicked, and in words.

mod caption;
mod dot_canvas;
mod legend;
mod text;
mod vector;

pub(crate) use caption::explain;
pub(crate) use text::{ASCII, draw};
pub(crate) use vector::diagram;
