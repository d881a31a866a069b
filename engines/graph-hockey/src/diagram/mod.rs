//! The field for people: as text, as a diagram that can be clicked, and in words.

mod caption;
mod dot_canvas;
mod legend;
mod scale;
mod text;
mod vector;

pub(crate) use caption::explain;
pub(crate) use dot_canvas::{DotCanvas, ascii, braille};
pub(crate) use text::{ASCII, LETTERS, draw};
pub(crate) use vector::diagram;
