//! Commands that make engines better.

pub(crate) mod learn;
pub(crate) mod tune;
pub(crate) mod tune_options;
