//! `linesman bridge`: a built-in or other engine behind another protocol.

mod bridge;
mod gui_command;
mod signals;
mod start_error;

pub(crate) use bridge::{run, tree_engine};
pub(crate) use start_error::{gui_protocol, shown_in_gui};
