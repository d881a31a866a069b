//! `linesman bridge`: a built-in or other engine behind another protocol.

mod bridge;
mod xboard;

pub(crate) use bridge::{run, tree_engine};
