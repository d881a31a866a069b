//! The drawn board, as text.

mod text;

pub(crate) use text::draw;
