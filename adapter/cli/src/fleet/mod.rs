//! Matches over several machines: `linesman match --fleet`, `linesman worker`, `linesman fleet`.

mod connect;
mod coordinate;
mod tool;
mod worker;

pub(crate) use coordinate::Fleet;
pub(crate) use tool::run as tool;
pub(crate) use worker::run as work;
