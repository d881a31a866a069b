//! `linesman gui` over the network: what its page can do, and what is refused to all others.

mod access;
mod engines;
mod games;
mod limits;
mod matches;
mod page;
mod people;
mod records;
#[path = "../../page/seat.rs"]
mod seat;
mod slow_pages;
