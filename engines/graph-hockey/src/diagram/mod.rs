//! The drawn field, as text.

mod dot_canvas;
mod legend;
mod text;

pub(crate) use text::{ASCII, draw};
