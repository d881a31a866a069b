//! Commands that make engines better.

pub(crate) mod learn;
pub(crate) mod pupil;
pub(crate) mod tune;
pub(crate) mod tune_options;
