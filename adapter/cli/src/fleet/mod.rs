//! Matches over several machines: `linesman match --fleet`, `linesman worker`, `linesman fleet`.

mod ban;
mod connect;
mod coordinate;
mod removal;
mod serve;
mod status;
mod tool;
mod trust;
mod web;
mod worker;

pub(crate) use ban::purge;
pub(crate) use coordinate::{Announced, Fleet};
pub(crate) use tool::run as tool;
pub(crate) use worker::run as work;
