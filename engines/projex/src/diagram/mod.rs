//! The drawn board, as text.

mod loops;
mod text;

pub(crate) use text::{FAR_SIDE, draw};
